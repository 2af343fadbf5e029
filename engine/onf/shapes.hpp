// Arrays that have a shape of their own: whether every access is within it, and whether the nests
// that make an array write each element once. Internal to the engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

// E0523 to E0528, for one function; nothing is said of arrays over the domain.
std::vector<Problem> check_shapes(const Module& module, const Function& function);

// What is demanded of 32-bit indices, for each nest of the function, in order.
std::vector<IndexWidth> demanded_widths(const Module& module, const Function& function);

// Calls `visit` with each statement that stands outside of nests, outer ones first, and with what
// is known of integers in front of it. Linear in the function, but for questions about ranges.
void each_place(const Module& module, const Function& function,
                const std::function<void(const Statement&, Ranges&)>& visit);

}  // namespace rhopsi::onf
