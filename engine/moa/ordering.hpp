// The orders of a plan's contractions are chosen. Internal to this folder.
#pragma once

#include <vector>

#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

// What it costs to compute all stages and to store all but the last, weighted.
double weight_of(const Plan& plan, const Limits& limits);

// Each contraction that may be regrouped and has at most most_ordered_operands operands is computed
// in the order that is cheapest, with intermediate products as stages where that is cheaper than to
// compute them again, and stays as it is written where that is no dearer. `known` holds wherever
// the plan is computed, its assumptions included. The plan itself where nothing is changed.
Plan ordered(const Plan& plan, const std::vector<Assumption>& known, const Limits& limits);

}  // namespace rhopsi::moa
