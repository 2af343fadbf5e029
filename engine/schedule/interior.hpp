// Elements as they are between the ends of the domain, where the conditions on the place that
// boundary conditions are made of are decided. Internal to this folder.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// What a condition on the place is between the ends: for all elements that are so far away from
// both ends of every axis as boundary conditions may reach. Nothing where it differs there, or is
// about something else. Linear.
std::optional<bool> decided_inside(const Graph& graph, NodeId condition);
// How many elements at an end of an axis at most are not between the ends for such a condition.
std::int64_t reach_of(const Graph& graph, NodeId condition);

// As onf::distance_from_ends.
std::vector<onf::Margin> distance_from_ends(const Graph& graph, NodeId condition, bool holds);

// Remembers what it has found; the graph may get more nodes.
class Interior {
 public:
  explicit Interior(Graph& graph) : graph_(graph) {}

  // Conditions, and which of them have to hold and which not.
  using Conditions = std::map<NodeId, bool>;
  struct Part {
    NodeId node{};          // with the branches of choices that are taken between the ends
    Conditions where = {};  // it is that; empty: everywhere
  };
  const Part& of(NodeId node);

  // The branch that is taken between the ends, as the number of an operand, if the node is a choice
  // by the place.
  std::optional<std::size_t> branch_of(NodeId node);

 private:
  Graph& graph_;
  std::map<NodeId, Part> known_;
  std::map<NodeId, std::optional<bool>> decided_;
};

// Can it be computed for any element though only some ask for it? It reads arrays over the domain
// and applies functions of numbers, none of which has a number that it does not take.
bool safe_anywhere(const Graph& graph, NodeId node);

}  // namespace rhopsi::schedule
