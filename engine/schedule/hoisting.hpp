// What elements of one nest compute the same, as arrays that nests of their own make (hoist.hpp).
// Internal to this folder.
#pragma once

#include <optional>
#include <vector>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// A nest over a box with `body` in the place of its own: constant names and folds alone. What has
// to be before it, and it; nothing where it stays as it is. What is told of each value that could
// have an array is added to `told`. Quadratic in the statements.
std::optional<onf::Statements> hoisted(const onf::Module& module, onf::Function& function,
                                       const onf::Nest& nest, onf::Statements body,
                                       term::LocationId location, std::vector<Step>& told);

}  // namespace rhopsi::schedule
