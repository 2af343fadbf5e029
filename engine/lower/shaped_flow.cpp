// Branches and loops: what several ways assign has one view for all of them.
#include <algorithm>
#include <utility>

#include "engine/lower/shaped.hpp"
#include "engine/moa/facts.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;
using moa::ExprId;
using moa::LeafId;

// The variables that the statements assign.
void ShapedBody::find_assigned(TermId term, std::set<SymbolId>& found) const {
  term::for_each_subterm(context_.store, term, [&](TermId part) {
    const term::Symbol& head = context_.store.head(part);
    const auto parts = context_.store.children(part);
    if (context_.store.is(part, Control::assign)) {
      found.insert(context_.store.symbol(parts[0]));
    } else if (head.kind == SymbolKind::procedure) {
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (head.modes[k] != term::Mode::obs) found.insert(context_.store.symbol(parts[k]));
      }
    }
    return true;
  });
}

// The variables of outside that the statements assign, in the order of their declaration.
std::vector<SymbolId> ShapedBody::assigned_in(TermId term) const {
  std::set<SymbolId> inside, found;
  find_assigned(term, found);
  term::for_each_subterm(context_.store, term, [&](TermId part) {
    if (context_.store.is(part, Control::declare)) {
      inside.insert(context_.store.symbol(context_.store.children(part)[0]));
    }
    return true;
  });
  std::vector<SymbolId> outside;
  std::ranges::set_difference(found, inside, std::back_inserter(outside));
  return outside;
}

bool ShapedBody::same_lengths(const moa::Vector& left, const moa::Vector& right) const {
  if (left.size() != right.size()) return false;
  moa::Facts facts(*base_.expressions);
  for (ExprId fact : state_.facts) facts.assume(fact);
  for (std::size_t axis = 0; axis < left.size(); ++axis) {
    const ExprId equal =
        base_.expressions->apply(onf::ScalarFunction::equal, {left[axis], right[axis]});
    if (facts.decide(equal) != true) return false;
  }
  return true;
}

std::optional<std::vector<Expr>> ShapedBody::extents_of(LeafId leaf) const {
  return function_.blocks[onf::number(function_.views[onf::number(view_of(leaf))].block)].extents;
}

// --- branches

void ShapedBody::if_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  ExprId known{};
  const auto condition = number(parts[0], &known);
  if (!condition) return;
  if (const auto decided = base_.expressions->constant(known)) {
    return statement(parts[*decided != 0 ? 1 : 2]);
  }
  const State before = state_;
  std::vector<SymbolId> assigned = assigned_in(parts[1]);
  for (SymbolId each : assigned_in(parts[2])) assigned.push_back(each);
  std::ranges::sort(assigned);
  const auto repeated = std::ranges::unique(assigned);
  assigned.erase(repeated.begin(), repeated.end());
  State after[2];
  onf::Statements bodies[2];
  for (std::size_t k = 0; k < 2; ++k) {
    state_ = before;
    const std::size_t facts = known_.ranges.assumed();
    known_.ranges.assume(*condition, k == 0);
    if (lasting({known})) {
      state_.facts.push_back(k == 0 ? known
                                    : base_.expressions->apply(onf::ScalarFunction::not_, {known}));
    }
    bodies[k] = collected([&] { statement(parts[k + 1]); });
    known_.ranges.forget(facts);
    if (failed()) {
      doubtful_ = true;
      return;
    }
    after[k] = std::move(state_);
  }
  merge(assigned, before, std::move(after[0]), std::move(after[1]), bodies[0], bodies[1], location);
  if (failed()) return;
  emit(onf::If{*condition, std::move(bodies[0]), std::move(bodies[1])}, location);
}

// After both ways: arrays that are not the same have a view for either, numbers are read again.
void ShapedBody::merge(const std::vector<SymbolId>& assigned, const State& before, State then,
                       State other, onf::Statements& then_body, onf::Statements& other_body,
                       LocationId location) {
  state_ = before;
  for (SymbolId symbol : assigned) {
    const auto a = then.meanings.find(symbol), b = other.meanings.find(symbol);
    if (a == then.meanings.end() || b == other.meanings.end()) {
      state_.meanings.erase(symbol);  // not set on one way
      continue;
    }
    if (!std::holds_alternative<LeafId>(a->second)) {
      if (slots_.contains(symbol)) read_again(symbol);
      continue;
    }
    const LeafId left = std::get<LeafId>(a->second), right = std::get<LeafId>(b->second);
    if (left == right) {
      state_.meanings.insert_or_assign(symbol, left);
      continue;
    }
    const moa::Leaf first = base_.leaves[moa::number(left)];
    const moa::Leaf second = base_.leaves[moa::number(right)];
    const std::string name = store()[symbol].name;
    if (first.rank() != second.rank()) {
      context_.report("E0515",
                      name + " has " + std::to_string(first.rank()) + " axes on one way and " +
                          std::to_string(second.rank()) + " on the other",
                      "use two variables", location);
      return;
    }
    // As before, if both ways have kept the lengths; else they are those of what it becomes.
    const auto old = before.meanings.find(symbol);
    std::optional<LeafId> kept;
    if (old != before.meanings.end()) {
      const moa::Vector lengths = lengths_of(std::get<LeafId>(old->second));
      if (same_lengths(lengths, first.lengths) && same_lengths(lengths, second.lengths)) {
        kept = std::get<LeafId>(old->second);
      }
    }
    const onf::ViewId view = new_view(name, first.element, kept ? extents_of(*kept) : std::nullopt,
                                      first.rank(), location);
    emit(onf::Declare{view}, location);
    for (auto [body, leaf] : {std::pair{&then_body, left}, std::pair{&other_body, right}}) {
      body->push_back({onf::Share{view, view_of(leaf), false, false}, location});
    }
    state_.meanings.insert_or_assign(
        symbol, kept ? new_leaf(name, first.element, lengths_of(*kept), view, symbol)
                     : own_lengths(name, first.element, first.rank(), view, symbol));
  }
}

// --- loops

// The variable as it is at the beginning of each round.
ShapedBody::Carried ShapedBody::carry(SymbolId symbol, bool same, LocationId location) {
  const LeafId now = std::get<LeafId>(state_.meanings.at(symbol));
  const moa::Leaf leaf = base_.leaves[moa::number(now)];
  const std::string name = store()[symbol].name;
  const onf::ViewId view =
      new_view(name, leaf.element, same ? extents_of(now) : std::nullopt, leaf.rank(), location);
  emit(onf::Share{view, view_of(now), true, false}, location);
  const LeafId carried = same ? new_leaf(name, leaf.element, leaf.lengths, view, symbol)
                              : own_lengths(name, leaf.element, leaf.rank(), view, symbol);
  state_.meanings.insert_or_assign(symbol, carried);
  return {symbol, view, carried, same};
}

// What a loop assigns, as its rounds find it.
std::vector<ShapedBody::Carried> ShapedBody::carry(const std::vector<SymbolId>& assigned,
                                                   const std::set<SymbolId>& changing,
                                                   LocationId location) {
  std::vector<Carried> carried;
  for (SymbolId symbol : assigned) {
    const auto found = state_.meanings.find(symbol);
    if (found == state_.meanings.end()) continue;
    if (std::holds_alternative<LeafId>(found->second)) {
      carried.push_back(carry(symbol, !changing.contains(symbol), location));
    } else if (slots_.contains(symbol)) {
      read_again(symbol);
    }
  }
  return carried;
}

// After a round: those whose lengths changed although they were taken to stay are added to
// `changing`. False after a report.
bool ShapedBody::compare_rounds(const std::vector<Carried>& carried, std::set<SymbolId>& changing,
                                LocationId location) {
  for (const Carried& each : carried) {
    const LeafId end = std::get<LeafId>(state_.meanings.at(each.symbol));
    const moa::Vector first = lengths_of(each.leaf), last = lengths_of(end);
    if (first.size() != last.size()) {
      context_.report("E0515",
                      store()[each.symbol].name + " has " + std::to_string(first.size()) +
                          " axes before a round of this loop and " + std::to_string(last.size()) +
                          " after it",
                      "use another variable for what has other axes", location);
      return false;
    }
    if (each.same_lengths && !same_lengths(first, last)) changing.insert(each.symbol);
  }
  return true;
}

// First as if no length changed; if one does, or if that leads to an error, once more without
// knowing it.
void ShapedBody::loop(const std::vector<SymbolId>& assigned, LocationId location,
                      const std::function<onf::Statements()>& rounds,
                      const std::function<void(onf::Statements)>& emit_loop) {
  const State before = state_;
  const auto slots = slots_;
  const std::size_t written = statements_->size();
  const std::size_t reported = context_.reported();
  const std::size_t facts = known_.ranges.assumed();
  const bool doubtful = doubtful_;
  std::set<SymbolId> changing;
  for (;;) {
    const std::size_t known_to_change = changing.size();
    const std::vector<Carried> carried = carry(assigned, changing, location);
    State head = state_;
    onf::Statements body = rounds();
    const bool guessed = std::ranges::any_of(carried, &Carried::same_lengths);
    if (failed() && !guessed) return;
    if (failed()) {
      for (const Carried& each : carried) changing.insert(each.symbol);
      context_.forget(reported);
      doubtful_ = doubtful;
    } else if (!compare_rounds(carried, changing, location)) {
      return;
    }
    known_.ranges.forget(facts);
    if (changing.size() > known_to_change) {
      state_ = before;
      slots_ = slots;
      statements_->resize(written);
      continue;
    }
    std::vector<std::pair<onf::ViewId, onf::ViewId>> moves;
    for (const Carried& each : carried) {
      moves.emplace_back(each.view, view_of(std::get<LeafId>(state_.meanings.at(each.symbol))));
    }
    onf::Statements* const outer = std::exchange(statements_, &body);
    move(std::move(moves));
    statements_ = outer;
    emit_loop(std::move(body));
    after_loop(assigned, std::move(head));
    return;
  }
}

// What was not set before the loop is not set after it; numbers are what the last round left.
void ShapedBody::after_loop(const std::vector<SymbolId>& assigned, State head) {
  state_ = std::move(head);
  for (SymbolId symbol : assigned) {
    const auto found = state_.meanings.find(symbol);
    const bool number = found != state_.meanings.end() && slots_.contains(symbol) &&
                        !std::holds_alternative<LeafId>(found->second);
    if (number) read_again(symbol);
  }
}

// Over a domain, the rounds of a loop that has a few of them, one after the other: what arrays are
// read by the number of a round is then at numbers, and offsets.
bool ShapedBody::written_out(TermId body, SymbolId index, ExprId low, ExprId high) {
  constexpr std::int64_t most_rounds = 16, most_within = 64;  // of a loop, of loops in loops
  moa::Expressions& all = *base_.expressions;
  const auto first = all.constant(low), end = all.constant(high);
  if (!context_.options.one_shape || !first || !end) return false;
  std::int64_t rounds = 0;
  if (__builtin_sub_overflow(*end, *first, &rounds) || rounds < 1 || rounds > most_rounds ||
      rounds * rounds_around_ > most_within)
    return false;
  ++context_.short_loops;
  if (!context_.options.writes_out_loops) return false;
  const std::int64_t around = std::exchange(rounds_around_, rounds * rounds_around_);
  for (std::int64_t round = *first; round < *end && !failed(); ++round) {
    state_.meanings.insert_or_assign(index, all.integer(round));
    statement(body);
  }
  rounds_around_ = around;
  state_.meanings.erase(index);
  return true;
}

void ShapedBody::for_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  const SymbolId index = context_.store.bound(term)[0];
  ExprId bounds[2];
  auto low = number(parts[0], &bounds[0]);
  auto high = low ? number(parts[1], &bounds[1]) : std::nullopt;
  if (!high) return;
  // Both are computed once, whatever the rounds assign.
  if (!lasting({bounds[0]})) fix(*low, bounds[0], "low", location);
  if (!lasting({bounds[1]})) fix(*high, bounds[1], "high", location);
  const auto free = term::free_variables(context_.store, parts[2]);
  const bool by_index = std::ranges::find(free, index) != free.end();
  if (by_index && written_out(parts[2], index, bounds[0], bounds[1])) return;
  const LoopRounds rounds{
      assigned_in(parts[2]),
      [&](std::size_t round) { return round_of_for(round, index, bounds[0], bounds[1]); }, parts[2],
      by_index};
  lower_loop(rounds, [&](std::size_t from) {
    const auto skipped = static_cast<std::int64_t>(from);
    const Expr begin = from == 0 ? *low
                                 : apply_expr(onf::ScalarFunction::add, onf::Scalar::int64,
                                              {*low, integer_expr(skipped)});
    moa::Expressions& all = *base_.expressions;
    const ExprId first = all.add(bounds[0], all.integer(skipped));
    onf::VariableId counter{};
    loop(
        rounds.assigned, location,
        [&] {
          counter = new_variable(store()[index].name, onf::Scalar::int64, location);
          known_.ranges.counter(counter, begin, *high);
          const ExprId known = new_parameter(store()[index].name, onf::Scalar::int64, of(counter));
          state_.meanings.insert_or_assign(index, known);
          const ExprId inside[] = {all.apply(onf::ScalarFunction::less_equal, {first, known}),
                                   all.apply(onf::ScalarFunction::less, {known, bounds[1]})};
          for (ExprId fact : inside) {
            if (lasting({fact})) state_.facts.push_back(fact);
          }
          return collected([&] { statement(rounds.body); });
        },
        [&](onf::Statements body) {
          emit(onf::For{counter, begin, *high, std::move(body)}, location);
        });
  });
}

namespace {

// How many rounds are left of `count`.
Expr behind(const Expr& count, std::size_t rounds) {
  if (rounds == 0) return count;
  return apply_expr(onf::ScalarFunction::subtract, onf::Scalar::int64,
                    {count, integer_expr(static_cast<std::int64_t>(rounds))});
}

}  // namespace

void ShapedBody::iterate_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  ExprId known{};
  auto count = number(parts[0], &known);
  if (!count) return;
  if (!lasting({known})) fix(*count, known, "count", location);
  const LoopRounds rounds{assigned_in(parts[1]),
                          [&](std::size_t round) { return round_of_iterate(round, known); },
                          parts[1]};
  lower_loop(rounds, [&](std::size_t from) {
    loop(
        rounds.assigned, location, [&] { return collected([&] { statement(rounds.body); }); },
        [&](onf::Statements body) {
          emit(onf::Iterate{behind(*count, from), std::move(body)}, location);
        });
  });
}

void ShapedBody::while_statement(TermId term) {
  const std::vector<TermId> parts = children(term);
  const LocationId location = store().location(term);
  ExprId known{};
  const auto bound = number(parts[1], &known);
  if (!bound) return;
  const LoopRounds rounds{assigned_in(parts[2]),
                          [&](std::size_t round) { return round_of_while(round, parts[0], known); },
                          parts[2]};
  lower_loop(rounds, [&](std::size_t from) {
    onf::While made;
    made.bound = behind(*bound, from);
    loop(
        rounds.assigned, location,
        [&] {
          made.before = collected([&] {
            if (const auto condition = number(parts[0])) made.condition = *condition;
          });
          return collected([&] { statement(rounds.body); });
        },
        [&](onf::Statements body) {
          made.body = std::move(body);
          emit(std::move(made), location);
        });
  });
}

}  // namespace rhopsi::lower
