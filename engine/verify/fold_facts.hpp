// What is true of sums over ranges, which the solver takes for numbers of which nothing is known.
// Internal to this folder.
//
//   sum(0) = 0          sum(n) = sum(n - 1) + e(n - 1)    for n > 0
//   a * n <= sum(n) <= b * n                              where a <= e(k) <= b for all k < n
//   sum(n) = sum(m) + e(m) + rest,  a * (n - m - 1) <= rest <= b * (n - m - 1)    for 0 <= m < n
//
// So what is counted up to a place lies below what is counted beyond it.
#pragma once

#include "engine/moa/expression.hpp"

namespace rhopsi::verify {

// About the sums of integers that these speak of, those whose elements have bounds that are
// constants. Empty where there are none.
moa::Vector facts_of_folds(moa::Expressions& expressions, const moa::Vector& hypotheses,
                           moa::ExprId goal);

}  // namespace rhopsi::verify
