#include "engine/lower/graph.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "engine/onf/ranges.hpp"

namespace rhopsi::lower {

using moa::Node;
using moa::VariableId;
using onf::Range;
using onf::Scalar;
using onf::ScalarFunction;

bool is_atom(const Node& node) { return node.operands.empty() && node.kind != Node::Kind::load; }

bool has_unit(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
    case ScalarFunction::multiply:
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::and_:
    case ScalarFunction::or_:
      return true;
    default:
      return false;
  }
}

Graph::Graph(const moa::NormalForm& form, std::span<const ExprId> roots,
             std::map<VariableId, Range> indices, std::set<ExprId> positive)
    : form_(form),
      expressions_(*form.expressions),
      variables_(std::move(indices)),
      positive_(std::move(positive)) {
  collect(roots);
  for (ExprId id : order_) {
    const Node& node = expressions_[id];
    if (node.kind == Node::Kind::fold) counts_[node.variable].insert(node.operands[0]);
  }
  entries_.resize(order_.size());
  // The element of a fold comes before its count, which bounds the variable in it: what a pass
  // learns of variables the next one uses. Three do for folds in folds.
  const std::map<VariableId, Range> given = variables_;
  for (int pass = 0; pass < 3; ++pass) {
    std::map<VariableId, Range> bound = given;
    for (ExprId id : order_) {
      describe(id);
      const Node& node = expressions_[id];
      if (node.kind != Node::Kind::fold) continue;
      const Range count = at(node.operands[0]).range;
      const bool open = count.high == Range::highest;
      const Range counter{0, open ? count.high : std::max<std::int64_t>(count.high - 1, 0)};
      const auto [place, first] = bound.try_emplace(node.variable, counter);
      if (!first) place->second = either(place->second, counter);
    }
    variables_ = std::move(bound);
  }
}

// Operands are older than what holds them.
void Graph::collect(std::span<const ExprId> roots) {
  std::vector<ExprId> work(roots.begin(), roots.end());
  while (!work.empty()) {
    const ExprId id = work.back();
    work.pop_back();
    if (!place_.emplace(id, 0).second) continue;
    order_.push_back(id);
    for (ExprId operand : expressions_[id].operands) work.push_back(operand);
  }
  std::ranges::sort(order_);
  for (std::size_t k = 0; k < order_.size(); ++k) place_[order_[k]] = static_cast<std::uint32_t>(k);
}

void Graph::describe(ExprId expression) {
  const Node& node = expressions_[expression];
  Entry entry;
  // A remainder that is there for the sake of a sum is worth a place before the loop.
  const bool heavy = node.kind == Node::Kind::fold || (node.kept && divides(node));
  entry.weight = is_atom(node) ? 0 : heavy ? light + 1 : 1;
  if (node.kind == Node::Kind::variable) entry.free.push_back(node.variable);
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    const Entry& operand = at(node.operands[k]);
    entry.weight = std::min(entry.weight + operand.weight, most);
    const bool binds = node.kind == Node::Kind::fold && k == 1;
    for (VariableId variable : operand.free) {
      if (!binds || variable != node.variable) entry.free.push_back(variable);
    }
  }
  std::ranges::sort(entry.free);
  const auto repeated = std::ranges::unique(entry.free);
  entry.free.erase(repeated.begin(), repeated.end());
  entry.range = range_of(node);
  if (positive_.contains(expression)) {
    entry.range.low = std::max<std::int64_t>(entry.range.low, 1);
  }
  entry.total = is_total(node);
  entries_[place_.at(expression)] = std::move(entry);
}

Range Graph::range_of(const Node& node) const {
  switch (node.kind) {
    case Node::Kind::integer:
    case Node::Kind::boolean:
      return {node.integer, node.integer};
    case Node::Kind::variable: {
      const auto found = variables_.find(node.variable);
      return found == variables_.end() ? Range{} : found->second;
    }
    case Node::Kind::extent:
      return {0, Range::highest};
    case Node::Kind::select:
      return either(at(node.operands[1]).range, at(node.operands[2]).range);
    case Node::Kind::apply:
      if (node.type == Scalar::int64) return range_of_apply(node);
      break;
    case Node::Kind::fold:
      if (node.type != Scalar::int64) break;
      return folded(node.function, at(node.operands[0]).range, at(node.operands[1]).range);
    default:
      break;
  }
  return node.type == Scalar::boolean ? Range{0, 1} : Range{};
}

Range Graph::range_of_apply(const Node& node) const {
  const Range a = at(node.operands[0]).range;
  const Range b = node.operands.size() > 1 ? at(node.operands[1]).range : Range{};
  switch (node.function) {
    case ScalarFunction::add:
      return plus(a, b);
    case ScalarFunction::subtract:
      return plus(a, scaled(b, -1));
    case ScalarFunction::negate:
      return scaled(a, -1);
    case ScalarFunction::multiply:
      return times(a, b);
    case ScalarFunction::divide:
      return b.low == b.high && b.low > 0 ? quotient(a, b.low) : Range{};
    case ScalarFunction::modulo:
      if (b.low <= 0) return Range{};
      if (a.low >= 0 && a.high < b.low) return a;
      return {0, b.high == Range::highest ? b.high : b.high - 1};
    case ScalarFunction::minimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case ScalarFunction::maximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case ScalarFunction::absolute:
      return a.low >= 0 ? a : Range{};
    case ScalarFunction::convert: {
      const Scalar from = expressions_[node.operands[0]].type;
      return from == Scalar::boolean || from == Scalar::int64 ? a : Range{};
    }
    default:
      return {};
  }
}

bool Graph::is_total(const Node& node) const {
  for (ExprId operand : node.operands) {
    if (!at(operand).total) return false;
  }
  if (node.kind == Node::Kind::load) return within(node);
  const bool integral = node.type == Scalar::int64;
  if (node.kind == Node::Kind::fold) return !divides(node) && has_unit(node.function);
  if (node.kind != Node::Kind::apply || !integral) return true;
  if (divides(node)) {
    return !at(node.operands[1]).range.holds(0);
  }
  if (node.function == ScalarFunction::convert) {
    const Scalar from = expressions_[node.operands[0]].type;
    return from == Scalar::boolean || from == Scalar::int64;
  }
  return true;
}

bool Graph::within(const Node& load) const {
  const moa::Leaf& leaf = form_.leaves[moa::number(load.leaf)];
  for (std::size_t axis = 0; axis < load.operands.size(); ++axis) {
    const Range index = at(load.operands[axis]).range;
    if (index.low < 0) return false;
    if (leaf.shape[axis] && index.high < *leaf.shape[axis]) continue;
    if (!below_length(load.operands[axis], load.leaf, axis)) return false;
  }
  return true;
}

// k % n, and the k of a fold of n steps.
bool Graph::below_length(ExprId index, moa::LeafId leaf, std::size_t axis) const {
  const Node& node = expressions_[index];
  if (node.kind == Node::Kind::variable) {
    const auto counts = counts_.find(node.variable);
    return counts != counts_.end() && std::ranges::all_of(counts->second, [&](ExprId count) {
             return is_length(count, leaf, axis);
           });
  }
  return node.kind == Node::Kind::apply && node.function == ScalarFunction::modulo &&
         is_length(node.operands[1], leaf, axis) && at(node.operands[1]).range.low > 0;
}

bool Graph::is_length(ExprId expression, moa::LeafId leaf, std::size_t axis) const {
  const moa::Vector& lengths = form_.leaves[moa::number(leaf)].lengths;
  if (!lengths.empty()) return lengths[axis] == expression;
  const Node& node = expressions_[expression];
  return node.kind == Node::Kind::extent && node.leaf == leaf && node.axis == axis;
}

const std::vector<Invariant>& Graph::invariants(ExprId fold) {
  if (const auto found = invariants_.find(fold); found != invariants_.end()) return found->second;
  const Node& node = expressions_[fold];
  auto made = invariants(node.operands[1], std::span(&node.variable, 1));
  return invariants_.emplace(fold, std::move(made)).first->second;
}

// What is certain is looked at first, so that it is found to be so.
std::vector<Invariant> Graph::invariants(ExprId element, std::span<const VariableId> bound) {
  std::vector<Invariant> found;
  std::unordered_set<ExprId> seen;
  std::vector<ExprId> certain{element}, uncertain;
  const auto next = [&](bool& is_certain) {
    std::vector<ExprId>& work = certain.empty() ? uncertain : certain;
    is_certain = !certain.empty();
    const ExprId id = work.back();
    work.pop_back();
    return id;
  };
  while (!certain.empty() || !uncertain.empty()) {
    bool is_certain = false;
    const ExprId id = next(is_certain);
    if (!seen.insert(id).second) continue;
    const Node& node = expressions_[id];
    if (is_atom(node)) continue;
    const bool depends = std::ranges::any_of(free(id), [&](VariableId variable) {
      return std::ranges::find(bound, variable) != bound.end();
    });
    if (!depends) {
      if (heavy(id)) found.push_back({id, is_certain});
      continue;  // what is light is computed where it is used
    }
    std::vector<ExprId>& here = is_certain ? certain : uncertain;
    if (node.kind == Node::Kind::fold) {
      here.push_back(node.operands[0]);
      const bool runs = range(node.operands[0]).low > 0;
      for (const Invariant& inner : invariants(id)) {
        (inner.certain && runs ? here : uncertain).push_back(inner.expression);
      }
      continue;
    }
    const bool chooses = node.kind == Node::Kind::select || is_connective(node);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      (chooses && k > 0 ? uncertain : here).push_back(node.operands[k]);
    }
  }
  return found;
}

}  // namespace rhopsi::lower
