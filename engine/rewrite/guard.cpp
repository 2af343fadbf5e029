#include "engine/rewrite/guard.hpp"

#include <algorithm>

#include "engine/rewrite/match.hpp"
#include "engine/rewrite/unfold.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::SymbolId;
using term::TermId;

GuardWriter::GuardWriter(const Context& context, const std::vector<term::Rule>& rules)
    : context_(context), store_(context.store) {
  for (const term::Rule& rule : rules) {
    const bool of_predicates = store_.sort(rule.left) == store_.predicate_sort();
    if (of_predicates && !rule.condition) rules_.push_back(&rule);
  }
}

// A conjunct may rely on those to its left, so what is missing is added in their order.
void GuardWriter::require(term::Callable& callable, TermId condition) {
  if (!about_parameters(callable, condition)) return;
  for (TermId conjunct : term::conjuncts(store_, condition)) {
    std::vector<TermId> known;
    if (callable.guard) known = term::conjuncts(store_, *callable.guard);
    if (implied(conjunct, known, 0)) continue;
    callable.guard =
        callable.guard ? term::conjunction(store_, *callable.guard, conjunct) : conjunct;
  }
}

bool GuardWriter::about_parameters(const term::Callable& callable, TermId condition) const {
  return !has_statements(store_, condition) &&
         std::ranges::all_of(term::free_variables(store_, condition), [&](SymbolId variable) {
           return std::ranges::find(callable.parameters, variable) != callable.parameters.end();
         });
}

bool GuardWriter::implied(TermId condition, const std::vector<TermId>& known, int depth) {
  const bool said = std::ranges::any_of(
      known, [&](TermId other) { return alpha_equal(store_, condition, other); });
  if (said) return true;
  const term::Verdict verdict =
      context_.oracle.decide(store_, condition, known, context_.interpretation);
  return verdict.answer == term::Verdict::Answer::proved ||
         follows_by_rules(condition, known, depth);
}

bool GuardWriter::follows_by_rules(TermId condition, const std::vector<TermId>& known, int depth) {
  constexpr int deepest = 8;  // equations may lead round in circles
  if (depth == deepest) return false;
  return std::ranges::any_of(rules_, [&](const term::Rule* rule) {
    Matcher matcher(store_, rule->variables);
    if (!matcher.match(rule->left, condition)) return false;
    const TermId instance = term::instantiate(store_, rule->right, matcher.binding());
    return std::ranges::all_of(term::conjuncts(store_, instance), [&](TermId conjunct) {
      return implied(conjunct, known, depth + 1);
    });
  });
}

}  // namespace rhopsi::rewrite
