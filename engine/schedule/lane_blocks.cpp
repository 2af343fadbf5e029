#include "engine/schedule/lane_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/in_blocks.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/nests.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Nest;
using onf::ViewId;

// By no vector but of a tile in registers.
bool reads_along_lanes(const Nest& nest) {
  return nest.tile && nest.tile->lanes > 1 && !nest.tile->packs && !nest.tile->wide;
}

struct LaneUses {
  const Nest* maker = nullptr;
  std::vector<const Nest*> readers;
};

LaneUses lane_uses_of(const onf::Function& function, ViewId view) {
  LaneUses found;
  onf::each_nest(function.body, [&](const Nest& nest, const onf::Pipeline*) {
    if (std::ranges::count(onf::targets_of(nest), view) > 0) found.maker = &nest;
    bool reads = false;
    onf::each_load(nest, [&](const onf::Expr& load) { reads = reads || load.view == view; });
    if (reads) found.readers.push_back(&nest);
  });
  return found;
}

// The lanes of the tiles that read it; 0 where it is not for them.
std::int64_t width_for(const onf::Function& function, ViewId view) {
  const LaneUses uses = lane_uses_of(function, view);
  const bool laid_out = uses.maker != nullptr && !uses.maker->tile &&
                        std::ranges::count(uses.maker->made_by, "layout") > 0;
  if (!laid_out || uses.readers.empty()) return 0;
  const onf::Tile first = uses.readers.front()->tile.value_or(onf::Tile{});
  const std::int64_t width = first.lanes;
  const bool all = std::ranges::all_of(uses.readers, [&](const Nest* nest) {
    return reads_along_lanes(*nest) && onf::reads_whole_vectors(*nest, view, width);
  });
  return all ? width : 0;
}

}  // namespace

std::map<std::string, std::string> store_in_blocks(onf::Function& function) {
  std::map<std::string, std::string> told;
  for (std::size_t k = 0; k < function.views.size(); ++k) {
    const onf::View view = function.views[k];
    const auto id = static_cast<ViewId>(k);
    const std::int64_t width = view.temporary ? width_for(function, id) : 0;
    if (width < 2) continue;
    onf::Block& block = function.blocks[onf::number(view.block)];
    block.in_blocks = width;
    if (!onf::check_blocks(function).empty()) {
      block.in_blocks = 0;
      continue;
    }
    for (const Nest* nest : lane_uses_of(function, id).readers) {
      told[nest->label] += ", " + view.name + " in blocks of " + std::to_string(width);
    }
  }
  return told;
}

}  // namespace rhopsi::schedule
