// Tiles for nests whose elements are folds (onf::Tile): how many rows and lanes side by side, what
// is packed, and for how much of the fold.
//
// Everything is derived from the nest and the machine: vectors as long as its registers, as many
// accumulators as there are registers but for what operands need; panels for which the caches have
// room. Elements are computed from the same operations in the same order, so results are the same,
// but for those of regroupings (regroup_folds.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/schedule/machine.hpp"

namespace rhopsi::schedule {

// What became of one nest, or of one fold outside of nests.
struct Tiled {
  std::string function;
  std::string site;    // the label of the nest, or the name of the fold
  std::string reason;  // what the tile is for, or why there is none
  bool taken = false;
  std::string regrouping = {};  // what its regrouping is for, or why there is none
  bool regrouped = false;
};

// Gives each nest over a box whose element is a fold the tile that it is best computed by, where
// there is one, and long folds a regrouping: onf::verify accepts what it makes of a form that it
// accepts. Hosts alone have lanes: not for CUDA, nor for programs that check each access as it is.
// Linear.
std::vector<Tiled> tile_folds(onf::Module& module, const Machine& machine);

// The tile of a nest over a box on a usual machine, which says how large a tile is and not of what
// kind; nothing where it has none, or where folds go on from one another.
std::optional<onf::Tile> usual_tile(const onf::Module& module, const onf::Function& function,
                                    const onf::Nest& nest);

// Splits and separates folds (split_folds.hpp, separate_folds.hpp), so that nests have one each
// where that gives them tiles. tile_folds() does it too, if nobody has before.
void part_folds(onf::Module& module, const Machine& machine);

// A line for each tile and regrouping, and for each one that there is none of.
std::string describe(const std::vector<Tiled>& tiles);

}  // namespace rhopsi::schedule
