// Pipelines whose planes are dealt out to teams of threads (Pipeline::Teams).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What a stage does of an axis beyond the tile of a team.
Margin beyond_of(const Pipeline::Stage& stage, std::size_t axis);

// Is a barrier passed between what a thread does in stage `earlier` and what one does in `later`,
// so many moments after it? `barriers`: of each stage, behind it. In the same moment `later` comes
// behind `earlier`.
bool waits_between(const std::vector<bool>& barriers, std::size_t earlier, std::size_t later,
                   std::int64_t moments);

}  // namespace rhopsi::onf
