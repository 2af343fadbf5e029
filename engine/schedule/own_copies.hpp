// Arrays that begin as copies of others, and not in their blocks. Internal to this folder.
#pragma once

#include <map>

#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

// By the array: a nest that copies a part of it, whose indices and element a copy has.
using OwnCopies = std::map<onf::ViewId, onf::Nest>;

// Where one of the arrays is declared as another name for the block of another one, it gets a block
// of its own, and the elements. Was there any such place? Linear in the function.
bool copy_own(OwnWork& work, const OwnCopies& copies);

}  // namespace rhopsi::schedule
