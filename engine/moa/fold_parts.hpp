// Folds part by part: where the element of a fold has a condition or a modulo that is affine in
// the fold's index, it becomes a choice between elements without, at a place of that index.
//
//   fold _+_ (k < 6) A[(k + 1) % 6]   =>   fold _+_ (k < 6) (if k < 5 then A[k + 1] else A[k - 5])
//
// It stays one fold, from the first index to the last, so that nothing is added in another order;
// what is emitted for it is one loop for each part. Source: as for boxes (pieces.hpp).
#pragma once

#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

// In all stages. `known`: conditions that hold, besides the assumptions of the plan.
void split_folds(Plan& plan, const std::vector<ExprId>& known);

}  // namespace rhopsi::moa
