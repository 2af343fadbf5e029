#include "engine/normalise/reservation.hpp"

#include <new>

#include <sys/mman.h>

namespace rhopsi::normalise {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);
constexpr std::size_t least_words = (std::size_t{1} << 20) / word;
constexpr std::size_t page_words = 4096 / word;
constexpr std::size_t small_words = (std::size_t{4} << 20) / word;

}  // namespace

Reservation::Reservation(std::size_t words) {
  for (words_ = words < least_words ? least_words : words; words_ >= least_words; words_ /= 2) {
    void* const found = ::mmap(nullptr, words_ * word, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) continue;
    data_ = static_cast<std::uint32_t*>(found);
    // Large terms are visited all over: fewer, larger pages. Where there are none it is no loss.
    if (words_ > small_words) {
      ::madvise(data_ + small_words, (words_ - small_words) * word, MADV_HUGEPAGE);
    }
    return;
  }
  throw std::bad_alloc();
}

Reservation::~Reservation() { ::munmap(data_, words_ * word); }

void Reservation::release(std::size_t first_word, std::size_t last_word) {
  const std::size_t first = (first_word + page_words - 1) / page_words * page_words;
  if (first >= last_word) return;
  ::madvise(data_ + first, (last_word - first) * word, MADV_DONTNEED);
}

}  // namespace rhopsi::normalise
