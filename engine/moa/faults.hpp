// What is certainly wrong with a form before its arrays are looked at.
#pragma once

#include <optional>
#include <span>

#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

// Of what is computed in any case, for the first or the last indices of a box that has some:
//   E0608, ...  an assumption that does not hold
//   E0609       an index that leaves its array: "the index i + 1 is out of range on axis 0 of A,
//               which has length 3, where i = 2"
//   E0612       an integer that is divided by 0
// What is computed under a condition, or in a fold that may be over nothing, is left out. `facts`
// are conditions that hold. Nothing where none is certain. Time linear in the nodes for each corner
// of a box that is looked at; of nodes no more than 50 000 are.
std::optional<Problem> certain_fault(const Plan& plan, std::span<const ExprId> facts = {});
// The same of numbers.
std::optional<Problem> certain_fault(const Numbers& numbers, std::span<const ExprId> facts);
// Of assumptions and the shape.
std::optional<Problem> certain_fault(const NormalForm& form, std::span<const ExprId> facts);

}  // namespace rhopsi::moa
