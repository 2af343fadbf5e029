// Arrays with shapes of their own in another order of axes in memory, for the nests that go across
// them.
//
//   nest (i, c) F[i, c] := fold (j < n) ... X[j, c] - X[i, c] ... fold (d < 3) ... X[i, d] ...
//     =>  nest (d, i) X_di[d, i] := X[i, d];
//         nest (c, i) F_ci[c, i] := fold (j < n) ... X[j, c] - X_di[c, i] ...;
//         nest (i, c) F[i, c] := F_ci[c, i]
//
// Each element has the operations that it had in their order, so results are the same, bit for bit.
#pragma once

#include <vector>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// The step `layout` in the functions that the recipe has it on, and whose arrays have shapes of
// their own: of nests over a box whose elements are folds, of which neighbours along the last axis
// are folded side by side (tile_folds.hpp),
//
//   - one whose last axis is shorter than a vector, and another one is not, has that one last: it
//     makes an array in that order, which is copied to its target. Its box is the whole target, and
//     its folds are long;
//   - what it reads along its last axis from row to row, and for 16 elements or steps (128 where
//     reals may be computed in any order), is copied before it to an array in which it lies side by
//     side: of an array the part that is read, whose axes have one index each.
//
// Lengths that are not known decide where the program runs: the nest is cut along that axis, at a
// number that is its length or 0, and a second nest computes the rest as it is written. What panels
// of tiles are made for is left to them. What onf::verify accepts of the module it accepts behind
// it. A step for each array, in their order. Quadratic in the statements of a nest.
//
// It comes behind hoist() and before folds have tiles, and so before apply(), which leaves it out.
// A number of an order is of arrays over the domain (steps.hpp): with one, it is refused.
std::vector<Step> lay_out(onf::Module& module, const Recipe& recipe = standard_recipe(),
                          const Surroundings& around = {});

}  // namespace rhopsi::schedule
