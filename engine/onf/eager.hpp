// Conditions both sides of which can be computed, whatever the first one says.
//
//   u[i] == 3.0 or (u[i] == 1.0 and v[i + 1] == 2.0)
//
// A loop over such an element has no branches, and compilers make vectors of it.
#pragma once

#include <optional>

#include "engine/onf/expression.hpp"

namespace rhopsi::onf {

// Of an `and` or an `or` in a kernel: its left side compares reals alone, from which nothing
// follows for indices, so that what the right side reads is there in any case; and that one has a
// value whatever the elements are, has no choice in it, and does not read where elements say.
// Linear in the expression.
bool may_compute_both(const Expr& e);

// What `c ? x : false` and `c ? true : x` are: an `and`, or an `or`, of the same meaning.
std::optional<Expr> as_condition(const Expr& choice);

}  // namespace rhopsi::onf
