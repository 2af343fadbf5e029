// Arrays that begin as copies of others, and not in their blocks. Internal to this folder.
#pragma once

#include <map>
#include <vector>

#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

// An element of an array, and the indices that it is at.
struct OwnCopy {
  std::vector<onf::VariableId> indices;
  onf::Expr element;
};
// By the array that is to have elements of its own.
using OwnCopies = std::map<onf::ViewId, OwnCopy>;

// Where one of the arrays is declared as another name for the block of another one, it gets a block
// of its own, and the elements. Was there any such place? Linear in the function.
bool copy_own(OwnWork& work, const OwnCopies& copies);

}  // namespace rhopsi::schedule
