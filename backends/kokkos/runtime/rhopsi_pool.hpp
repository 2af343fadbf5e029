// Memory of blocks. What a field gives back stays allocated for the next one of its size, so that
// the temporaries of a step are allocated once per run. Used from one host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "memory.hpp"
#include "rhopsi_platform.hpp"

namespace rhopsi {

struct MemoryUse {
  std::size_t live = 0;  // bytes in blocks that fields hold
  std::size_t held = 0;  // bytes that the pool has from the system
  std::size_t peak = 0;  // the most that it has held
};

namespace detail {

// Zeroes memory in the order in which kernels will visit it: on machines of several sockets
// the pages then lie near the threads that use them.
struct Clear {
  std::uint64_t* words;
  std::uint64_t value;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const { words[i] = value; }
};

// Between memory of the device and of the host.
template <class Space>
void copy_bytes(void* to, const void* from, std::size_t bytes, bool to_host) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using OnHost = Kokkos::View<char*, Kokkos::HostSpace, Unmanaged>;
  using OnDevice = Kokkos::View<char*, Space, Unmanaged>;
  Kokkos::fence();
  char* const target = static_cast<char*>(to);
  char* const source = const_cast<char*>(static_cast<const char*>(from));
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>)
    std::memcpy(target, source, bytes);
  else if (to_host)
    Kokkos::deep_copy(OnHost(target, bytes), OnDevice(source, bytes));
  else
    Kokkos::deep_copy(OnDevice(target, bytes), OnHost(source, bytes));
}

// Where the system has large pages for those who ask, a block of several gets them, before any of
// it is touched: a pipeline goes through planes of many arrays in turns, and each first touch of a
// page waits for its address.
inline void in_large_pages(void* memory, std::size_t bytes) {
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

}  // namespace detail

class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  // `bytes` is rounded up; the same amount is given to release().
  void* acquire(std::size_t bytes) {
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

  void release(void* memory, std::size_t bytes) {
    bytes = rounded(bytes);
    use_.live -= bytes;
    if (finalized_) return;  // Kokkos has gone, and the process ends
    idle_.emplace(bytes, memory);
    idle_bytes_ += bytes;
  }

  // Gives idle memory back to the system.
  void trim() {
    for (const auto& [bytes, memory] : idle_) {
      const auto found = apart_.find(memory);
      const std::size_t before = found == apart_.end() ? 0 : found->second;
      if (found != apart_.end()) apart_.erase(found);
      use_.held -= allocated(bytes);
      Kokkos::kokkos_free<Memory>(static_cast<char*>(memory) - before);
    }
    idle_.clear();
    idle_bytes_ = 0;
  }

  const MemoryUse& use() const { return use_; }

  static void fill(void* memory, std::size_t bytes, std::uint64_t value) {
    Kokkos::parallel_for("rhopsi: fill",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                             0, static_cast<std::int64_t>(rounded(bytes) / sizeof(std::uint64_t))),
                         detail::Clear{static_cast<std::uint64_t*>(memory), value});
  }

 private:
  Pool() {
    Kokkos::push_finalize_hook([this] {
      trim();
      finalized_ = true;
    });
  }

  // Never nothing: an array without elements has a place too.
  static std::size_t rounded(std::size_t bytes) { return bytes == 0 ? 64 : (bytes + 63) / 64 * 64; }

  // Large blocks of the system begin at the beginning of a page, so that rows of all arrays that
  // a loop goes through compete for the same places of the first cache. Each of these begins some
  // lines later than the one before; the distances repeat after 64 of them.
  static constexpr std::size_t most_idle = std::size_t{64} << 20;
  static constexpr std::size_t page = 4096, step = 11 * 64, large = 16 * page;
  static bool stands_apart(std::size_t bytes) { return on_host && bytes >= large; }
  static std::size_t allocated(std::size_t bytes) {
    return bytes + (stands_apart(bytes) ? page : 0);
  }

  // A step asks for the same sizes again and again. Where new ones come all the time, what nobody
  // asks for any more is no more than what is in use.
  bool keeps_too_much() const { return idle_bytes_ > most_idle && idle_bytes_ > use_.live; }

  void* allocate(std::size_t bytes) {
    if (keeps_too_much()) {
      Kokkos::fence();
      trim();
    }
    void* memory = try_allocate(allocated(bytes));
    if (memory == nullptr) {
      Kokkos::fence();
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
    if (on_host) detail::in_large_pages(memory, allocated(bytes));
    if (stands_apart(bytes)) {
      const std::size_t before = (step * large_blocks_++) % page;
      memory = static_cast<char*>(memory) + before;
      apart_.emplace(memory, before);
    }
    fill(memory, bytes, 0);
    return memory;
  }

  // Kokkos' exceptions for this have changed their types over the versions.
  static void* try_allocate(std::size_t bytes) {
    if (on_host && !io::has_room_for(bytes)) return nullptr;
    try {
      return Kokkos::kokkos_malloc<Memory>("rhopsi block", bytes);
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  std::multimap<std::size_t, void*> idle_;
  std::size_t idle_bytes_ = 0;
  std::map<void*, std::size_t> apart_;  // how far behind their allocations blocks begin
  std::size_t large_blocks_ = 0;
  MemoryUse use_;
  bool finalized_ = false;
};

namespace detail {

// Memory of the pool for the time of a loop.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : bytes_(bytes), memory_(bytes > 0 ? Pool::instance().acquire(bytes) : nullptr) {}
  ~Scratch() {
    if (memory_ != nullptr) Pool::instance().release(memory_, bytes_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  char* memory() const { return static_cast<char*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

}  // namespace detail

inline MemoryUse memory_use() { return Pool::instance().use(); }

}  // namespace rhopsi
