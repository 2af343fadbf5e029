#include "tests/unit/normalise/naive.hpp"

namespace rhopsi::tests {

namespace {

constexpr int deepest = 400;

}  // namespace

bool NaiveRewriter::matches(const Tree& pattern, const Tree& tree, Match& match) {
  if (pattern.symbol < 0) {
    const auto [found, added] = match.emplace(pattern.symbol, tree);
    return added || found->second == tree;
  }
  if (pattern.symbol != tree.symbol) return false;
  for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
    if (!matches(pattern.arguments[i], tree.arguments[i], match)) return false;
  }
  return true;
}

Tree NaiveRewriter::instance(const Tree& pattern, const Match& match) {
  if (pattern.symbol < 0) return match.at(pattern.symbol);
  Tree result{pattern.symbol, {}};
  for (const Tree& each : pattern.arguments) result.arguments.push_back(instance(each, match));
  return result;
}

bool NaiveRewriter::holds(const NaiveCondition& condition, const Match& match) {
  const Tree left = innermost(instance(condition.left, match));
  const Tree right = innermost(instance(condition.right, match));
  return (left == right) != condition.different;
}

std::optional<Tree> NaiveRewriter::at_root(const Tree& tree) {
  if (steps_ == last_) return std::nullopt;
  for (std::size_t number = 0; number < rules_.size(); ++number) {
    const NaiveRule& rule = rules_[number];
    Match match;
    if (!matches(rule.left, tree, match)) continue;
    bool all = true;
    for (const NaiveCondition& condition : rule.conditions) {
      all = holds(condition, match);
      if (!all) break;
    }
    if (!all) continue;
    if (++steps_ > most_) throw TooLong{};
    redexes_.emplace_back(number, tree);
    return instance(rule.right, match);
  }
  return std::nullopt;
}

Tree NaiveRewriter::innermost(const Tree& tree) {
  if (++depth_ > deepest) throw TooDeep{};
  Tree result{tree.symbol, {}};
  for (const Tree& each : tree.arguments) result.arguments.push_back(innermost(each));
  if (const auto next = at_root(result)) result = innermost(*next);
  --depth_;
  return result;
}

bool NaiveRewriter::outermost_step(Tree& tree) {
  if (const auto next = at_root(tree)) {
    tree = *next;
    return true;
  }
  for (Tree& each : tree.arguments) {
    if (outermost_step(each)) return true;
  }
  return false;
}

Tree NaiveRewriter::top_down(const Tree& tree, bool& changed) {
  Tree result = tree;
  if (const auto next = at_root(tree)) {
    changed = true;
    result = *next;
  }
  for (Tree& each : result.arguments) each = top_down(each, changed);
  return result;
}

Tree NaiveRewriter::bottom_up(const Tree& tree, bool& changed) {
  Tree result = tree;
  for (Tree& each : result.arguments) each = bottom_up(each, changed);
  if (const auto next = at_root(result)) {
    changed = true;
    return *next;
  }
  return result;
}

Tree NaiveRewriter::normal_form(const Tree& tree, NaiveStrategy strategy) {
  Tree result = tree;
  if (strategy == NaiveStrategy::innermost) return innermost(tree);
  if (strategy == NaiveStrategy::outermost) {
    while (outermost_step(result)) {
    }
    return result;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    result = strategy == NaiveStrategy::top_down ? top_down(result, changed)
                                                 : bottom_up(result, changed);
    if (changed) ++passes_;
  }
  return result;
}

Tree NaiveRewriter::after(const Tree& tree, NaiveStrategy strategy, std::uint64_t steps) {
  last_ = steps;
  return normal_form(tree, strategy);
}

}  // namespace rhopsi::tests
