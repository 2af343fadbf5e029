#include "engine/analysis/loop.hpp"

#include <algorithm>

#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

namespace {

// The terms of the reduction, the first one included; nothing if a step does not apply.
std::optional<std::vector<Term>> replay(TermBank& bank, const Rules& rules, const Loop& loop) {
  std::vector<Term> terms{loop.start};
  for (const Step& step : loop.steps) {
    const auto next = rewrite_at(bank, rules, terms.back(), step);
    if (!next) return std::nullopt;
    terms.push_back(*next);
  }
  return terms;
}

// No instance of a subterm that is no variable is a redex, so that the term stays normal as long
// as what is substituted is.
bool normal_for_ever(TermBank& bank, const Rules& rules, Term term) {
  for (Term each : subterms(bank, term)) {
    if (bank.is_variable(each)) continue;
    for (const Rule& rule : rules) {
      if (unify_apart(bank, each, rule.left)) return false;
    }
  }
  return true;
}

// Whether every redex of the reduction has normal arguments, in the first round and in those where
// `again`, what the loop substitutes, has been applied any number of times.
bool always_innermost(TermBank& bank, const Rules& rules, const Loop& loop,
                      const std::vector<Term>& terms, const Substitution& again) {
  const RuleIndex index(bank, rules);
  bool changes = false;
  for (const auto& [variable, term] : again.bindings()) {
    if (term != bank.variable(variable)) changes = true;
  }
  for (const auto& [variable, term] : again.bindings()) {
    if (changes && !normal_for_ever(bank, rules, term)) return false;
  }
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Term redex = subterm(bank, terms[i], loop.steps[i].position);
    if (!arguments_are_normal(bank, index, redex)) return false;
    if (!changes) continue;
    for (Term each : bank.arguments(redex)) {
      if (!normal_for_ever(bank, rules, each)) return false;
    }
  }
  return true;
}

}  // namespace

bool verify(TermBank& bank, const Rules& rules, bool innermost, const Loop& loop) {
  if (loop.steps.empty()) return false;
  const auto terms = replay(bank, rules, loop);
  if (!terms || !has_position(bank, terms->back(), loop.position)) return false;
  const auto again = match(bank, loop.start, subterm(bank, terms->back(), loop.position));
  if (!again) return false;
  return !innermost || always_innermost(bank, rules, loop, *terms, *again);
}

Proof describe(TermBank& bank, const Rules& rules, const Loop& loop) {
  // Variables called x, y, z, ...
  Loop shown = loop;
  shown.start = readable(bank, {loop.start, loop.start}).left;
  Proof proof{"loop of " + std::to_string(loop.steps.size()) +
              (loop.steps.size() == 1 ? " step" : " steps")};
  const auto terms = replay(bank, rules, shown);
  if (!terms) return proof;
  proof.add(to_string(bank, shown.start));
  for (std::size_t i = 0; i < shown.steps.size(); ++i) {
    const Step& step = shown.steps[i];
    proof.add("-> " + to_string(bank, (*terms)[i + 1]) + "   at " + to_string(step.position) +
              " by " + to_string(bank, readable(bank, rules[step.rule])));
  }
  std::string text = "contains the first term";
  const Term inner = subterm(bank, terms->back(), shown.position);
  if (!shown.position.empty()) text += " at " + to_string(shown.position);
  std::string substituted;
  const auto again = match(bank, shown.start, inner);
  for (int each : variables(bank, shown.start)) {
    const Term* term = again ? again->find(each) : nullptr;
    if (!term || *term == bank.variable(each)) continue;
    substituted += (substituted.empty() ? "" : ", ") + bank.variable_name(each) +
                   " := " + to_string(bank, *term);
  }
  proof.add(text + (substituted.empty() ? "" : " with " + substituted));
  return proof;
}

}  // namespace rhopsi::analysis
