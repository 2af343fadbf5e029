// The lines of a pipeline that are not its nests. Internal to this folder.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// "tiles of rows, 16 bytes for each element, at most 8 rows"
std::string to_string(const CacheTile& tiles);

// In what tiles, teams or runs it goes through its planes, its rings, seams, fills and folds of
// rows: a line each, in this order.
std::vector<std::string> parts_of(const Function& function, const Pipeline& pipeline);
// "rows of r = fold maximum of t"
std::string to_string(const Function& function, const RowFold& fold);
// The line above the nest of a stage: "stage 2 behind, beyond [1+1]".
std::string head_of(const Pipeline& pipeline, const Pipeline::Stage& stage);

}  // namespace rhopsi::onf
