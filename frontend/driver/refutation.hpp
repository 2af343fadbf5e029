// Values for which a claim does not hold, found by computing both sides.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"
#include "engine/verify/domain.hpp"
#include "engine/verify/verdict.hpp"
#include "frontend/driver/samples.hpp"

namespace rhopsi::driver {

struct Refutation {
  std::vector<std::pair<std::string, std::string>> values;  // what the claim's unknowns are
  std::string difference;  // "the left side is 3, the right side 4"
};

// Names and values as messages have them: "A = 1, k = 2". Empty if there are none.
std::string assignments(const std::vector<std::pair<std::string, std::string>>& values);

// {"values": {"A": "1"}, "difference": "..."}, and back; the latter throws what the library throws
// if it is something else.
nlohmann::ordered_json json_of(const Refutation& refutation);
Refutation refutation_of(const nlohmann::ordered_json& json);

struct Search {
  std::size_t tries = 20'000;  // of values
  std::uint32_t seed = 1;
  std::size_t spoke = 5'000;      // values that a claim held for are enough
  std::size_t shrinking = 4'000;  // smaller values tried once some have refuted
  SampleOptions samples = {};     // but for the numbers that the claim names, which are added
  bool both_sides = false;        // where the right side has no value nothing is said either
  // The claim is proved of real numbers, and asked of integers: what the rounding of reals alone
  // makes differ is no counterexample.
  bool of_integers = false;
  // What reals have to differ in to refute the claim: their last digits, more than these, more than
  // what rounding makes of small numbers (`apart`), or their type, and else something that the same
  // values as reals do not differ in. `poles`: nothing but reals refutes it, which are apart where
  // something has no value among the real numbers, as a quotient by 0.
  enum class Reals : std::uint8_t {
    last_digits,
    more,
    apart,
    type,
    poles
  } reals = Reals::last_digits;
  // Not whether the claim holds, but whether the definition that it is stays within its arrays.
  const verify::Domain* domain = nullptr;
  // Of refute_by: which of the numbers that promote are integers, the others being reals, and what
  // the model says of elements is taken. Nothing here: all are integers, and elements are various.
  const std::vector<term::SymbolId>* integers = nullptr;
  // Only what is computed of integers alone, none of which wraps, refutes.
  bool exact = false;
  // Asked for numbers that meet the conditions where none were found that do; once for a search.
  std::function<verify::Model()> meeting = {};
  // After this nothing more is tried; nothing here: all is.
  std::optional<std::chrono::steady_clock::time_point> end = {};
};

struct Tried {
  std::optional<Refutation> refutation;
  std::optional<Sample> sample;  // that refutes
  std::size_t spoke = 0;         // for so many values the claim said something
  std::string problem;           // why some could not be computed
  bool as_program = false;       // externals that no definition reaches were computed
  bool cut_short = false;        // by the time: others might refute it
  bool numbers = false;          // some unknowns are numbers that promote, or arrays of them
  // Of types: the first for which nothing was found that the claim speaks of, "A of bool, B of
  // float64".
  std::optional<std::string> unmet = {};
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

// Tries elements of bool, int64 and float64, each unknown that promotes with each of these beside
// the others with each: of up to seven unknowns all mixtures, of more those in which at most three
// differ from the rest. A few values of each mixture, at shapes and integers for which the claim
// speaks of integers, and the same with one array empty. What of these the claim speaks of no value
// of is Tried::unmet. `search.spoke` is not looked at.
Tried refute_by_types(term::Store& store, const term::Theory& theory, const Tables& tables,
                      const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
                      const std::vector<const term::Axiom*>& invariants, const Search& search = {});

// Whether the claim fails for these values.
bool fails_for(const Sample& sample, term::Store& store, const term::Theory& theory,
               const Tables& tables, const std::vector<term::SymbolId>& parameters,
               const term::Claim& claim, const std::vector<const term::Axiom*>& invariants);

}  // namespace rhopsi::driver
