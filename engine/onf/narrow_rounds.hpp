// Loops that change a part of an array in each round. Internal to this folder.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Has the loop nests, and do all of them keep the elements of another array but for those whose
// index is what the round says?
//
//   for i in 1 .. n { y[k, j] := if k == i then f(x, k, j) else x[k, j]; x = share y }
//
// A pass over the whole array for each round would be n times as much as there is to do; with boxes
// of their own such rounds write what they change. Linear.
bool has_narrow_rounds(const For& loop);

// Is all that is computed in loops of the body computed in such ones? Others would rather be loops
// over a domain. Linear in what the loops have in one another.
bool has_narrow_loops_alone(const Statements& body);

}  // namespace rhopsi::onf
