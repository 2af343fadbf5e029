// Address space that becomes memory where it is touched, so that what lies in it never moves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhopsi::normalise {

class Reservation {
 public:
  // Takes less where the system grants less; throws std::bad_alloc below a mebibyte.
  // `large_pages` says whether large pages are worth it, which those that share it find out
  // together.
  Reservation(std::size_t words, bool& large_pages);
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation();

  std::uint32_t* data() const { return data_; }
  std::size_t words() const { return words_; }
  // Has the system fill memory beyond what is in use, in steps that grow with it: fewer and
  // cheaper calls than a page fault each. Returns how many words from the first one on may
  // be used before this is asked again: `least` or more, and no more than `most` where that
  // is beyond `least`.
  std::size_t prepare(std::size_t least, std::size_t most);
  // So many words from the first one on have been written.
  void note_used(std::size_t words) { ready_ = words > ready_ ? words : ready_; }
  // Gives the memory back; the address space stays.
  void release(std::size_t first_word, std::size_t last_word);

 private:
  std::uint32_t* data_ = nullptr;
  void fill(std::size_t last);
  bool fill_large(std::size_t most);

  std::size_t words_ = 0;
  std::size_t ready_ = 0;  // words that have memory
  bool& large_pages_;
};

}  // namespace rhopsi::normalise
