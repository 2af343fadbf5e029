// Do the evaluations of array expressions agree with the oracle?
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tests/oracle/suite.hpp"
#include "tests/property/array_evaluators.hpp"

namespace rhopsi::property {

struct Evaluation {
  std::string name;
  std::function<Outcome(const oracle::Tree&, const oracle::Inputs&)> run;
  // Error codes by which the evaluation may decline an expression.
  std::function<bool(const oracle::Tree&, const std::string& error)> may_decline;
};

// Functions whose last digits no standard prescribes are compared to a few units of the last
// place, everything else to the bit.
bool agrees(const oracle::Tree& tree, const oracle::Array& expected, const oracle::Array& found);

enum class Verdict { agreed, declined, disagreed };
Verdict verdict(const Evaluation& evaluation, const oracle::Tree& tree,
                const oracle::Inputs& inputs, const oracle::Array& expected);

// Seed, expression, inputs and both values, of the case and of the smallest part that fails.
std::string report(const Evaluation& evaluation, const oracle::Case& one);

// The number of axes of some array depends on an element (or, `symbolic`, on a length): by
// `reshape(A, index(v))` with a vector v of a length that is not known, or by cells of a rank
// that is not.
bool has_unknown_rank(const oracle::Tree& tree, bool symbolic);

}  // namespace rhopsi::property
