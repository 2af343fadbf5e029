// Arrays that have a shape of their own: whether every access is within it, and whether the nests
// that make an array write each element once. Internal to this folder.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// E0523 to E0528, for one function; nothing is said of arrays over the domain.
std::vector<Problem> check_shapes(const Module& module, const Function& function);

// What is demanded of 32-bit indices, for each nest of the function, in order.
std::vector<IndexWidth> demanded_widths(const Module& module, const Function& function);

}  // namespace rhopsi::onf
