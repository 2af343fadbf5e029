// The instructions of one symbol's rules, read back from a program: what emission works on.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/normalise/instruction.hpp"
#include "engine/normalise/program.hpp"

namespace rhopsi::normalise {

// One instruction. Those for a fixed number of operands are read as the general ones, choices as
// choose1. Addresses are indices of words here, those in `w` of calls too.
struct Line {
  std::uint32_t address = 0;
  std::uint32_t after = 0;  // address of the next one
  Op op = Op::halt;
  std::uint32_t a = 0;
  std::uint32_t w = 0;
  std::uint32_t count = 0;                // of what is loaded, or of the choices
  std::vector<std::uint32_t> operands{};  // slots that are read in the order of the arguments
};

// Where a switch goes for a symbol.
struct Case {
  Symbol symbol;
  std::uint32_t target;
};

Line line_at(const Program& program, std::uint32_t address);
// Of choices, dispatch and hashed; the address for all other symbols comes back in `otherwise`.
std::vector<Case> cases_of(const Program& program, const Line& line, std::uint32_t& otherwise);

// The rules of one symbol, with what is known about every place in them. Jumps go forward,
// those to `fail` apart, so one walk from the end suffices: linear in the instructions times
// the slots that are in use.
class Listing {
 public:
  Listing(const Program& program, Symbol symbol, std::uint32_t end);

  Symbol symbol() const { return symbol_; }
  std::uint32_t entry() const { return first_ + 1; }
  std::uint32_t fail() const { return first_; }
  const std::vector<Line>& lines() const { return lines_; }
  const Line& at(std::uint32_t address) const { return lines_[place(address)]; }

  // Slots that are read from here on before they are written, in order.
  const std::vector<std::uint32_t>& live(std::uint32_t address) const {
    return live_[place(address)];
  }
  // The most words of the arena that are taken from here on, up to a call or the end.
  std::uint32_t words(std::uint32_t address) const { return words_[place(address)]; }
  // Several places jump here, and only arguments are in use.
  bool is_join(std::uint32_t address) const { return join_[place(address)]; }
  // Where control may go, up to a call or the end.
  std::vector<std::uint32_t> targets(const Line& line) const;

 private:
  std::size_t place(std::uint32_t address) const { return index_[address - first_]; }
  void analyse(std::size_t line);

  const Program& program_;
  Symbol symbol_;
  std::uint32_t first_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> index_;  // by address
  std::vector<std::vector<std::uint32_t>> live_;
  std::vector<std::uint32_t> words_;
  std::vector<bool> join_;
};

// The addresses behind the last instruction of each symbol that has rules; 0 for others.
std::vector<std::uint32_t> ends_of_rules(const Program& program);

}  // namespace rhopsi::normalise
