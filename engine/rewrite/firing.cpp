#include "engine/rewrite/firing.hpp"

#include <algorithm>
#include <utility>

#include "engine/rewrite/refusal.hpp"

namespace rhopsi::rewrite {

using term::TermId;

Firing::Firing(const Context& context, FactSource& facts, std::span<const term::Rule> rules,
               Record& record, std::size_t first)
    : context_(context),
      store_(context.store),
      facts_(facts),
      rules_(rules),
      candidates_(store_, rules),
      record_(record),
      first_(first) {}

std::optional<TermId> Firing::contract(std::uint32_t rule, TermId term, Path& path) {
  if (record_.exhausted()) return std::nullopt;
  if (store_.symbol(term) != store_.symbol(rules_[rule].left)) return std::nullopt;
  if (!candidates_.changes(rule, term)) return std::nullopt;
  Decision decision;
  if (candidates_.traits(rule).contextual()) {
    ++record_.contextual;
    decision = decide(rule, term, path);
    if (!decision.allowed()) {
      refuse(rule, term, path, decision);
      return std::nullopt;
    }
  }
  const TermId contractum = term::instantiate(
      store_, rules_[rule].right, candidates_.matcher(rule).binding(), place_of(rule, term));
  if (candidates_.traits(rule).has_statements) facts_.add_assigned(contractum);
  record_.applied(rules_[rule].name);
  if (context_.record_steps) {
    term::Step step = step_at(rule, term, path, decision);
    step.after = contractum;
    record_.add(std::move(step));
  }
  return contractum;
}

// Where messages about the contractum should point: at the operation that the rule
// takes apart, the inner call of f(g(x)) -> h(x), else at the redex.
term::LocationId Firing::place_of(std::uint32_t rule, TermId redex) const {
  const auto pattern = store_.children(rules_[rule].left);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (store_.is_variable(pattern[k]) || store_.children(pattern[k]).empty()) continue;
    const term::LocationId place = store_.location(store_.children(redex)[k]);
    if (place != term::LocationId{}) return place;
  }
  return store_.location(redex);
}

Decision Firing::decide(std::uint32_t rule, TermId term, Path& path) {
  using Answer = term::Verdict::Answer;
  const RuleTraits& traits = candidates_.traits(rule);
  const term::Substitution binding = candidates_.matcher(rule).binding();
  Decision decision;
  if (!traits.changed.empty()) {
    decision.verdict = {Answer::refuted, "effects",
                        "the right side would change `" + store_[traits.changed.front()].name +
                            "`, which it does not declare"};
    return decision;
  }
  if (traits.has_statements && !path.allows_statements()) {
    decision.verdict = {Answer::refuted, "effects",
                        "the right side has statements, and none may stand here"};
    return decision;
  }
  if (!rules_[rule].condition) return decision;
  std::vector<TermId> facts = path.facts();
  facts_.from_pattern(rules_[rule].left, term, facts);
  auto [place, inserted] = decisions_.try_emplace({rule, term, facts});
  if (inserted) {
    place->second.condition = term::substitute(store_, *rules_[rule].condition, binding);
    place->second.verdict = verdict_on(*place->second.condition, facts);
    if (context_.record_steps && !place->second.allowed()) {
      place->second.verdict.detail =
          refusal(context_, rules_[rule], binding, facts, place->second.verdict);
    }
  }
  return place->second;
}

// Proved from as little as the oracle needs.
term::Verdict Firing::verdict_on(TermId condition, const std::vector<TermId>& facts) {
  using Answer = term::Verdict::Answer;
  term::Verdict verdict = context_.oracle.decide(store_, condition, facts, context_.interpretation);
  if (verdict.answer != Answer::proved || verdict.decider == "constant") return verdict;
  const term::Interpretation settled =
      context_.oracle.settled(store_, condition, context_.interpretation);
  const auto decide = [&](std::span<const TermId> known) {
    term::Verdict with_less = context_.oracle.decide(store_, condition, known, settled);
    if (with_less.detail.empty()) with_less.detail = verdict.detail;
    return with_less;
  };
  for (const term::Basis basis : {term::Basis::context, term::Basis::entry_check}) {
    std::vector<TermId> known = facts;
    std::erase_if(known, [&](TermId fact) { return facts_.basis(fact) > basis; });
    term::Verdict with_less = known.size() < facts.size() ? decide(known) : verdict;
    with_less.basis = basis;
    if (with_less.answer == Answer::proved) return with_less;
  }
  verdict.basis = term::Basis::assumed;
  return verdict;
}

term::Step Firing::step_at(std::uint32_t rule, TermId term, const Path& path,
                           const Decision& decision) const {
  term::Step step;
  step.rule = rules_[rule].name;
  step.rule_index = first_ + rule;
  step.binding = candidates_.matcher(rule).values();
  step.rule_location = rules_[rule].location;
  step.callable = record_.run.callable;
  step.pass = record_.pass;
  step.position = path.position();
  step.before = term;
  step.after = term;
  step.condition = decision.condition;
  step.verdict = decision.verdict;
  step.in_guard = path.in_guard();
  return step;
}

void Firing::refuse(std::uint32_t rule, TermId term, const Path& path, const Decision& decision) {
  if (!context_.record_steps || record_.refused.contains({&rules_[rule], term})) return;
  term::Step step = step_at(rule, term, path, decision);
  step.applied = false;
  refusals_.push_back({rule, std::move(step)});
}

void Firing::keep_refusals(std::uint32_t rule) {
  if (refusals_.empty()) return;
  std::ranges::stable_sort(refusals_, {}, &Refusal::rule);
  for (Refusal& refusal : refusals_) {
    if (refusal.rule >= rule) break;
    if (!record_.refused.insert({&rules_[refusal.rule], refusal.step.before}).second) continue;
    record_.add(std::move(refusal.step));
  }
  refusals_.clear();
}

}  // namespace rhopsi::rewrite
