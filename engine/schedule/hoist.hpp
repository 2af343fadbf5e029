// What elements of a nest compute the same, computed once, as an array that a nest of its own
// makes.
//
//   nest (i, j) y[i, j] := A[i, j] / fold (k < m) A[i, k]
//     =>  nest (i) t[i] := fold (k < m) A[i, k];  nest (i, j) y[i, j] := A[i, j] / t[i]
//
// The steps of each fold stay in their order, so results are the same, bit for bit; what took as
// many steps for each element takes them once for all that have them in common.
#pragma once

#include <string>
#include <vector>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// The step `hoist`: in the functions that the recipe has it on, and whose arrays have shapes of
// their own, gives such values arrays, in nests over boxes whose elements are folds and names of
// numbers alone:
//
//   - a fold, of 8 steps or more or of a length, that does not depend on every index of the loops
//     around it;
//   - a function such as exp that does not, of elements or of the steps of a fold, unless what is
//     around the innermost loop has it already (onf::row_values, panels of tiles);
//   - a quotient, root or such function that a fold after it needs, for which the fold would have
//   no
//     tile.
//
// An array is over the indices that its value depends on, and takes no more memory, but for a
// constant, than one that is there already, if that has elements. Nothing is hoisted that may fail,
// nor where an access could not be proved any more. What onf::verify accepts of the module it
// accepts behind it. What is the same for all elements is named before the nest as it is lowered.
// A step for each value, in their order. Quadratic in the statements of a nest.
//
// It comes before folds have tiles (tile_folds.hpp), which read its arrays, and so before apply(),
// which leaves it out.
std::vector<Step> hoist(onf::Module& module, const Recipe& recipe = standard_recipe(),
                        const Surroundings& around = {});

}  // namespace rhopsi::schedule
