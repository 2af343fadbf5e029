// The folds of one nest as arrays that nests of their own make (separate_folds.hpp). Internal to
// this folder.
#pragma once

#include <functional>
#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// The tile that a nest is best computed by; nothing where there is none.
using TileOf = std::function<std::optional<onf::Tile>(const onf::Nest&)>;

// A nest over all elements of its target, the only one that it has, with `body` in the place of its
// own: constant names and folds alone. What has to be before it, and it; nothing where it stays as
// it is. Quadratic in the statements, but for `tile_of`.
std::optional<onf::Statements> separated(onf::Function& function, const onf::Nest& nest,
                                         onf::Statements body, term::LocationId location,
                                         const TileOf& tile_of);

}  // namespace rhopsi::schedule
