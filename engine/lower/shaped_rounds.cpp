// The first rounds of a loop, one after the other: what goes wrong because of what the rounds
// themselves make of the arrays.
//
//   for i in 0 .. 3 { u = u + take(u, 0, 5); }   with u of 8: the first round adds 5 to 8 elements
//   for i in 0 .. 3 { u = drop(u, 0, 3); }       with u of 8: the third one has 2 left
//
// Nothing of it is kept but what is reported. A round that may not run, and what it has under a
// condition that is open, says nothing of the loops around it.
#include <algorithm>

#include "engine/lower/shaped.hpp"
#include "engine/moa/facts.hpp"

namespace rhopsi::lower {

using moa::ExprId;
using moa::LeafId;

std::optional<bool> ShapedBody::decided(ExprId condition) const {
  moa::Facts facts(*base_.expressions);
  for (ExprId fact : state_.facts) facts.assume(fact);
  return facts.decide(condition);
}

std::optional<bool> ShapedBody::round_of_for(std::size_t round, SymbolId index, ExprId low,
                                             ExprId high) {
  moa::Expressions& all = *base_.expressions;
  const ExprId now = all.add(low, all.integer(static_cast<std::int64_t>(round)));
  const ExprId inside = all.apply(onf::ScalarFunction::less, {now, high});
  const auto runs = decided(inside);
  state_.meanings.insert_or_assign(index, now);
  if (!runs && lasting({inside})) state_.facts.push_back(inside);
  return runs;
}

std::optional<bool> ShapedBody::round_of_iterate(std::size_t round, ExprId count) {
  moa::Expressions& all = *base_.expressions;
  const ExprId number = all.integer(static_cast<std::int64_t>(round));
  return decided(all.apply(onf::ScalarFunction::less, {number, count}));
}

std::optional<bool> ShapedBody::round_of_while(std::size_t round, TermId condition, ExprId bound) {
  const auto allowed = round_of_iterate(round, bound);
  if (allowed == false) return false;
  ExprId known{};
  if (!context_.options.follow_rounds) {
    // The form is to be as if this had not been asked.
    if (takes_statements(condition)) return std::nullopt;
    const auto found = moa::reduce_numbers(library_, condition, place_for(condition));
    const bool certain = found && found->form.assumptions.empty();
    return certain ? decided(found->values.front()) : std::nullopt;
  }
  if (!number(condition, &known)) return std::nullopt;
  const auto holds = decided(known);
  if (!holds && lasting({known})) state_.facts.push_back(known);
  return holds == true ? allowed : holds;
}

// As far as it is known what that is.
bool ShapedBody::same_as(const State& before, SymbolId symbol) const {
  const auto old = before.meanings.find(symbol), now = state_.meanings.find(symbol);
  if (old == before.meanings.end() || now == state_.meanings.end()) return true;
  if (const LeafId* leaf = std::get_if<LeafId>(&now->second)) {
    return same_lengths(lengths_of(std::get<LeafId>(old->second)), lengths_of(*leaf));
  }
  const auto constant = [&](const Meaning& meaning) {
    const ExprId* number = std::get_if<ExprId>(&meaning);
    return number == nullptr ? std::nullopt : base_.expressions->constant(*number);
  };
  return constant(old->second) == constant(now->second);
}

// Up to the first round that does not certainly run, that leaves everything as it has found it, or
// that fails.
std::optional<bool> ShapedBody::follow_rounds(const std::vector<SymbolId>& assigned,
                                              const Runs& runs, TermId body) {
  constexpr std::size_t most_rounds = 16;
  std::optional<bool> first;
  for (std::size_t round = 0; round < most_rounds && !failed(); ++round) {
    const auto certain = runs(round);
    if (round == 0) first = certain;
    const bool follow = certain.value_or(round == 0) && context_.options.follow_rounds;
    if (failed() || !follow) break;
    round_ = std::max(round_, round);
    const State before = state_;
    statement(body);
    if (failed() && !certain && following_ > 1) doubtful_ = true;
    if (std::ranges::all_of(assigned, [&](SymbolId each) { return same_as(before, each); })) break;
  }
  return first;
}

std::optional<bool> ShapedBody::first_rounds(const std::vector<SymbolId>& assigned,
                                             const Runs& runs, TermId body) {
  const State before = state_;
  const auto slots = slots_;
  const std::size_t facts = known_.ranges.assumed();
  const std::size_t reported = context_.reported();
  const std::size_t round = round_;
  const bool doubtful = std::exchange(doubtful_, false);
  onf::Statements followed;
  onf::Statements* const outer = std::exchange(statements_, &followed);
  ++following_;
  const auto first = follow_rounds(assigned, runs, body);
  --following_;
  statements_ = outer;
  round_ = round;
  if (failed() && context_.options.follow_rounds && !doubtful_ && is_violation(context_.last())) {
    return std::nullopt;
  }
  doubtful_ = doubtful;
  if (first == false && !failed()) {
    statements_->insert(statements_->end(), followed.begin(), followed.end());
    return std::nullopt;
  }
  context_.forget(reported);
  state_ = before;
  slots_ = slots;
  known_.ranges.forget(facts);
  return first.value_or(false);
}

}  // namespace rhopsi::lower
