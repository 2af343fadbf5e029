// Arrays whose elements lie in blocks along their last axis (Block::in_blocks). Internal to the
// engine.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Does each vector that the nest, which has a tile, reads of the array lie within one block of so
// many elements? It does at the index of the last axis, if that begins at 0 and blocks are a
// multiple of the lanes. Linear.
bool reads_whole_vectors(const Nest& nest, ViewId array, std::int64_t in_blocks);

// E0525, for each array of the function that lies in blocks: they are a power of two, from 2 to
// 4096, and it has two axes or more; it is no argument or result; it is named by its allocation,
// which is in no other array's place, by nests over boxes that make it, without tiles, or read it,
// none of them joined to others, and for its lengths; and tiles read whole vectors of it. Linear
// in the function for each.
std::vector<Problem> check_blocks(const Function& function);

}  // namespace rhopsi::onf
