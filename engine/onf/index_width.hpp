// Indices of 32 bits where they provably suffice.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Sets the width of each nest of the function whose arrays have shapes of their own: 32 bits where
// every end of a loop, every part of a component and every place of an element is known to fit, or
// fits where a few numbers do that are known before the nest. The verifier asks the same (E0528).
// What goes line by line has 64 bits, since what each round has is known within it alone.
//
//   nest nested (i, j) in [0, n0) x [0, 3) "f: result"
//     result[i, j] := A[add(i, o), j]
//   =>
//   nest nested (i, j) in [0, n0) x [0, 3) of 32 bits where multiply(n0, 3), ..., absolute(o) fit
void choose_index_widths(const Module& module, Function& function);

// Has some nest two instances, of which numbers that are known before it tell the one that runs?
// Linear.
bool has_both_widths(const Module& module);

}  // namespace rhopsi::onf
