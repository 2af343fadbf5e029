// What variables of a function that is followed stand for, and which element an index names.
// Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// An index component: that of `axis` plus `offset`, or a number where axis is -1.
struct Component {
  int axis = -1;
  std::int64_t offset = 0;
};
using Index = std::vector<std::optional<Component>>;

// What a variable stands for.
struct Meaning {
  std::optional<NodeId> node;
  std::optional<Component> component;
  Index index;  // of a whole index
};
using Meanings = std::map<onf::VariableId, Meaning>;

// The component that the expression is, around the ends of its axis; nothing where that is not
// known. Of what could overflow nothing is said. Linear.
std::optional<Component> component_of(const Meanings& variables, const onf::Expr& e);

// The components of a whole index; none where it is not known. Linear.
Index index_of(const Meanings& variables, const onf::Expr& e);

}  // namespace rhopsi::schedule
