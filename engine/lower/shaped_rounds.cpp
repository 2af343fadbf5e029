// The first rounds of a loop, one after the other: what goes wrong because of what the rounds
// themselves make of the arrays.
//
//   for i in 0 .. 3 { u = u + take(u, 0, 5); }   with u of 8: the first round adds 5 to 8 elements
//   for i in 0 .. 3 { u = drop(u, 0, 3); }       with u of 8: the third one has 2 left
//
// What the rounds that certainly run come to is what is known behind the loop, or, where there are
// more of them than are followed, what the rest of them begins with. A round that may not run, and
// what it has under a condition that is open, says nothing of the loops around it.
#include <algorithm>
#include <iterator>

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
  if (!context_.options.find_faults) {
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

bool ShapedBody::leaves_as_found(const std::vector<SymbolId>& assigned, const State& before) const {
  return std::ranges::all_of(assigned, [&](SymbolId each) { return same_as(before, each); });
}

// Up to the first round that does not certainly run, that leaves everything as it has found it, or
// that fails.
ShapedBody::FirstRounds ShapedBody::follow_rounds(const LoopRounds& loop) {
  constexpr std::size_t most_rounds = 16;
  FirstRounds found;
  for (std::size_t round = 0; round < most_rounds && !failed(); ++round) {
    const State before = state_;
    const auto certain = loop.runs(round);
    if (round == 0) found.certain = certain;
    found.ended = certain == false;
    const bool follow = certain.value_or(round == 0) && context_.options.find_faults;
    if (failed() || !follow || rounds_left_ == 0) {
      state_ = before;
      break;
    }
    --rounds_left_;
    round_ = std::max(round_, round);
    statement(loop.body);
    if (failed() && !certain && following_ > 1) doubtful_ = true;
    if (!certain) break;
    const bool again = !loop.by_index && leaves_as_found(loop.assigned, before);
    // A round that changes nothing says no more than all of them together do.
    if (!again || round > 0) found.followed = round + 1;
    if (!again) continue;
    const State behind = state_;
    found.ended = loop.runs(round + 1) == false;
    state_ = behind;
    break;
  }
  return found;
}

std::optional<ShapedBody::FirstRounds> ShapedBody::first_rounds(const LoopRounds& loop) {
  const State before = state_;
  const auto slots = slots_;
  const std::size_t facts = known_.ranges.assumed();
  const std::size_t reported = context_.reported();
  const std::size_t round = round_;
  const bool doubtful = std::exchange(doubtful_, false);
  onf::Statements followed;
  onf::Statements* const outer = std::exchange(statements_, &followed);
  ++following_;
  FirstRounds first = follow_rounds(loop);
  --following_;
  statements_ = outer;
  round_ = round;
  if (failed() && context_.options.find_faults && !doubtful_ && is_violation(context_.last())) {
    return std::nullopt;
  }
  if (failed()) first.followed = 0;
  doubtful_ = doubtful;
  if (first.certain == false && !failed()) {
    statements_->insert(statements_->end(), followed.begin(), followed.end());
    return std::nullopt;
  }
  context_.forget(reported);
  first.state = std::exchange(state_, before);
  first.slots = std::exchange(slots_, slots);
  first.statements = std::move(followed);
  known_.ranges.forget(facts);
  return first;
}

// The loop as it is emitted, and then, where rounds of it certainly run, what they leave: that is
// known behind it.
void ShapedBody::lower_loop(const LoopRounds& loop,
                            const std::function<void(std::size_t)>& lower_from) {
  auto first = first_rounds(loop);
  if (!first) return;
  const std::size_t written = statements_->size();
  lower_from(0);
  doubtful_ = doubtful_ || (failed() && first->certain != true);
  if (failed() || first->followed == 0) return;
  State state = std::exchange(state_, std::move(first->state));
  auto slots = std::exchange(slots_, std::move(first->slots));
  const auto begin = statements_->begin() + static_cast<std::ptrdiff_t>(written);
  const onf::Statements whole(std::make_move_iterator(begin),
                              std::make_move_iterator(statements_->end()));
  statements_->resize(written);
  statements_->insert(statements_->end(), first->statements.begin(), first->statements.end());
  if (first->ended) return;
  const std::size_t reported = context_.reported();
  lower_from(first->followed);
  if (!failed()) return;
  // Of the rounds that are left nothing is known for certain.
  context_.forget(reported);
  state_ = std::move(state);
  slots_ = std::move(slots);
  statements_->resize(written);
  statements_->insert(statements_->end(), whole.begin(), whole.end());
}

}  // namespace rhopsi::lower
