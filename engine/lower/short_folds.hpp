// Folds of few steps, written out.
//
//   fold _+_ (k < 3) (w[k] * u[i + k])   =>   w[0] * u[i] + w[1] * u[i + 1] + w[2] * u[i + 2]
#pragma once

#include "engine/moa/expression.hpp"

namespace rhopsi::lower {

// The same, operation for operation, without folds, if all that are in it are sums, products and
// extremes of reals whose numbers of steps are known and few: folds within one another have no more
// than 32 together. Otherwise it as it is. Linear in what is made.
moa::ExprId without_short_folds(moa::Expressions& expressions, moa::ExprId element);

}  // namespace rhopsi::lower
