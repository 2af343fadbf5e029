// Address space that becomes memory where it is touched, so that what lies in it never moves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhopsi::normalise {

class Reservation {
 public:
  // Takes less where the system grants less; throws std::bad_alloc below a mebibyte.
  explicit Reservation(std::size_t words);
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation();

  std::uint32_t* data() const { return data_; }
  std::size_t words() const { return words_; }
  // So many words from the first one on will be used next; behind them nothing has been written
  // yet.
  void expect(std::size_t words);
  // Gives the memory back; the address space stays.
  void release(std::size_t first_word, std::size_t last_word);

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t words_ = 0;
  bool tried_ = false;
};

}  // namespace rhopsi::normalise
