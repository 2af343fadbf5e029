// Where the element of a nest reads, by interval analysis. Internal to this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// A component of an index: a point of axis `axis` plus an offset in [low, high]; with
// axis -1 a number in [low, high]. `reach` is the farthest that a single step went before
// it wrapped; steps that wrap one after the other each stay within the array.
struct Component {
  bool known = false;
  int axis = -1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t reach_low = 0;
  std::int64_t reach_high = 0;
};

struct Access {
  ViewId view;  // of the function that holds the nest
  std::vector<Component> components;
  bool conditional = false;  // inside a branch
  term::LocationId location{};
};

// Every load of the nest from arrays over the domain, those of called device functions included.
std::vector<Access> accesses_of(const Module& module, const Function& function, const Nest& nest);

// Errors and remarks about stale halos (E0521), for the whole module.
void check_freshness(const Module& module, std::vector<Problem>& problems);

}  // namespace rhopsi::onf
