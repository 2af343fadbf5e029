// Elements box by box: a box is split where a condition or a modulo is affine in one index.
//
//   [0, 5): if i < 2 then B[i] else C[i - 2]   =>   [0, 2): B[i]   [2, 5): C[i - 2]
//
// Source: Mullin and Thibault (1994), for every operation alike.
#pragma once

#include <vector>

#include "engine/moa/reduction.hpp"

namespace rhopsi::moa {

// The pieces of an array of the form's shape, from the first index to the last. At most
// `limits.pieces` of them; conditions that would make more stay in the elements.
std::vector<Piece> split(Reduction& reduction, const NormalForm& form, const ArrayPointer& array,
                         const Limits& limits);

}  // namespace rhopsi::moa
