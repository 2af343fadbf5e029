// Branches that change numbers and arrays, as one of each. Internal to this folder.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// So that the one of arrays may become a choice in their elements (is_choice, row.hpp):
//
//   if s < 1 then { u = f(u, s); s = 2 * s }
//     =>  c = s < 1; if c then { u = f(u, s) }; if c then { s = 2 * s }
//
// Where no array is computed from what the branch has set in front of it, numbers from no array and
// from nothing that is declared in the branch, and no statement within another one sets numbers.
// Variables are added to the function. Linear in the size of its branches, as often as they lie in
// one another.
void split_branches(onf::Function& function);

}  // namespace rhopsi::schedule
