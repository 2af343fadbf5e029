// What is certainly wrong with a plan before its arrays are looked at.
#pragma once

#include <optional>
#include <string>

#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

// An access that leaves its array whatever the elements are, and in every element of a box that has
// some: "the index 9 is out of range on axis 0 of A, which has length 3". What is computed under a
// condition, or in a fold that may be over nothing, is left out. Nothing where none is certain;
// time linear in the nodes, of which no more than 50 000 are looked at.
std::optional<std::string> access_outside(const Plan& plan);

}  // namespace rhopsi::moa
