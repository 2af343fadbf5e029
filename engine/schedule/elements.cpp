#include "engine/schedule/elements.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace rhopsi::schedule {

namespace {

using onf::Expr;

constexpr std::size_t most_nodes = 1000000;

Expr applied(onf::ScalarFunction function, Expr left, Expr right) {
  Expr made;
  made.kind = Expr::Kind::apply;
  made.function = function;
  made.type = left.type;
  made.operands = {std::move(left), std::move(right)};
  return made;
}

Expr modulo_length(Expr sum, std::size_t axis) {
  Expr extent;
  extent.kind = Expr::Kind::extent;
  extent.type = sum.type;
  extent.axis = static_cast<int>(axis);
  return applied(onf::ScalarFunction::modulo, std::move(sum), std::move(extent));
}

// Of what no index is in; that is computed before the nest by whoever emits it.
bool invariant(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  return node.kind == Node::Kind::scalar &&
         std::ranges::all_of(node.operands, [&](NodeId part) { return invariant(graph, part); });
}

// Of indices and what is invariant alone, as conditions on the place are: written out where it is
// used, it is known to be one.
bool placed(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.kind == Node::Kind::position) return true;
  return node.kind == Node::Kind::scalar && !is_real(node) &&
         std::ranges::all_of(node.operands, [&](NodeId part) { return placed(graph, part); });
}

// Choices between reals of which loops compute both sides, as vectors have them, and take one: by
// what is read, where each side has a value and takes no long function.
class BothSides {
 public:
  explicit BothSides(const Graph& graph) : graph_(graph) {}

  bool of(NodeId id) {
    const auto [place, fresh] = known_.try_emplace(id, false);
    if (fresh) known_[id] = find(id);
    return known_.at(id);
  }
  // How many operands are computed whenever the node is, the first of them.
  std::size_t computed(NodeId id) {
    return of(id) ? graph_[id].operands.size() : certain_operands(graph_[id]);
  }

 private:
  static constexpr std::size_t most = 128;  // nodes

  bool find(NodeId id) const {
    const Node& node = graph_[id];
    if (node.kind != Node::Kind::scalar || node.shell.kind != Expr::Kind::if_ || !is_real(node))
      return false;
    std::set<NodeId> seen;
    return reads(node.operands[0], seen) && (seen.clear(), is_plain(node.operands[0], seen)) &&
           is_plain(node.operands[1], seen) && is_plain(node.operands[2], seen);
  }
  bool reads(NodeId id, std::set<NodeId>& seen) const {
    if (seen.size() > most || !seen.insert(id).second) return false;
    const Node& node = graph_[id];
    return node.kind == Node::Kind::load ||
           std::ranges::any_of(node.operands, [&](NodeId part) { return reads(part, seen); });
  }
  bool is_plain(NodeId id, std::set<NodeId>& seen) const {
    if (!seen.insert(id).second || placed(graph_, id)) return true;
    const Node& node = graph_[id];
    if (seen.size() > most || !is_of_reals(node)) return false;
    return std::ranges::all_of(node.operands, [&](NodeId part) { return is_plain(part, seen); });
  }
  // Its own function, and what it has.
  static bool is_of_reals(const Node& node) {
    if (node.kind == Node::Kind::position) return false;
    const onf::Representation& type = node.shell.type;
    const bool truth =
        type.kind == onf::Representation::Kind::scalar && type.scalar == onf::Scalar::boolean;
    if (!is_real(node) && !truth) return false;
    if (node.kind == Node::Kind::load) return true;
    switch (node.shell.kind) {
      case Expr::Kind::real:
      case Expr::Kind::boolean:
      case Expr::Kind::variable:
      case Expr::Kind::parameter:
      case Expr::Kind::if_:
        return true;
      case Expr::Kind::apply:
        return is_short(node.shell.function);
      default:
        return false;
    }
  }
  static bool is_short(onf::ScalarFunction function) {
    using onf::ScalarFunction;
    switch (function) {
      case ScalarFunction::add:
      case ScalarFunction::subtract:
      case ScalarFunction::multiply:
      case ScalarFunction::divide:
      case ScalarFunction::negate:
      case ScalarFunction::absolute:
      case ScalarFunction::minimum:
      case ScalarFunction::maximum:
      case ScalarFunction::sqrt:
      case ScalarFunction::less:
      case ScalarFunction::less_equal:
      case ScalarFunction::greater:
      case ScalarFunction::greater_equal:
      case ScalarFunction::equal:
      case ScalarFunction::not_equal:
      case ScalarFunction::and_:
      case ScalarFunction::or_:
      case ScalarFunction::not_:
        return true;
      default:
        return false;
    }
  }

  const Graph& graph_;
  std::map<NodeId, bool> known_;
};

// What is computed whenever the node is, itself too; nothing where that is much.
std::set<NodeId> certain_in(const Graph& graph, NodeId id) {
  constexpr std::size_t most = 256;
  std::set<NodeId> certain;
  const auto visit = [&](const auto& self, NodeId each) -> void {
    if (certain.size() > most || !certain.insert(each).second) return;
    const Node& node = graph[each];
    for (std::size_t k = 0; k < certain_operands(node); ++k) self(self, node.operands[k]);
  };
  visit(visit, id);
  return certain.size() > most ? std::set<NodeId>{} : certain;
}

// What a choice computes whichever side it takes; of these none that another one is computed from.
std::vector<NodeId> common_to_sides(const Graph& graph, const Node& node) {
  std::vector<NodeId> common;
  if (node.kind != Node::Kind::scalar || node.shell.kind != Expr::Kind::if_) return common;
  const std::set<NodeId> one = certain_in(graph, node.operands[1]);
  if (one.empty()) return common;
  const std::set<NodeId> other = certain_in(graph, node.operands[2]);
  std::set<NodeId> seen;
  const auto visit = [&](const auto& self, NodeId each) -> void {
    if (!seen.insert(each).second) return;
    if (other.contains(each)) return common.push_back(each);
    const Node& inside = graph[each];
    for (std::size_t k = 0; k < certain_operands(inside); ++k) self(self, inside.operands[k]);
  };
  visit(visit, node.operands[1]);
  return common;
}

}  // namespace

void Elements::begin(std::size_t first_padded) {
  first_padded_ = first_padded;
  named_.clear();
  budget_ = most_nodes;
  wraps_ = false;
}

// i, i + 1, i - 1, or (i + 9) mod n
Expr Elements::component(std::size_t axis, std::int64_t offset, std::int64_t read) {
  Expr at = names_.indices[axis];
  if (offset == 0) return at;
  const bool wraps = (offset < -read || offset > read) && axis >= first_padded_;
  const bool less = !wraps && offset < 0;
  Expr by;
  by.kind = Expr::Kind::integer;
  by.type = at.type;
  by.integer = less ? -offset : offset;
  Expr sum = applied(less ? onf::ScalarFunction::subtract : onf::ScalarFunction::add, std::move(at),
                     std::move(by));
  if (!wraps) return sum;
  wraps_ = true;
  return modulo_length(std::move(sum), axis);
}

Expr Elements::load(const Node& node) {
  Expr e = node.shell;
  e.kind = Expr::Kind::load;
  e.view = names_.source(node.value);
  const bool ringed = names_.ringed(node.value);
  for (std::size_t axis = 0; axis < node.offset.size(); ++axis) {
    const std::int64_t read = pads_.of(ringed && axis + 1 == node.offset.size());
    e.operands.push_back(component(axis, node.offset[axis], read));
  }
  return e;
}

Expr Elements::of(NodeId id) {
  const Node& node = graph_[id];
  if (const auto named = named_.find(id); named != named_.end()) return named->second;
  if (node.kind == Node::Kind::position) {
    const auto axis = static_cast<std::size_t>(node.shell.axis);
    const Expr& at = names_.indices[axis];
    return axis < first_padded_ ? modulo_length(at, axis) : at;
  }
  if (budget_ == 0 || too_large_) {
    too_large_ = true;
    return node.shell;
  }
  --budget_;
  if (node.kind == Node::Kind::load) return load(node);
  Expr e = node.shell;
  if (e.kind == Expr::Kind::variable) e.variable = names_.scalars.at(e.variable);
  for (const NodeId operand : node.operands) e.operands.push_back(of(operand));
  return e;
}

std::vector<SharedNode> shared_in(const Graph& graph, const std::vector<NodeId>& computed) {
  BothSides both(graph);
  std::map<NodeId, int> uses;
  std::vector<NodeId> order;
  std::set<NodeId> sides;
  const auto visit = [&](const auto& self, NodeId id) -> void {
    if (++uses[id] > 1) return;
    const Node& node = graph[id];
    for (std::size_t k = 0; k < both.computed(id); ++k) self(self, node.operands[k]);
    if (both.of(id))
      sides.insert({node.operands[1], node.operands[2]});
    else
      for (const NodeId common : common_to_sides(graph, node)) self(self, common);
    order.push_back(id);
  };
  for (const NodeId id : computed) visit(visit, id);
  // What is computed in any case may be asked for once more where that is not certain.
  std::set<NodeId> seen;
  const auto visit_branches = [&](const auto& self, NodeId id) -> void {
    if (!seen.insert(id).second) return;
    const Node& node = graph[id];
    const std::size_t certain = uses.contains(id) ? both.computed(id) : 0;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const auto found = uses.find(node.operands[k]);
      if (k >= certain && found != uses.end()) ++found->second;
      self(self, node.operands[k]);
    }
  };
  for (const NodeId id : computed) visit_branches(visit_branches, id);
  std::vector<SharedNode> shared;
  for (const NodeId id : order) {
    const bool named = uses[id] > 1 || sides.contains(id);
    if (!named || graph[id].operands.empty() || invariant(graph, id) || placed(graph, id)) continue;
    shared.push_back({id, uses[id]});
  }
  return shared;
}

}  // namespace rhopsi::schedule
