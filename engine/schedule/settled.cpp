#include "engine/schedule/settled.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace rhopsi::schedule {

namespace {

constexpr int most_visits = 20000;

bool chooses(const Node& node) {
  return node.kind == Node::Kind::scalar && node.shell.kind == onf::Expr::Kind::if_;
}

// Conditions of more than one choice.
std::set<NodeId> asked_again(const Graph& graph, NodeId root) {
  std::set<NodeId> seen, asked, again;
  const auto visit = [&](const auto& self, NodeId id) -> void {
    if (!seen.insert(id).second) return;
    const Node& node = graph[id];
    if (chooses(node) && !asked.insert(node.operands[0]).second) again.insert(node.operands[0]);
    for (const NodeId operand : node.operands) self(self, operand);
  };
  visit(visit, root);
  return again;
}

class Settling {
 public:
  Settling(Graph& graph, std::set<NodeId> again) : graph_(graph), again_(std::move(again)) {}

  // Nothing: it took too long.
  std::optional<NodeId> run(NodeId root) {
    known_.emplace_back();
    const NodeId made = visit(root);
    return visits_ > most_visits ? std::nullopt : std::optional(made);
  }

 private:
  NodeId visit(NodeId id) {
    if (const auto found = known_.back().find(id); found != known_.back().end())
      return found->second;
    if (++visits_ > most_visits) return id;
    Node node = graph_[id];
    NodeId made = id;
    if (const auto decided = decided_of(node)) {
      made = visit(node.operands[*decided ? 1 : 2]);
    } else if (!node.operands.empty()) {
      const bool divides = chooses(node) && again_.contains(node.operands[0]);
      const NodeId condition = node.operands[0];
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        node.operands[k] =
            divides && k > 0 ? side(condition, k == 1, node.operands[k]) : visit(node.operands[k]);
      }
      made = graph_.make(std::move(node));
    }
    known_.back().emplace(id, made);
    return made;
  }
  std::optional<bool> decided_of(const Node& node) const {
    if (!chooses(node)) return std::nullopt;
    const auto found = decided_.find(node.operands[0]);
    return found == decided_.end() ? std::nullopt : std::optional(found->second);
  }
  NodeId side(NodeId condition, bool holds, NodeId id) {
    decided_[condition] = holds;
    known_.emplace_back();
    const NodeId made = visit(id);
    known_.pop_back();
    decided_.erase(condition);
    return made;
  }

  Graph& graph_;
  const std::set<NodeId> again_;
  std::map<NodeId, bool> decided_;               // by the choices around
  std::vector<std::map<NodeId, NodeId>> known_;  // what nodes have become, on each side around
  int visits_ = 0;
};

}  // namespace

NodeId settled(Graph& graph, NodeId root) {
  std::set<NodeId> again = asked_again(graph, root);
  if (again.empty()) return root;
  return Settling(graph, std::move(again)).run(root).value_or(root);
}

}  // namespace rhopsi::schedule
