// The variables and arrays of a nest.
#pragma once

#include <set>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What statements declare.
std::set<VariableId> declared_in(const Statements& body);
// What they assign, and what they give to calls, which may assign it.
std::set<VariableId> assigned_in(const Statements& body);
std::set<VariableId> given_to_calls(const Statements& body);

// Variables that hold indices: those of the nest and of folds in it, and the integer constants in
// it that are computed from these and from what is known before the nest, and that the components
// of accesses are computed from. Only these are of the nest's IndexWidth.
std::set<VariableId> index_variables(const Nest& nest);

// The arrays that it writes, its target first.
std::vector<ViewId> targets_of(const Nest& nest);

// What the nest takes from the function around it, its target among the views.
struct Captured {
  std::set<VariableId> variables;
  std::set<ViewId> views;
};
Captured captured_by(const Nest& nest);

}  // namespace rhopsi::onf
