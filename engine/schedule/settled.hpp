// Choices whose condition is known where they stand. Internal to this folder.
#pragma once

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// The node without choices by a condition that a choice around them has decided:
//
//   if c then f(if c then a else b) else d  =>  if c then f(a) else d
//
// So are sides of a branch that have been put together from several statements. Nodes may be added.
// Linear where no condition is asked twice; where it is, choices around one another may be gone
// through once for each side, and of much it is left undone.
NodeId settled(Graph& graph, NodeId root);

}  // namespace rhopsi::schedule
