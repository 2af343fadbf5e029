#include "engine/rewrite/attempt.hpp"

#include <algorithm>
#include <array>

#include "engine/rewrite/candidates.hpp"
#include "engine/rewrite/facts.hpp"
#include "engine/rewrite/match.hpp"
#include "engine/rewrite/refusal.hpp"

namespace rhopsi::rewrite {

using term::SymbolId;
using term::TermId;
using Outcome = Attempt::Outcome;

namespace {

// Follows a match that fails from the left to the right to the first difference.
class Difference {
 public:
  Difference(const term::Store& store, const term::Rule& rule) : store_(store), rule_(rule) {}

  Attempt find(TermId subject) {
    walk(rule_.left, subject);
    return attempt_;
  }

 private:
  bool stop(Outcome outcome, TermId wanted, TermId found) {
    attempt_.outcome = outcome;
    attempt_.stopped = position_;
    attempt_.wanted = wanted;
    attempt_.found = found;
    return false;
  }

  // Left sides are written by hand, and not deep.
  bool walk(TermId pattern, TermId subject) {
    const SymbolId symbol = store_.symbol(pattern);
    const bool free = std::ranges::find(rule_.variables, symbol) != rule_.variables.end();
    if (free) return variable(symbol, pattern, subject);
    if (store_.is_variable(pattern)) {  // bound in the left side
      return store_.is_variable(subject) || stop(Outcome::no_match, pattern, subject);
    }
    const auto parts = store_.children(pattern);
    if (is_overload(store_, pattern, subject)) return stop(Outcome::wrong_sort, pattern, subject);
    if (symbol != store_.symbol(subject) || parts.size() != store_.children(subject).size()) {
      return stop(Outcome::no_match, pattern, subject);
    }
    const auto bound = store_.bound(subject);
    bound_.insert(bound_.end(), bound.begin(), bound.end());
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      position_.push_back(i);
      if (!walk(parts[i], store_.children(subject)[i])) return false;
      position_.pop_back();
    }
    return true;
  }

  bool variable(SymbolId symbol, TermId pattern, TermId subject) {
    if (store_[symbol].result != store_.sort(subject)) {
      return stop(Outcome::wrong_sort, pattern, subject);
    }
    const bool escapes = std::ranges::any_of(
        bound_, [&](SymbolId each) { return term::occurs(store_, each, subject); });
    if (escapes) return stop(Outcome::bound_variable, pattern, subject);
    const auto [place, inserted] = values_.try_emplace(symbol, subject);
    if (inserted || term::alpha_equal(store_, place->second, subject)) return true;
    return stop(Outcome::different_again, place->second, subject);
  }

  const term::Store& store_;
  const term::Rule& rule_;
  Attempt attempt_;
  term::Position position_;
  std::vector<SymbolId> bound_;
  term::Substitution values_;
};

}  // namespace

bool is_overload(const term::Store& store, TermId one, TermId other) {
  const term::Symbol& left = store.head(one);
  const term::Symbol& right = store.head(other);
  using Kind = term::SymbolKind;
  const bool named = left.kind != Kind::control && left.kind != Kind::variable;
  return named && left.kind == right.kind && left.name == right.name &&
         left.integer == right.integer && store.symbol(one) != store.symbol(other) &&
         store.children(one).size() == store.children(other).size();
}

namespace {

// The way to the position, with its facts.
TermId follow(Path& path, TermId root, const term::Position& position) {
  TermId term = root;
  for (const std::uint32_t child : position) {
    path.push(term);
    for (std::uint32_t i = 0; i <= child; ++i) term = *path.next_child();
  }
  return term;
}

}  // namespace

Attempt attempt(const Context& context, const term::Theory& target, const term::Callable& callable,
                const term::Rule& rule, bool in_guard, const term::Position& position) {
  term::Store& store = context.store;
  FactSource facts(context, target);
  facts.enter(callable);
  Path path(store, facts, in_guard);
  const TermId redex = follow(path, in_guard ? *callable.guard : *callable.body, position);
  const std::array rules{rule};
  Candidates candidates(store, rules);
  const RuleTraits& traits = candidates.traits(0);
  Attempt result;
  if (traits.sequence) {
    const bool matches = store.is(redex, term::Control::block) && candidates.changes(0, redex);
    if (!matches) {
      result.wanted = rule.left;
      result.found = redex;
      return result;
    }
  } else {
    Matcher matcher(store, rule.variables);
    if (!matcher.match(rule.left, redex)) return Difference(store, rule).find(redex);
    if (!candidates.changes(0, redex)) {
      result.outcome = Outcome::no_change;
      return result;
    }
    if (!traits.changed.empty() || (traits.has_statements && !path.allows_statements())) {
      result.outcome = Outcome::effects;
      return result;
    }
  }
  result.outcome = Outcome::applies;
  if (!rule.condition) return result;
  if (traits.sequence) {
    path.push(redex);
    path.go_to(static_cast<std::uint32_t>(candidates.place(0)));
  }
  Known known = path.known();
  facts.from_redex(rule.left, redex,
                   traits.sequence ? std::optional<std::size_t>(candidates.place(0)) : std::nullopt,
                   known);
  const term::Substitution binding = candidates.matcher(0).binding();
  result.condition = term::substitute(store, *rule.condition, binding);
  result.verdict =
      context.oracle.decide(store, *result.condition, known.facts, context.interpretation);
  using Answer = term::Verdict::Answer;
  if (result.verdict.answer != Answer::proved) {
    result.verdict.detail = refusal(context, rule, binding, known.facts, result.verdict);
    result.verdict = facts.confirmed(context, *result.condition, known, std::move(result.verdict));
  }
  if (result.verdict.answer == Answer::refuted) result.outcome = Outcome::refuted;
  if (result.verdict.answer == Answer::unknown) result.outcome = Outcome::unknown;
  return result;
}

}  // namespace rhopsi::rewrite
