// Folds of folds outside of nests, as a fold of an array that a nest makes.
//
//   s := fold (k < n) fold (i < m) A[i, k]
//     =>  t[k] := fold (i < m) A[i, k], for k < n;  s := fold (k < n) t[k]
//
// A nest has tiles and threads: its elements are folded side by side, row by row where the fold is
// across rows, and none waits for the one before. The steps of each fold stay in their order, so
// results are the same, bit for bit.
#pragma once

#include <functional>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// Splits the folds of the function over the length of an array, into whose elements others go that
// are across rows, or, where those are along rows, for which `waits` holds: each step may have to
// wait for the one before. What onf::verify accepts of the function it accepts
// behind it. Linear but for `waits`.
void split_folds(onf::Function& function, const std::function<bool(const onf::Fold&)>& waits);

// Folds and constant names alone, which neither fail nor change anything. Linear.
bool computes(const onf::Statements& body);

// Is anything computed where it is read first, in nests too? Linear.
bool has_lazy(const onf::Statements& body);

}  // namespace rhopsi::schedule
