#include "engine/normalise/reservation.hpp"

#include <algorithm>
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
constexpr std::size_t least_step = (std::size_t{64} << 10) / word;
constexpr std::size_t largest_step = (std::size_t{256} << 10) / word;
// Clearing a large page takes a fifth of this where memory is at hand, and several times as long
// where it is not; small pages for as much take half of it.
constexpr double slow_seconds = 1.5e-3;

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Reservation::Reservation(std::size_t words, bool& large_pages) : large_pages_(large_pages) {
  for (words_ = words < least_words ? least_words : words; words_ >= least_words; words_ /= 2) {
    void* const found = ::mmap(nullptr, words_ * word, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) continue;
    data_ = static_cast<std::uint32_t*>(found);
    return;
  }
  throw std::bad_alloc();
}

std::size_t Reservation::prepare(std::size_t least, std::size_t most) {
  most = std::min(std::max(least, most), words_);
  while (ready_ < least) {
    if (fill_large(most)) continue;
    fill(std::min(most, std::max(least, ready_ + std::clamp(ready_, least_step, largest_step))));
  }
  return std::min(ready_, most);
}

// Where the system knows no such call, memory comes when it is touched.
void Reservation::fill(std::size_t last) {
  const std::size_t first = ready_ / page_words * page_words;
  ready_ = last;
#ifdef MADV_POPULATE_WRITE
  ::madvise(data_ + first, (last - first) * word, MADV_POPULATE_WRITE);
#endif
}

// Large terms are visited all over: fewer, larger pages. Where the system has none it is no loss.
// But where it has to fetch them from elsewhere first, as a virtual machine may from its
// host, clearing one takes longer than all that is done with it, and small ones are used again
// from what other programs have left. So each is timed, and the first slow one is the last.
bool Reservation::fill_large(std::size_t most) {
  if (!large_pages_ || ready_ < small_words) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(data_ + ready_);
  char* const page = reinterpret_cast<char*>((address + large_page - 1) / large_page * large_page);
  const auto last =
      static_cast<std::size_t>(reinterpret_cast<std::uint32_t*>(page) - data_) + large_page / word;
  if (last > most) return false;
  if (::madvise(page, large_page, MADV_HUGEPAGE) != 0) large_pages_ = false;
  const double before = thread_seconds();
  fill(last);
  volatile char* const first = page;
  *first = *first;  // where the call above is not known; terms may already be there
  if (thread_seconds() - before > slow_seconds) large_pages_ = false;
  return true;
}

Reservation::~Reservation() { ::munmap(data_, words_ * word); }

void Reservation::release(std::size_t first_word, std::size_t last_word) {
  const std::size_t first = (first_word + page_words - 1) / page_words * page_words;
  if (first >= last_word) return;
  ::madvise(data_ + first, (last_word - first) * word, MADV_DONTNEED);
  ready_ = std::min(ready_, first);
}

}  // namespace rhopsi::normalise
