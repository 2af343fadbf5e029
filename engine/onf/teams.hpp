// Pipelines whose planes are dealt out to teams of threads (TeamTile).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What a stage does of an axis beyond the tile of a team.
Margin beyond_of(const Pipeline::Stage& stage, std::size_t axis);

// The plane of a tile with what the stages do beyond it, the most of each axis: axes 1, 2, ...
std::vector<Margin> region_of(const Pipeline& pipeline);
// Its rows, and the elements of one.
struct RegionSize {
  std::int64_t height = 1, width = 1;
};
RegionSize size_of(const std::vector<std::int64_t>& sides, const std::vector<Margin>& around);
// So many threads have all of it.
std::int64_t threads_for(const RegionSize& region, std::int64_t rows);

// Elements in front of the rings of a team and behind them: what threads at the ends of a plane
// read beside it is nobody's, and nobody needs it, but it is in the memory of the team.
std::int64_t guard_of(const std::vector<std::int64_t>& sides, const std::vector<Margin>& around);

// Is a barrier passed between what a thread does in stage `earlier` and what one does in `later`,
// so many moments after it? `barriers`: of each stage, behind it. In the same moment `later` comes
// behind `earlier`.
bool waits_between(const std::vector<bool>& barriers, std::size_t earlier, std::size_t later,
                   std::int64_t moments);

}  // namespace rhopsi::onf
