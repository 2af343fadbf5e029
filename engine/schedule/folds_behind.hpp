// Folds over all elements that stand where a round begins are computed where the round before ends,
// so that they are part of the pass that makes the arrays. Internal to this folder.
//
//   for k in 0 .. n { s = fold of u; u = f(u, s) }
//     =>  next = fold of u
//         for k in 0 .. n { s = next; u = f(u, s); next = fold of u }
//
// So is the condition of a loop that asks for one:
//
//   while c(fold of u) { u = f(u) }  =>  go = c(fold of u); while go { u = f(u); go = c(fold of u)
//   }
#pragma once

#include <cstddef>

#include "engine/schedule/row_folds.hpp"

namespace rhopsi::schedule {

// In the loops of the function, of those folds that may be taken apart (row_folds.hpp), cannot fail
// and read nothing that the round has changed before. One fold is done in vain: behind the last
// round. Values are as before. Returns how many were moved. The variables that this takes are added
// to the function. Quadratic in the number of statements of a loop's body.
std::size_t take_folds_behind(onf::Function& function, int rank, FoldsByRows which);

}  // namespace rhopsi::schedule
