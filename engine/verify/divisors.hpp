// Operations on numbers that mean one thing of integers and another of reals. Internal to this
// folder.
#pragma once

#include "engine/moa/expression.hpp"

namespace rhopsi::verify {

// Is the node such an operation on reals? What is proved of reals without these is true of integers
// too: they lie among the reals, with the same sums, products, negatives, order, and what is made
// by cases of these; and functions of reals alone take them as reals. But a quotient of integers is
// Euclidean, and what makes an integer of a real has nothing to do for them.
bool is_other_of_integers(const moa::Expressions& expressions, moa::ExprId node);

// The condition under which no integer is divided by 0 within the expression, as far as it is
// evaluated: of a `select` one side, of `&&` the right side where the left one holds. Linear in the
// nodes within it.
moa::ExprId divided_well(moa::Expressions& expressions, moa::ExprId value);

}  // namespace rhopsi::verify
