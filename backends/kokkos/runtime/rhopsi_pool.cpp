#include "rhopsi_pool.hpp"

#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "memory.hpp"
#include "rhopsi_error.hpp"
#include "rhopsi_kokkos.hpp"
#include "rhopsi_platform.hpp"

namespace rhopsi {

namespace {

// Where the system has large pages for those who ask, a block of several gets them, before any of
// it is touched: a pipeline goes through planes of many arrays in turns, and each first touch of a
// page waits for its address.
void in_large_pages(void* memory, std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t page = std::size_t{1} << 21;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // If it has none, nothing is lost.
  if (end > first + page) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

// Never nothing: an array without elements has a place too.
std::size_t rounded(std::size_t bytes) { return bytes == 0 ? 64 : (bytes + 63) / 64 * 64; }

// Large blocks of the system begin at the beginning of a page, so that rows of all arrays that a
// loop goes through compete for the same places of the first cache. Each of these begins some
// lines later than the one before; the distances repeat after 64 of them.
constexpr std::size_t page = 4096, step = 11 * 64, large = 16 * page;
bool stands_apart(std::size_t bytes) { return on_host && bytes >= large; }
std::size_t allocated(std::size_t bytes) { return bytes + (stands_apart(bytes) ? page : 0); }

void* try_allocate(std::size_t bytes) {
  if (on_host && !io::has_room_for(bytes)) return nullptr;
  return detail::allocate(bytes);
}

}  // namespace

Pool& Pool::instance() {
  static Pool pool;
  return pool;
}

Pool::Pool() {
  detail::before_kokkos_ends([] { instance().end(); });
}

void Pool::end() {
  trim();
  finalized_ = true;
}

void* Pool::acquire(std::size_t bytes) {
  bytes = rounded(bytes);
  use_.live += bytes;
  if (const auto found = idle_.find(bytes); found != idle_.end()) {
    void* const memory = found->second;
    idle_.erase(found);
    idle_bytes_ -= bytes;
    return memory;
  }
  return allocate(bytes);
}

void Pool::release(void* memory, std::size_t bytes) {
  bytes = rounded(bytes);
  use_.live -= bytes;
  if (finalized_) return;  // Kokkos has gone, and the process ends
  idle_.emplace(bytes, memory);
  idle_bytes_ += bytes;
}

void Pool::trim() {
  for (const auto& [bytes, memory] : idle_) {
    const auto found = apart_.find(memory);
    const std::size_t before = found == apart_.end() ? 0 : found->second;
    if (found != apart_.end()) apart_.erase(found);
    use_.held -= allocated(bytes);
    detail::deallocate(static_cast<char*>(memory) - before);
  }
  idle_.clear();
  idle_bytes_ = 0;
}

// Zeroes and others in the order in which kernels will visit the memory: on machines of several
// sockets the pages then lie near the threads that use them.
void Pool::fill(void* memory, std::size_t bytes, std::uint64_t value) {
  detail::fill_words(static_cast<std::uint64_t*>(memory),
                     static_cast<std::int64_t>(rounded(bytes) / sizeof(std::uint64_t)), value);
}

// A step asks for the same sizes again and again. Where new ones come all the time, what nobody
// asks for any more is no more than what is in use.
bool Pool::keeps_too_much() const {
  constexpr std::size_t most_idle = std::size_t{64} << 20;
  return idle_bytes_ > most_idle && idle_bytes_ > use_.live;
}

void* Pool::allocate(std::size_t bytes) {
  if (keeps_too_much()) {
    detail::fence();
    trim();
  }
  void* memory = try_allocate(allocated(bytes));
  if (memory == nullptr) {
    detail::fence();
    trim();  // blocks of other sizes may make room
    memory = try_allocate(allocated(bytes));
  }
  if (memory == nullptr) {
    use_.live -= bytes;
    throw Error("out of memory: " + std::to_string(bytes) + " bytes more than the " +
                    std::to_string(use_.held) + " in use",
                codes::size);
  }
  use_.held += allocated(bytes);
  if (use_.held > use_.peak) use_.peak = use_.held;
  if (on_host) in_large_pages(memory, allocated(bytes));
  if (stands_apart(bytes)) {
    const std::size_t before = (step * large_blocks_++) % page;
    memory = static_cast<char*>(memory) + before;
    apart_.emplace(memory, before);
  }
  fill(memory, bytes, 0);
  return memory;
}

}  // namespace rhopsi
