// The steps that have made a loop what it is, and the statements that are computed in it, each once
// in their order: told beside the emitted loop.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::schedule {

inline void add_step(std::vector<std::string>& made_by, std::string_view step) {
  if (std::ranges::find(made_by, step) == made_by.end()) made_by.emplace_back(step);
}

// The statements of one sweep or nest are computed in another one.
template <class Loop>
void add_statements(Loop& loop, term::LocationId first, const Loop& from) {
  const auto add = [&](term::LocationId location) {
    if (std::ranges::find(loop.also_from, location) == loop.also_from.end())
      loop.also_from.push_back(location);
  };
  add(first);
  for (const term::LocationId location : from.also_from) add(location);
}

}  // namespace rhopsi::schedule
