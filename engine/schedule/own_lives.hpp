// Until when arrays that have shapes of their own are needed. Internal to this folder.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

using Views = std::set<onf::ViewId>;

// For each array that nests write, behind the last of them: the arrays that are read, whole or by
// elements, before they are set again. Linear, but for loops, whose bodies are followed until
// nothing is added.
std::map<onf::ViewId, Views> needed_behind(const onf::Function& function);

// The statements that may run before a sweep, and behind its beginning, those within others too.
struct OwnSurroundings {
  std::vector<const onf::Statement*> before, behind;
};
// Of the sweep whose nests write `target`. Linear.
OwnSurroundings surroundings_of(const onf::Statements& body, onf::ViewId target);

}  // namespace rhopsi::schedule
