// Folds beside each other in the elements of a nest, as arrays that nests of their own make.
//
//   nest (i) y[i] := f(fold (k < n) A[i, k], fold (k < n) B[i, k])
//     =>  nest (i) t[i] := fold (k < n) A[i, k];  nest (i) y[i] := f(t[i], fold (k < n) B[i, k])
//
// A nest whose elements are one fold has a tile: its elements are folded side by side. The steps of
// each fold stay in their order, so results are the same, bit for bit.
#pragma once

#include "engine/onf/form.hpp"
#include "engine/schedule/separation.hpp"

namespace rhopsi::schedule {

// Gives folds of nests that are over the whole of their target, and whose elements are folds and
// names of numbers alone, an array each: those for whose nest `tile_of` has a tile. The last one
// stays where it is if it has the same tile there. What a later fold reads of an earlier one, it
// reads of that one's array; a quotient or root in between has the array instead, so that it is
// computed once for each element. Folds that are the same are one. What is computed where it is
// read first is computed for every element, where each element reads it and no access of the
// function is undecided. What onf::verify accepts of the function it accepts behind it. Quadratic
// in the statements of a nest, but for `tile_of`.
void separate_folds(const onf::Module& module, onf::Function& function, const TileOf& tile_of);

}  // namespace rhopsi::schedule
