#include "engine/analysis/order.hpp"

#include <algorithm>

namespace rhopsi::analysis {

namespace {

void add_symbols(const TermBank& bank, Term term, std::vector<bool>& seen, std::vector<int>& out) {
  if (bank.is_variable(term)) return;
  const auto place = static_cast<std::size_t>(bank.head(term));
  if (!seen[place]) {
    seen[place] = true;
    out.push_back(bank.head(term));
  }
  for (Term each : bank.arguments(term)) add_symbols(bank, each, seen, out);
}

void mark_usable(const TermBank& bank, const Rules& rules, const ReductionPair& pair, Term term,
                 std::vector<bool>& usable) {
  if (bank.is_variable(term)) return;
  const int head = bank.head(term);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (usable[i] || bank.head(rules[i].left) != head) continue;
    usable[i] = true;
    mark_usable(bank, rules, pair, rules[i].right, usable);
  }
  for (std::size_t i = 0; i < bank.arguments(term).size(); ++i) {
    if (pair.regards(head, i)) mark_usable(bank, rules, pair, bank.arguments(term)[i], usable);
  }
}

}  // namespace

std::string with_arguments(const TermBank& bank, int symbol) {
  std::string text = bank.symbol(symbol).name;
  const std::size_t arity = bank.symbol(symbol).arity();
  for (std::size_t i = 1; i <= arity; ++i) text += (i == 1 ? "(x" : ", x") + std::to_string(i);
  return arity > 0 ? text + ")" : text;
}

std::vector<int> symbols_of(const TermBank& bank, const OrderProblem& problem) {
  std::vector<int> out;
  std::vector<bool> seen(static_cast<std::size_t>(bank.symbol_count()), false);
  for (const Rules* rules : {&problem.oriented, &problem.rules}) {
    for (const Rule& rule : *rules) {
      add_symbols(bank, rule.left, seen, out);
      add_symbols(bank, rule.right, seen, out);
    }
  }
  return out;
}

std::vector<bool> usable_rules(const TermBank& bank, const OrderProblem& problem,
                               const ReductionPair& pair) {
  std::vector<bool> usable(problem.rules.size(), !problem.usable_only);
  if (!problem.usable_only) return usable;
  for (const Rule& rule : problem.oriented) {
    mark_usable(bank, problem.rules, pair, rule.right, usable);
  }
  return usable;
}

std::optional<Orientation> verify(const TermBank& bank, const OrderProblem& problem,
                                  const ReductionPair& pair) {
  if (problem.monotone) {
    for (int symbol : symbols_of(bank, problem)) {
      if (!pair.monotone(bank, symbol)) return std::nullopt;
    }
  }
  Orientation out;
  out.usable = usable_rules(bank, problem, pair);
  for (std::size_t i = 0; i < problem.rules.size(); ++i) {
    if (!out.usable[i]) continue;
    const Rule& rule = problem.rules[i];
    if (pair.compare(bank, rule.left, rule.right) == Relation::none) return std::nullopt;
  }
  for (const Rule& rule : problem.oriented) {
    const Relation relation = pair.compare(bank, rule.left, rule.right);
    if (relation == Relation::none) return std::nullopt;
    if (problem.all_strict && relation != Relation::strict) return std::nullopt;
    out.strict.push_back(relation == Relation::strict);
  }
  if (std::ranges::find(out.strict, true) == out.strict.end()) return std::nullopt;
  return out;
}

}  // namespace rhopsi::analysis
