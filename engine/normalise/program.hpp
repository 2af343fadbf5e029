// A compiled rule set.
//
// Every symbol that roots a left side has a decision tree over the symbols of its
// arguments; each leaf checks repeated variables and conditions and then runs the rule's
// right side as a build program. Both are instructions of one machine (machine.hpp),
// which works on a stack of frames: the arguments of the call, the subterms that matching
// has loaded, then what the right side has built so far. See instruction.hpp.
//
// A Program is never changed after compile(); any number of machines may run it at once.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/normalise/moves.hpp"
#include "engine/normalise/rule.hpp"

namespace rhopsi::normalise {

// Symbols of a program: dense numbers, those of one result sort together, so that a
// table over the constructors of a sort has no gaps.
using Symbol = std::uint32_t;
// A term in a machine's arena: the index of its first word.
using Handle = std::uint32_t;

// Set in the first word of a term that may hold a redex; where it is not set there is none.
inline constexpr std::uint32_t reducible = std::uint32_t{1} << 31;

struct Program {
  static constexpr std::uint32_t no_entry = 0;

  std::vector<std::uint64_t> code;
  std::vector<std::uint32_t> tables;  // of the switches
  // By symbol.
  std::vector<term::SymbolId> symbols;
  std::vector<std::uint32_t> arity;
  std::vector<std::uint32_t> entry;  // where matching begins; no_entry: no rules
  std::vector<Handle> nullary;       // the one term of a symbol without arguments
  // Terms that every machine begins with: constants, and what is ground in right sides.
  std::vector<std::uint32_t> permanent;

  std::vector<std::uint32_t> of_operation;  // by term::SymbolId: symbol + 1, or 0
  // Constructs that take any number of arguments have a symbol per number.
  std::map<std::pair<term::SymbolId, std::uint32_t>, Symbol> of_construct;

  std::vector<std::string> rule_names;
  std::uint32_t largest_frame = 0;  // slots of the stack
  std::uint32_t pattern_depth = 0;  // of the deepest left side; a constant has depth 1
  // By symbol: a rule has a repeated variable or a condition, so that whole subterms are read.
  std::vector<bool> looks_deep;
  std::vector<Moves> moves;      // by rule
  std::uint32_t most_below = 0;  // arguments of a term, or of the nodes in one of `moves`

  // What a frame that goes on at an address is put together of when a bound was hit: by index of
  // the instruction.
  struct Rest {
    std::uint32_t words = 0;
    std::uint32_t nodes = 0;
    bool right_side = false;  // rather than among conditions
  };
  std::vector<Rest> rests;
  double most_rest = 0;            // words for a word of the stack
  std::uint32_t largest_rest = 0;  // words for a frame

  bool defined(Symbol symbol) const { return entry[symbol] != no_entry; }
};

// The first rule in order that matches a redex is the one applied to it. Rules with problems
// are left out.
Program compile(const term::Store& store, std::span<const Rule> rules,
                std::vector<Problem>& problems);

}  // namespace rhopsi::normalise
