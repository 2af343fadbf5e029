// The instructions of a program: 64-bit words. The first word of each holds its operation
// (bits 0-15), a slot of the frame or a count `a` (16-31) and a value `w` (32-63).
// Slots are counted from the frame's first argument. Words that follow hold operands:
// four slots each, or two addresses.
//
// An address is the distance in bytes from the first instruction. Where control goes next is a
// chain of such reads that nothing can be done ahead of: an address is added to, never scaled,
// and where few symbols are told apart it is read beside the symbol it belongs to, so that
// the processor guesses the comparison and does not wait for the term.
//
// Frames lie on one stack. The two words before a frame's first slot are where to go on
// and how far below the caller's frame begins; a result replaces the first of them. A slot below
// the one that an instruction writes has always been written: the collector may read every frame
// from its first slot up.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rhopsi::normalise {

enum class Op : std::uint16_t {
  halt,        // the outermost frame has its result
  evaluate,    // the next child of the term in slot 0
  fail,        // a = arity, w = symbol: no rule applies, the call is the result
  choose1,     // a = slot, w = else | symbol, address | ... : one of so many
  choose2,     //
  choose3,     //
  choose4,     //
  choose5,     //
  choose6,     //
  choose7,     //
  choose8,     //
  follow1,     // the same where the last one of them goes to the instruction behind this one
  follow2,     //
  follow3,     //
  follow4,     //
  follow5,     //
  follow6,     //
  follow7,     //
  follow8,     //
  dispatch,    // a = slot, w = table: lowest symbol, count, else, addresses
  hashed,      // a = slot, w = table: mask, else, (symbol + 1, address) ...
  load1,       // a = slot of a term, w = slot for its first child
  load2,       //
  load3,       //
  load,        // w = slot for its first child | count
  same,        // a = slot, w = slot | else, address of fail
  condition,   // w = address of fail: calls of a condition begin
  compare,     // a = slot, w = slot | relation << 16 | else, fail | slots in use
  rule,        // a = arity, w = rule | address of fail, slots in use
  constant,    // a = slot, w = term
  build1,      // a = slot, w = symbol | operands
  build2,      //
  build3,      //
  build,       // | count | operands ...
  call1,       // a = slot, w = address | operands
  call2,       //
  call3,       //
  call,        // | count | operands ...
  tail1,       // a = slots in use, w = address | operands
  tail2,       //
  tail3,       //
  tail,        // | count | operands ...
  give,        // a = slot: the frame's result
  give_fixed,  // w = term
  give1,       // a = slots in use, w = symbol | operands
  give2,       //
  give3,       //
  give_built,  // | count | operands ...
};

using Word = std::uint64_t;

constexpr Word instruction(Op op, std::uint32_t a, std::uint32_t w) {
  return static_cast<Word>(op) | static_cast<Word>(a & 0xffffU) << 16 | static_cast<Word>(w) << 32;
}
constexpr Word addresses(std::uint32_t low, std::uint32_t high) {
  return static_cast<Word>(low) | static_cast<Word>(high) << 32;
}
// The parts of a word by loads of their size, which take fewer instructions than shifts.
static_assert(std::endian::native == std::endian::little);
inline std::uint32_t half_at(const Word* word, std::size_t place) {
  std::uint16_t half;
  std::memcpy(&half, reinterpret_cast<const char*>(word) + 2 * place, sizeof half);
  return half;
}
inline std::uint32_t low_of(const Word& word) { return static_cast<std::uint32_t>(word); }
inline std::uint32_t high_of(const Word& word) {
  std::uint32_t high;
  std::memcpy(&high, reinterpret_cast<const char*>(&word) + 4, sizeof high);
  return high;
}
inline std::uint32_t a_of(const Word& word) { return half_at(&word, 1); }
inline std::uint32_t w_of(const Word& word) { return high_of(word); }
// Operand `i` of those that begin at `first`.
inline std::uint32_t operand(const Word* first, std::uint32_t i) { return half_at(first, i); }
// Slots below which everything has been written before a build or a call of `count` operands.
inline std::size_t live_slots(const Word* first, std::uint32_t count, std::uint32_t slot) {
  std::size_t live = slot;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (operand(first, i) >= live) live = operand(first, i) + std::size_t{1};
  }
  return live;
}

inline constexpr std::uint32_t most_choices = 8;

// Arguments are normalised, and so made, from left to right, and a term after its arguments: what
// a walk comes to next lies behind what it reads now. Memory so many words further on is fetched
// while a term is taken apart; where nothing of use is there, it costs next to nothing.
inline constexpr std::uint32_t words_ahead = 256;

constexpr std::uint32_t address_of(std::size_t index) {
  return static_cast<std::uint32_t>(index * sizeof(Word));
}
constexpr std::uint32_t index_of(std::uint32_t address) {
  return address / static_cast<std::uint32_t>(sizeof(Word));
}
inline const Word* word_at(const Word* code, std::uint32_t address) {
  return reinterpret_cast<const Word*>(reinterpret_cast<const char*>(code) + address);
}

// Every program begins with these.
inline constexpr std::uint32_t halt_address = address_of(0);
inline constexpr std::uint32_t evaluate_address = address_of(1);

}  // namespace rhopsi::normalise
