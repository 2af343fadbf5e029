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
  const std::optional<Decision> decision = find(rule, term, path);
  if (!decision) return std::nullopt;
  const TermId result = contractum(rule, term);
  last_place_.reset();
  if (const auto statement = statement_of(rule)) last_place_ = {term, *statement};
  record_.applied(rules_[rule].name);
  if (context_.record_steps) {
    term::Step step = step_at(rule, term, path, *decision);
    step.after = result;
    record_.add(std::move(step));
  }
  return result;
}

std::optional<Decision> Firing::find(std::uint32_t rule, TermId term, Path& path, bool noting) {
  const RuleTraits& traits = candidates_.traits(rule);
  if (!traits.sequence && store_.symbol(term) != store_.symbol(rules_[rule].left)) {
    return std::nullopt;
  }
  if (traits.sequence && !store_.is(term, term::Control::block)) return std::nullopt;
  std::size_t from = first_place_.first == term ? first_place_.second : 0;
  while (candidates_.changes(rule, term, traits.sequence ? from : 0)) {
    if (!traits.contextual()) return Decision{};
    ++record_.contextual;
    Decision decision = decide(rule, term, path);
    if (decision.allowed()) return decision;
    if (noting) refuse(rule, term, path, decision);
    if (!traits.sequence) break;
    from = candidates_.place(rule) + 1;
  }
  return std::nullopt;
}

std::optional<std::size_t> Firing::replaced_in(TermId block) const {
  if (!last_place_ || last_place_->first != block) return std::nullopt;
  return last_place_->second;
}

TermId Firing::contractum(std::uint32_t rule, TermId term) {
  const TermId right = term::instantiate(store_, rules_[rule].right,
                                         candidates_.matcher(rule).binding(), place_of(rule, term));
  const RuleTraits& traits = candidates_.traits(rule);
  if (!traits.sequence) {
    if (traits.has_statements) facts_.replaced({&term, 1}, right);
    return right;
  }
  const std::size_t first = candidates_.place(rule);
  if (traits.has_statements) {
    const auto children = store_.children(term).subspan(first, length_of(rule));
    const std::vector<TermId> before(children.begin(), children.end());
    facts_.replaced(before, right);
  }
  return with_sequence(store_, term, first, length_of(rule), right);
}

std::size_t Firing::length_of(std::uint32_t rule) const {
  return store_.children(rules_[rule].left).size();
}

std::optional<std::uint32_t> Firing::statement_of(std::uint32_t rule) const {
  if (!candidates_.traits(rule).sequence) return std::nullopt;
  return static_cast<std::uint32_t>(candidates_.place(rule));
}

// Where messages about the contractum should point: at the operation that the rule
// takes apart, the inner call of f(g(x)) -> h(x), else at the redex.
term::LocationId Firing::place_of(std::uint32_t rule, TermId redex) const {
  if (const auto statement = statement_of(rule)) {
    return store_.location(store_.children(redex)[*statement]);
  }
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
  if (!traits.sequence && !traits.changed.empty()) {
    decision.verdict = {Answer::refuted, "effects",
                        "the right side would change `" + store_[traits.changed.front()].name +
                            "`, which it does not declare"};
    return decision;
  }
  if (!traits.sequence && traits.has_statements && !path.allows_statements()) {
    decision.verdict = {Answer::refuted, "effects",
                        "the right side has statements, and none may stand here"};
    return decision;
  }
  if (!rules_[rule].condition) return decision;
  const Known known = known_for(rule, term, path);
  auto [place, inserted] = decisions_.try_emplace({rule, term, statement_of(rule), known});
  if (inserted) {
    const TermId condition = term::substitute(store_, *rules_[rule].condition, binding);
    term::Verdict verdict = verdict_on(condition, known.facts);
    if (context_.record_steps && verdict.answer != Answer::proved) {
      verdict.detail = refusal(context_, rules_[rule], binding, known.facts, verdict);
    }
    place->second.condition = condition;
    place->second.verdict = facts_.confirmed(context_, condition, known, std::move(verdict));
  }
  return place->second;
}

// Before the first statement of a sequence, or where the redex stands with what its parts say.
Known Firing::known_for(std::uint32_t rule, TermId term, Path& path) {
  const auto statement = statement_of(rule);
  if (statement) {
    path.push(term);
    path.go_to(*statement);
  }
  Known known = path.known();
  if (statement) path.pop();
  facts_.from_redex(rules_[rule].left, term, statement, known);
  return known;
}

// Proved from as little as the oracle needs. What it says is assumed stays so.
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
    if (with_less.answer != Answer::proved || with_less.basis == term::Basis::assumed) continue;
    with_less.basis = basis;
    return with_less;
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
  step.statement = statement_of(rule);
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
