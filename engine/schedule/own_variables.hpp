// Nests with variables of their own.
#pragma once

#include <map>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// Other names for these variables, wherever the nest has them but in its box. Linear.
void rename(onf::Nest& nest, const std::map<onf::VariableId, onf::VariableId>& names);

// A nest that may stand in several places declares variables of its own in each: they are added to
// the function. Linear.
onf::Nest with_own_variables(onf::Function& function, const onf::Nest& nest);

}  // namespace rhopsi::schedule
