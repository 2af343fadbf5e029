// Values for which a claim does not hold, found by computing both sides.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"
#include "engine/verify/domain.hpp"
#include "engine/verify/verdict.hpp"

namespace rhopsi::driver {

struct Refutation {
  std::vector<std::pair<std::string, std::string>> values;  // what the claim's unknowns are
  std::string difference;  // "the left side is 3, the right side 4"
};

struct Search {
  std::size_t tries = 20'000;  // of values
  std::uint32_t seed = 1;
  std::size_t spoke = 5'000;      // values that a claim held for are enough
  std::size_t shrinking = 4'000;  // smaller values tried once some have refuted
  bool beyond = false;            // arrays of 5 and 6 axes, vectors of as many components
  bool both_sides = false;        // where the right side has no value nothing is said either
  // The claim is proved of real numbers, and asked of integers: what the rounding of reals alone
  // makes differ is no counterexample.
  bool of_integers = false;
  // Numbers that promote are of all types that they may have, and both sides have to be of one
  // type. Of reals nothing else is asked: what their rounding makes differ is no counterexample.
  bool of_types = false;
  // Not whether the claim holds, but whether the definition that it is stays within its arrays.
  const verify::Domain* domain = nullptr;
  // After this nothing more is tried; nothing here: all is.
  std::optional<std::chrono::steady_clock::time_point> end = {};
};

struct Tried {
  std::optional<Refutation> refutation;
  std::size_t spoke = 0;    // for so many values the claim said something
  std::string problem;      // why some could not be computed
  bool as_program = false;  // externals that no definition reaches were computed
  bool cut_short = false;   // by the time: others might refute it
};

// The tables of one run of the command, in which numbers promote and in which they do not.
struct Tables {
  const onf::PrimitiveTable& promoting;
  const onf::PrimitiveTable& real;
};

// The values that a solver's model has for the claim, with various elements in its arrays, and no
// others but smaller ones once they have refuted. Arrays of more than 5,000 elements are not made.
Tried refute_by(const verify::Model& model, term::Store& store, const term::Theory& theory,
                const Tables& tables, const std::vector<term::SymbolId>& parameters,
                const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
                const Search& search = {});

// Tries random values, always the same ones for a seed. `theory` says what the operations of the
// claim compute (judge.hpp); the parameters are its axiom's. Where the condition does not hold, or
// the left side has no value, a claim says nothing. Invariants have one parameter each and hold of
// every value of its sort. A counterexample is minimal: no smaller value in place of one of its own
// (samples.hpp), nor two shorter axes, refute the claim too, if the limit on shrinking allows; of
// an array of more than 200 elements these are made smaller all at once only.
Tried refute(term::Store& store, const term::Theory& theory, const Tables& tables,
             const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
             const std::vector<const term::Axiom*>& invariants, const Search& search = {});

}  // namespace rhopsi::driver
