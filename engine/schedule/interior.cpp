#include "engine/schedule/interior.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "engine/onf/positions.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;

// Conditions that reach further inside are no boundary conditions.
constexpr std::int64_t most_reach = 16;
constexpr int most_of_a_condition = 256;

// A condition of a graph as one of a nest's, whose indices have the last numbers.
class Condition {
 public:
  Condition(const Graph& graph, NodeId id) : graph_(graph) {
    for (int axis = 0; axis < graph.rank(); ++axis) nest_.indices.push_back(index(axis));
    made_ = expression(id);
  }

  std::vector<onf::Margin> distance(bool holds) const {
    const auto rank = static_cast<std::size_t>(graph_.rank());
    const onf::Positions positions(nest_, [](onf::VariableId) { return nullptr; });
    return made_ ? onf::distance_from_ends(positions, rank, *made_, holds)
                 : std::vector<onf::Margin>(rank);
  }

  std::optional<bool> decided(std::int64_t ends) const {
    const onf::Positions positions(nest_, [](onf::VariableId) { return nullptr; });
    if (!made_ || !positions.is_positional(*made_)) return std::nullopt;
    return onf::decided_inside(positions, *made_, ends);
  }

 private:
  static onf::VariableId index(int axis) {
    return static_cast<onf::VariableId>(std::numeric_limits<std::uint32_t>::max() -
                                        static_cast<std::uint32_t>(axis));
  }

  std::optional<Expr> expression(NodeId id) {
    const Node& node = graph_[id];
    if (node.kind == Node::Kind::load || ++size_ > most_of_a_condition) return std::nullopt;
    Expr e = node.shell;
    if (node.kind == Node::Kind::position) {
      e.kind = Expr::Kind::variable;
      e.variable = index(node.shell.axis);
      return e;
    }
    for (const NodeId operand : node.operands) {
      auto part = expression(operand);
      if (!part) return std::nullopt;
      e.operands.push_back(std::move(*part));
    }
    return e;
  }

  const Graph& graph_;
  onf::Nest nest_;
  int size_ = 0;
  std::optional<Expr> made_;
};

bool is_integer(const Expr& shell) {
  return shell.type.scalar == onf::Scalar::int32 || shell.type.scalar == onf::Scalar::int64;
}

bool is_safe(const Node& node) {
  const Expr::Kind kind = node.shell.kind;
  if (kind == Expr::Kind::if_) return true;
  if (kind != Expr::Kind::apply) {
    return kind != Expr::Kind::call && kind != Expr::Kind::external && kind != Expr::Kind::library;
  }
  switch (node.shell.function) {
    case onf::ScalarFunction::divide:
    case onf::ScalarFunction::modulo:
    case onf::ScalarFunction::convert:
    case onf::ScalarFunction::pow:
      return !is_integer(node.shell);
    default:
      return true;
  }
}

}  // namespace

std::optional<bool> decided_inside(const Graph& graph, NodeId condition) {
  return Condition(graph, condition).decided(most_reach);
}

std::vector<onf::Margin> distance_from_ends(const Graph& graph, NodeId condition, bool holds) {
  return Condition(graph, condition).distance(holds);
}

std::int64_t reach_of(const Graph& graph, NodeId id) {
  const Condition condition(graph, id);
  std::int64_t reach = 0;
  while (reach < most_reach && !condition.decided(reach)) ++reach;
  return reach;
}

std::optional<std::size_t> Interior::branch_of(NodeId id) {
  const Node& node = graph_[id];
  if (node.kind != Node::Kind::scalar || node.shell.kind != Expr::Kind::if_) return std::nullopt;
  const auto [place, fresh] = decided_.try_emplace(node.operands[0]);
  if (fresh) place->second = decided_inside(graph_, node.operands[0]);
  return place->second ? std::optional<std::size_t>(*place->second ? 1 : 2) : std::nullopt;
}

const Interior::Part& Interior::of(NodeId id) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  Part made{id};
  if (const auto branch = branch_of(id)) {
    const NodeId condition = graph_[id].operands[0];
    made = of(graph_[id].operands[*branch]);
    if (!Condition(graph_, condition).decided(0)) made.where[condition] = *branch == 1;
  } else if (!graph_[id].operands.empty()) {
    Node node = graph_[id];
    for (NodeId& operand : node.operands) {
      const Part& part = of(operand);
      operand = part.node;
      made.where.insert(part.where.begin(), part.where.end());
    }
    made.node = graph_.make(std::move(node));
  }
  return known_.emplace(id, std::move(made)).first->second;
}

bool safe_anywhere(const Graph& graph, NodeId root) {
  std::unordered_set<NodeId> seen;
  const auto safe = [&](const auto& self, NodeId id) -> bool {
    if (!seen.insert(id).second) return true;
    const Node& node = graph[id];
    return (node.kind != Node::Kind::scalar || is_safe(node)) &&
           std::ranges::all_of(node.operands, [&](NodeId part) { return self(self, part); });
  };
  return safe(safe, root);
}

}  // namespace rhopsi::schedule
