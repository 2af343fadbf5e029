// The axes of arrays over the domain in another order: how they lie in memory.
//
// A form speaks of one order of axes: extents, indices, loops, pads and halos have it, and rows are
// along the last. Module::axes says which axes of the program's arrays these are. So whatever is
// derived from a form - passes of planes, tiles, pads - needs to know nothing of it; who gives
// arrays to the program, and takes them, does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What needs the axes to be as they are: "changes an array by a function of the library".
struct AxesObstacle {
  FunctionId function{};
  std::string what;
  term::LocationId location{};
};

// Nothing, if each function of the module can have its axes in any order: it names them by numbers
// in the text alone, and no code of a user's sees an array or an index. Arrays that have shapes of
// their own have no order in common. Linear in the size of the module.
std::optional<AxesObstacle> obstacle_to_axes(const Module& module);

// Is each of the axes 0, ..., rank - 1 there once?
bool is_order_of_axes(const std::vector<int>& order, int rank);

// Takes the axes in that order: axis k becomes what was axis order[k]. Elements, and the order of
// the steps of folds, stay what they are. The module has no obstacle and no pipeline, `order` is
// one of its axes. Linear.
void permute_axes(Module& module, const std::vector<int>& order);

// Of numbers that belong to the program's axes, those of the form's.
template <class T>
std::vector<T> in_order(const std::vector<T>& of_axes, const std::vector<int>& order) {
  std::vector<T> made;
  for (const int axis : order) made.push_back(of_axes[static_cast<std::size_t>(axis)]);
  return order.empty() ? of_axes : made;
}

// The axis of the program's arrays that one of the form is.
inline std::size_t given_axis(const std::vector<int>& order, std::size_t axis) {
  return order.empty() ? axis : static_cast<std::size_t>(order[axis]);
}

}  // namespace rhopsi::onf
