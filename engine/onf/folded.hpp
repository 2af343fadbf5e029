// Expressions of which numbers are known.
#pragma once

#include "engine/onf/expression.hpp"

namespace rhopsi::onf {

// What an expression whose operands are folded comes to: integer functions of literals, comparisons
// of these, connectives and choices that a literal decides; any other as it is. Quotients and
// remainders are Euclid's, and stay where they have none. Constant.
Expr folded(Expr e);

}  // namespace rhopsi::onf
