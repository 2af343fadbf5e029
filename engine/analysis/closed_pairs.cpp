#include "engine/analysis/closed_pairs.hpp"

#include <algorithm>
#include <unordered_set>

#include "engine/analysis/processors.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

bool unfit(const TermBank& bank, const Rules& rules) {
  return std::ranges::any_of(rules,
                             [&](const Rule& rule) { return has_fresh_variables(bank, rule); });
}

// The term and what it rewrites to within so many steps, at most `limit` terms.
std::vector<Term> reducts_within(TermBank& bank, const RuleIndex& index, Term term, int depth,
                                 std::size_t limit) {
  std::vector<Term> out{term};
  std::unordered_set<Term> seen{term};
  for (std::size_t begin = 0; depth > 0 && begin < out.size(); --depth) {
    const std::size_t end = out.size();
    for (; begin < end; ++begin) {
      if (bank.size(out[begin]) > 500) continue;
      for (const Reduct& each : reducts(bank, index, out[begin])) {
        if (out.size() < limit && seen.insert(each.term).second) out.push_back(each.term);
      }
    }
  }
  return out;
}

// first =>* u <-= second
bool closes(TermBank& bank, const RuleIndex& index, Term first, Term second) {
  const std::vector<Term> of_first = reducts_within(bank, index, first, 5, 400);
  const std::vector<Term> of_second = reducts_within(bank, index, second, 1, 400);
  const std::unordered_set<Term> reached(of_first.begin(), of_first.end());
  return std::ranges::any_of(of_second, [&](Term each) { return reached.contains(each); });
}

// first by a multi-step to a reduct of second
bool almost_closed(TermBank& bank, const RuleIndex& index, Term first, Term second) {
  const std::vector<Term> goals = reducts_within(bank, index, second, 4, 200);
  return std::ranges::any_of(goals,
                             [&](Term each) { return multi_step(bank, index, first, each); });
}

}  // namespace

bool multi_step(const TermBank& bank, const RuleIndex& index, Term from, Term to) {
  if (from == to) return true;
  if (bank.is_variable(from)) return false;
  if (!bank.is_variable(to) && bank.head(from) == bank.head(to)) {
    bool all = true;
    for (std::size_t i = 0; i < bank.arguments(from).size() && all; ++i) {
      all = multi_step(bank, index, bank.arguments(from)[i], bank.arguments(to)[i]);
    }
    if (all) return true;
  }
  for (std::size_t number : index.of(bank.head(from))) {
    const Rule& rule = index.rules()[number];
    const auto before = match(bank, rule.left, from);
    if (!before) continue;
    const auto after = match(bank, rule.right, to);
    if (!after) continue;
    const bool all = std::ranges::all_of(after->bindings(), [&](const auto& binding) {
      return multi_step(bank, index, *before->find(binding.first), binding.second);
    });
    if (all) return true;
  }
  return false;
}

std::optional<Proof> orthogonal(const TermBank& bank, const Rules& rules,
                                const std::vector<CriticalPair>& pairs) {
  if (!left_linear(bank, rules) || unfit(bank, rules)) return std::nullopt;
  if (pairs.empty()) return Proof{"orthogonal: left-linear, and left sides do not overlap"};
  if (std::ranges::any_of(pairs, [](const auto& pair) { return pair.left != pair.right; })) {
    return std::nullopt;
  }
  return Proof{"weakly orthogonal: left-linear, and all " + std::to_string(pairs.size()) +
               " critical pairs have equal sides"};
}

std::optional<Proof> development_closed(TermBank& bank, const Rules& rules,
                                        const std::vector<CriticalPair>& pairs) {
  if (!left_linear(bank, rules) || unfit(bank, rules)) return std::nullopt;
  const RuleIndex index(bank, rules);
  for (const CriticalPair& pair : pairs) {
    if (pair.overlay()) {
      if (!almost_closed(bank, index, pair.left, pair.right)) return std::nullopt;
      if (!almost_closed(bank, index, pair.right, pair.left)) return std::nullopt;
    } else if (!multi_step(bank, index, pair.left, pair.right)) {
      return std::nullopt;
    }
  }
  return Proof{"left-linear and almost development closed: all " + std::to_string(pairs.size()) +
               " critical pairs are closed by one multi-step"};
}

std::optional<Proof> strongly_closed(TermBank& bank, const Rules& rules,
                                     const std::vector<CriticalPair>& pairs) {
  if (!left_linear(bank, rules) || !right_linear(bank, rules) || unfit(bank, rules)) {
    return std::nullopt;
  }
  const RuleIndex index(bank, rules);
  for (const CriticalPair& pair : pairs) {
    if (!closes(bank, index, pair.left, pair.right)) return std::nullopt;
    if (!closes(bank, index, pair.right, pair.left)) return std::nullopt;
  }
  return Proof{"linear and strongly closed: all " + std::to_string(pairs.size()) +
               " critical pairs are joined with at most one step on either side"};
}

std::optional<Proof> ending_peaks(TermBank& bank, const Rules& rules,
                                  const std::vector<CriticalPair>& pairs,
                                  const Deadline& deadline) {
  if (!left_linear(bank, rules) || unfit(bank, rules) || pairs.size() > 100) return std::nullopt;
  const RuleIndex index(bank, rules);
  Rules steps;
  for (const CriticalPair& pair : pairs) {
    if (deadline.over()) return std::nullopt;
    const bool closed = multi_step(bank, index, pair.left, pair.right) &&
                        (!pair.overlay() || multi_step(bank, index, pair.right, pair.left));
    if (closed) continue;
    if (!joinable_within(bank, index, pair.left, pair.right, 6, 500)) return std::nullopt;
    steps.push_back({pair.peak, pair.left});
    steps.push_back({pair.peak, pair.right});
  }
  auto ending = relative_termination(bank, steps, rules, deadline);
  if (!ending) return std::nullopt;
  Proof proof{"left-linear, all " + std::to_string(pairs.size()) +
              " critical pairs are joinable, and these steps are finitely many in any rewriting"};
  for (const Rule& step : steps) proof.add(to_string(bank, readable(bank, step)));
  proof.add(std::move(*ending));
  return proof;
}

}  // namespace rhopsi::analysis
