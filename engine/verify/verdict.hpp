// What has become of a claim.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/smt/prover.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::verify {

// The theories of elements in which something holds.
class Theories {
 public:
  static Theories all();
  static Theories none() { return {}; }
  void add(smt::Theory theory) { bits_ |= bit(theory); }
  bool holds_in(smt::Theory theory) const { return (bits_ & bit(theory)) != 0; }
  bool empty() const { return bits_ == 0; }
  Theories& operator&=(Theories other);

 private:
  static unsigned bit(smt::Theory theory) { return 1U << static_cast<unsigned>(theory); }
  unsigned bits_ = 0;
};

// The weakest ones: "any", "ring", "ring, ieee", "field".
std::string to_string(Theories theories);

enum class Outcome : std::uint8_t {
  proved,
  refuted,  // in all that was asked; whether the values refute it is to be looked at
  unknown,
};

// The values for which a claim could not be proved: ranks, and numbers.
struct Situation {
  std::string text;  // "A of rank 2, q of length 1, axis = 0"
};

// What a claim's unknowns are in a counterexample of the solver. It is a guess: the solver knows
// less of folds and elements than values do. Truth values, and elements that the claim does not
// speak of, are left open.
struct Model {
  // The lengths of an array's axes, the components of a vector, one number for an integer.
  std::vector<std::pair<term::SymbolId, std::vector<std::int64_t>>> numbers;
  // An element of an array, or, with no index, a number. The last one of a place counts.
  struct Element {
    term::SymbolId symbol{};
    std::vector<std::int64_t> index;
    smt::Number value;
  };
  std::vector<Element> elements;

  bool empty() const { return numbers.empty() && elements.empty(); }
};

struct Verdict {
  Outcome outcome = Outcome::unknown;
  Theories theories = Theories::all();
  std::string reason;   // of what is not proved
  Situation situation;  // and where
  Model model;          // refuted: by these
  // Arrays had up to so many axes, and vectors as many components. Nothing where the claim is about
  // neither, so that no rank bounds it.
  std::optional<std::size_t> most_axes;
  std::size_t cases = 0;  // that had something to say
  // Unknowns that are numbers of the narrowest type, or arrays of them.
  std::vector<term::SymbolId> promoting;
  // Something of what was asked is computed in another way of integers than of reals (`/`): what is
  // proved of reals is not proved of integers.
  bool other_of_integers = false;
  // All cases were looked at, and in none of them the condition holds and the left side has a
  // value.
  bool says_nothing = false;
  std::size_t queries = 0;
  // Of these, left open because a limit on time was reached: with more time what is unknown might
  // not be.
  std::size_t out_of_time = 0;
};

}  // namespace rhopsi::verify
