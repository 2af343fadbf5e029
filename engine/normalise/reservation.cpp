#include "engine/normalise/reservation.hpp"

#include <new>

#include <sys/mman.h>
#include <time.h>

namespace rhopsi::normalise {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);
constexpr std::size_t least_words = (std::size_t{1} << 20) / word;
constexpr std::size_t page_words = 4096 / word;
constexpr std::size_t small_words = (std::size_t{4} << 20) / word;
constexpr std::size_t large_page = std::size_t{2} << 20;
// What clearing a large page takes where memory is at hand is a tenth of this.
constexpr double slow_seconds = 1e-3;

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Reservation::Reservation(std::size_t words) {
  for (words_ = words < least_words ? least_words : words; words_ >= least_words; words_ /= 2) {
    void* const found = ::mmap(nullptr, words_ * word, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) continue;
    data_ = static_cast<std::uint32_t*>(found);
    return;
  }
  throw std::bad_alloc();
}

// Large terms are visited all over: fewer, larger pages. Where the system has none it is no loss.
// But where it has to fetch each of them from elsewhere first, as a virtual machine may from its
// host, clearing them takes longer than all that is done with them, and small ones are used again
// from what other programs have left. So the first one is tried.
void Reservation::expect(std::size_t words) {
  const auto page_after = [&](std::size_t place) {
    const auto address = reinterpret_cast<std::uintptr_t>(data_ + place);
    return reinterpret_cast<char*>((address + large_page - 1) / large_page * large_page);
  };
  char* const end = reinterpret_cast<char*>(data_ + words_);
  if (tried_ || words <= small_words || page_after(words) + large_page > end) return;
  tried_ = true;
  char* const sample = page_after(words);  // nothing is there yet
  if (::madvise(sample, large_page, MADV_HUGEPAGE) != 0) return;
  const double before = thread_seconds();
  *static_cast<volatile char*>(sample) = 0;
  if (thread_seconds() - before > slow_seconds) return;
  char* const first = page_after(small_words);
  ::madvise(first, static_cast<std::size_t>(end - first), MADV_HUGEPAGE);
}

Reservation::~Reservation() { ::munmap(data_, words_ * word); }

void Reservation::release(std::size_t first_word, std::size_t last_word) {
  const std::size_t first = (first_word + page_words - 1) / page_words * page_words;
  if (first >= last_word) return;
  ::madvise(data_ + first, (last_word - first) * word, MADV_DONTNEED);
}

}  // namespace rhopsi::normalise
