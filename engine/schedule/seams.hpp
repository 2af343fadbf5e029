// What is kept of arrays that a pipeline overwrites. Internal to this folder.
#pragma once

#include <optional>
#include <vector>

#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

// The seams of the pass: how far beyond its own planes, and in tiles beyond its own rows, a slab
// reads what the pass itself overwrites. `views`: by slot, of every slot that the pass reads. None
// with teams, which do not read what they overwrite.
std::vector<onf::Pipeline::Seam> seams_of(const Graph& graph, const Pass& pass,
                                          const Storage& storage,
                                          const std::vector<std::optional<onf::ViewId>>& views);

}  // namespace rhopsi::schedule
