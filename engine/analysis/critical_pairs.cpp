#include "engine/analysis/critical_pairs.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

void overlaps(TermBank& bank, const Rules& rules, std::size_t inner, std::size_t outer,
              std::vector<CriticalPair>& out) {
  const Rule below = rename(bank, rules[inner]);
  const Rule above = rules[outer];
  if (bank.is_variable(below.left) || bank.is_variable(above.left)) return;
  for (const Position& position : function_positions(bank, above.left)) {
    if (position.empty()) {
      if (inner > outer) continue;
      if (inner == outer && !has_fresh_variables(bank, above)) continue;
    }
    const auto sigma = unify(bank, subterm(bank, above.left, position), below.left);
    if (!sigma) continue;
    const Term peak = apply(bank, above.left, *sigma);
    out.push_back({peak, replace(bank, peak, position, apply(bank, below.right, *sigma)),
                   apply(bank, above.right, *sigma), position, inner, outer});
  }
}

}  // namespace

std::vector<CriticalPair> critical_pairs(TermBank& bank, const Rules& rules) {
  return *critical_pairs(bank, rules, Deadline(Deadline::Clock::time_point::max()));
}

std::optional<std::vector<CriticalPair>> critical_pairs(TermBank& bank, const Rules& rules,
                                                        const Deadline& deadline) {
  std::vector<CriticalPair> out;
  const RuleIndex index(bank, rules);
  for (std::size_t outer = 0; outer < rules.size(); ++outer) {
    std::set<std::size_t> inner;  // those with a root that occurs
    if (!bank.is_variable(rules[outer].left)) {
      std::set<int> roots;
      for (Term each : subterms(bank, rules[outer].left)) {
        if (!bank.is_variable(each)) roots.insert(bank.head(each));
      }
      for (int each : roots) inner.insert(index.of(each).begin(), index.of(each).end());
    }
    for (std::size_t each : inner) {
      if (deadline.over()) return std::nullopt;
      overlaps(bank, rules, each, outer, out);
    }
    if (deadline.over()) return std::nullopt;
  }
  return out;
}

bool left_linear(const TermBank& bank, const Rules& rules) {
  return std::ranges::all_of(rules, [&](const Rule& rule) { return linear(bank, rule.left); });
}

bool right_linear(const TermBank& bank, const Rules& rules) {
  return std::ranges::all_of(rules, [&](const Rule& rule) { return linear(bank, rule.right); });
}

bool has_fresh_variables(const TermBank& bank, const Rule& rule) {
  if (bank.is_variable(rule.left)) return true;
  return std::ranges::any_of(variables(bank, rule.right),
                             [&](int each) { return !occurs(bank, each, rule.left); });
}

bool joinable_within(TermBank& bank, const RuleIndex& index, Term left, Term right, int depth,
                     std::size_t limit) {
  std::unordered_set<Term> seen[2] = {{left}, {right}};
  std::vector<Term> frontier[2] = {{left}, {right}};
  if (left == right) return true;
  for (int round = 0; round < depth; ++round) {
    for (int side : {0, 1}) {
      std::vector<Term> next;
      for (Term term : frontier[side]) {
        if (bank.size(term) > 500) continue;
        for (const Reduct& each : reducts(bank, index, term)) {
          if (!seen[side].insert(each.term).second) continue;
          if (seen[1 - side].contains(each.term)) return true;
          next.push_back(each.term);
          if (seen[side].size() > limit) return false;
        }
      }
      frontier[side] = std::move(next);
    }
  }
  return false;
}

bool locally_confluent_overlay(TermBank& bank, const Rules& rules, const Deadline& deadline) {
  for (const Rule& rule : rules) {
    if (has_fresh_variables(bank, rule)) return false;
  }
  const RuleIndex index(bank, rules);
  const auto pairs = critical_pairs(bank, rules, deadline);
  if (!pairs) return false;
  for (const CriticalPair& pair : *pairs) {
    if (!pair.overlay() || deadline.over()) return false;
    if (!joinable_within(bank, index, pair.left, pair.right, 5, 300)) return false;
  }
  return true;
}

}  // namespace rhopsi::analysis
