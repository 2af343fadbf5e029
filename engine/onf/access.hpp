// Where the element of a nest reads, by interval analysis. Internal to this folder.
#pragma once

#include <algorithm>
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
  bool own = false;  // the point is the index of the nest
  // Elements that lie before and behind that point at least, by the conditions under which it is
  // read (of a nest with an index for each axis).
  Margin inside = {};

  // How far beyond the ends of its axis it may be: what is read there counts.
  Margin beyond() const {
    if (!known || axis < 0) return {};
    return {std::max<std::int64_t>(0, -low - inside.low),
            std::max<std::int64_t>(0, high - inside.high)};
  }
};

struct Access {
  ViewId view;  // of the function that holds the nest
  std::vector<Component> components;
  bool conditional = false;  // inside a branch
  term::LocationId location{};
};

// Every load of the nest from arrays over the domain, those of called device functions included.
std::vector<Access> accesses_of(const Module& module, const Function& function, const Nest& nest);

// Is it at the index of the nest?
bool is_at_own_point(const Access& access);

// What is wrong with the stages of a pipeline: their order, what rings hold, what is overwritten.
// E0522, E0525, E0527. Axes other than 0 are looked at as those of any nest. Squared in the number
// of stages.
std::vector<Problem> check_pipeline(const Module& module, const Function& function,
                                    const Pipeline& pipeline, term::LocationId location);

// Of one with teams, and well formed otherwise: what it says of them; that what a stage reads of a
// ring has been stored, there, and not overwritten yet, and that a barrier is between; and that no
// team reads what any of them writes. E0522, E0525, E0527. Squared in the number of stages.
std::vector<Problem> check_teams(const Module& module, const Function& function,
                                 const Pipeline& pipeline, term::LocationId location);

// Is component `axis` of the access that of the nest's index plus a constant?
bool at_constant_distance(const Access& access, std::size_t axis);

// Errors and remarks about stale halos (E0521), for the whole module.
void check_freshness(const Module& module, std::vector<Problem>& problems);

}  // namespace rhopsi::onf
