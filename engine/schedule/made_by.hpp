// The steps that have made a loop what it is, each once, in their order: told beside the emitted
// loop.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace rhopsi::schedule {

inline void add_step(std::vector<std::string>& made_by, std::string_view step) {
  if (std::ranges::find(made_by, step) == made_by.end()) made_by.emplace_back(step);
}

}  // namespace rhopsi::schedule
