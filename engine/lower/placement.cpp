#include "engine/lower/placement.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace rhopsi::lower {

using moa::Node;

namespace {

constexpr std::uint32_t deepest = 24;  // operations within one expression

bool chooses(const Node& node) { return node.kind == Node::Kind::select || is_connective(node); }

}  // namespace

Placement::Placement(const moa::NormalForm& form, Graph& graph, ExprId root,
                     const std::function<bool(ExprId)>& known, bool loads_apart)
    : expressions_(*form.expressions), graph_(graph), loads_apart_(loads_apart) {
  make(whole, Kind::whole);
  collect(root, known);
  if (order_.empty()) return;
  use(root, whole);
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) place(*it);
  for (ExprId expression : order_) limit_depth(expression);
  for (ExprId expression : order_) {
    const Entry& entry = entries_.at(expression);
    if (entry.named) at(entry.home).values.push_back(expression);
  }
}

RegionId Placement::make(RegionId parent, Kind kind) {
  const std::uint32_t depth = regions_.empty() ? 0 : at(parent).depth + 1;
  regions_.push_back({parent, depth, kind, {}, {}});
  return static_cast<RegionId>(regions_.size() - 1);
}

RegionId Placement::common(RegionId a, RegionId b) const {
  while (a != b) {
    if (at(a).depth < at(b).depth) std::swap(a, b);
    a = at(a).parent;
  }
  return a;
}

// Operands, without a fold's element; of that what the loop need not compute in each round.
std::vector<ExprId> Placement::parts(ExprId expression) const {
  const Node& node = expressions_[expression];
  if (node.kind != Node::Kind::fold) return node.operands;
  std::vector<ExprId> found{node.operands[0]};
  for (const Invariant& invariant : graph_.invariants(expression)) {
    found.push_back(invariant.expression);
  }
  return found;
}

void Placement::collect(ExprId root, const std::function<bool(ExprId)>& known) {
  std::vector<ExprId> work{root};
  while (!work.empty()) {
    const ExprId id = work.back();
    work.pop_back();
    if (is_atom(expressions_[id]) || known(id) || !entries_.try_emplace(id).second) continue;
    order_.push_back(id);
    for (ExprId part : parts(id)) work.push_back(part);
  }
  std::ranges::sort(order_);
}

void Placement::use(ExprId expression, RegionId region) {
  const auto found = entries_.find(expression);
  if (found == entries_.end()) return;
  ++found->second.count;
  auto& uses = found->second.uses;
  if (uses.empty() || uses.back() != region) uses.push_back(region);
}

void Placement::use_in_loop(const Invariant& invariant, ExprId fold, RegionId region) {
  const auto found = entries_.find(invariant.expression);
  if (found == entries_.end()) return;
  found->second.named = true;
  const ExprId count = expressions_[fold].operands[0];
  const bool runs = graph_.range(count).low > 0 || graph_.total(invariant.expression);
  if (invariant.certain && runs) return use(invariant.expression, region);
  ++found->second.count;
  found->second.loops.push_back(region);
}

// Is it computed whenever its home is entered? Both branches of a choice make it certain where
// the choice is.
bool Placement::certain(const Entry& entry) const {
  std::set<std::pair<std::uint32_t, RegionId>> open;
  std::set<RegionId> seen;
  for (RegionId region : entry.uses) open.emplace(at(region).depth, region);
  while (!open.empty()) {
    const RegionId region = open.rbegin()->second;
    open.erase(std::prev(open.end()));
    if (region == entry.home) return true;
    seen.insert(region);
    const Region& here = at(region);
    if (here.kind == Kind::branch && seen.contains(here.sibling)) {
      open.emplace(here.depth - 1, here.parent);
    }
  }
  return false;
}

void Placement::place(ExprId expression) {
  const Node& node = expressions_[expression];
  Entry& entry = entries_.at(expression);
  std::optional<RegionId> home;
  for (const auto* regions : {&entry.uses, &entry.loops}) {
    for (RegionId region : *regions) home = home ? common(*home, region) : region;
  }
  entry.home = *home;
  entry.named = entry.named || entry.count > 1 || node.kind == Node::Kind::fold;
  const bool eager = certain(entry) || (graph_.total(expression) && !graph_.heavy(expression));
  if (!eager && loads_apart_ && node.kind == Node::Kind::load) {
    entry.named = false;
  } else if (!eager) {
    entry.named = true;
    entry.lazy = make(entry.home, Kind::lazy);
  }
  const RegionId here = entry.lazy.value_or(entry.home);
  if (node.kind == Node::Kind::fold) {
    use(node.operands[0], here);
    for (const Invariant& invariant : graph_.invariants(expression)) {
      use_in_loop(invariant, expression, here);
    }
    return;
  }
  if (!chooses(node)) {
    for (ExprId operand : node.operands) use(operand, here);
    return;
  }
  const RegionId first = make(here, Kind::branch), second = make(here, Kind::branch);
  at(first).sibling = second;
  at(second).sibling = first;
  entry.branches = {first, second};
  use(node.operands[0], here);
  for (std::size_t k = 1; k < node.operands.size(); ++k) {
    use(node.operands[k], entry.branches[k - 1]);
  }
}

void Placement::limit_depth(ExprId expression) {
  Entry& entry = entries_.at(expression);
  if (!entry.named) {
    std::uint32_t below = 0;
    for (ExprId operand : expressions_[expression].operands) {
      const auto found = entries_.find(operand);
      if (found != entries_.end()) below = std::max(below, found->second.depth);
    }
    entry.depth = below + 1;
    entry.named = entry.depth > deepest;
  }
  if (entry.named) entry.depth = 0;
}

}  // namespace rhopsi::lower
