// A claim at given ranks: what its unknowns are in expressions. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/moa/library.hpp"
#include "engine/moa/reduce.hpp"
#include "engine/verify/verdict.hpp"

namespace rhopsi::verify {

// A parameter of the axiom, or an operation without arguments that nothing defines.
struct Unknown {
  enum class Kind : std::uint8_t { array, vector, integer, truth, number };
  term::SymbolId symbol{};
  Kind kind = Kind::integer;
  bool promotes = false;                    // numbers are of the narrowest type
  moa::Scalar type = moa::Scalar::float64;  // of such a number, or of the elements
};
// Nothing for a sort of which no values are known.
std::optional<Unknown> unknown_of(const moa::Library::Contents& library, term::SymbolId symbol);

// Of an array its rank; of a vector its length and the components that are known; of an integer
// its value where it is known.
struct Choice {
  std::size_t rank = 0;
  std::vector<std::optional<std::int64_t>> values;
};
using Choices = std::vector<Choice>;  // one per unknown

// An integer that is not known, and where it stands.
struct Open {
  std::size_t unknown = 0;
  std::size_t component = 0;
  moa::VariableId variable{};
};

struct Case {
  moa::Place place;
  std::vector<Open> open;
  std::vector<Open> numbers;  // elements alone, without an array
};
Case make_case(const moa::Library::Contents& library, const std::vector<Unknown>& unknowns,
               const Choices& choices);

// What the counterexample, and what was chosen, says of the unknowns; what neither knows is 1.
Model model_of(const std::vector<Unknown>& unknowns, const Choices& choices, const Case& made,
               const smt::Counterexample& counterexample);

// "A of rank 2, q of length 1, axis = 0"
std::string describe(const term::Store& store, const std::vector<Unknown>& unknowns,
                     const Choices& choices);

}  // namespace rhopsi::verify
