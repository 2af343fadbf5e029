#include "engine/rewrite/facts.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "engine/term/operations.hpp"
#include "engine/term/sequence.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::Builtin;
using term::Control;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

// What changes is followed through so many statements of a block before a place: else blocks of
// very many would take time that grows with the square of their number.
constexpr std::uint32_t most_statements = 64;

}  // namespace

FactSource::FactSource(const Context& context, const term::Theory& target) : store_(context.store) {
  const auto meaning = [&](SymbolId symbol) {
    return context.interpretation.arithmetic ? context.interpretation.arithmetic(symbol)
                                             : Arithmetic::none;
  };
  for (const term::Callable& callable : target.callables) {
    if (callable.guard) guards_[callable.symbol] = {callable.parameters, *callable.guard};
    const term::Symbol& symbol = store_[callable.symbol];
    if (symbol.kind != SymbolKind::predicate || symbol.parameters.size() != 2 ||
        symbol.parameters[0] != symbol.parameters[1]) {
      continue;
    }
    const Arithmetic arithmetic = meaning(callable.symbol);
    if (arithmetic == Arithmetic::less) orders_[symbol.parameters[0]].less = callable.symbol;
    if (arithmetic == Arithmetic::less_equal) {
      orders_[symbol.parameters[0]].less_equal = callable.symbol;
    }
  }
}

void FactSource::enter(const term::Callable& callable) {
  assigned_.clear();
  replaced_.clear();
  if (callable.body) {
    const std::vector<SymbolId>& changed = changed_in(*callable.body);
    assigned_.insert(changed.begin(), changed.end());
  }
  own_guard_ = callable.guard;
  if (own_guard_) bases_[*own_guard_] = term::Basis::entry_check;
}

bool FactSource::mentions(TermId fact, const std::unordered_set<SymbolId>& variables) const {
  if (variables.empty()) return false;
  return std::ranges::any_of(term::free_variables(store_, fact),
                             [&](SymbolId variable) { return variables.contains(variable); });
}

void FactSource::add(TermId fact, Gathering& out) const {
  if (!mentions(fact, assigned_)) {
    out.constant.push_back(fact);
  } else {
    out.known().facts.push_back(fact);
    bound_number(out.known());
  }
}

void FactSource::from_callable(Gathering out) {
  if (own_guard_) add(*own_guard_, out);
}

void FactSource::from_parent(TermId parent, std::uint32_t child, Gathering out) {
  const term::Symbol& head = store_.head(parent);
  if (head.kind != SymbolKind::control) {
    from_operation(parent, out.constant);
    return;
  }
  const auto part = [&](std::size_t i) { return store_.children(parent)[i]; };
  switch (head.control) {
    case Control::if_:
      from_condition(parent, child, out);
      break;
    case Control::while_:
    case Control::for_:
    case Control::iterate:
      from_loop(parent, child, out);
      break;
    case Control::fold:
    case Control::forall:
      if (child == 1) index_range(store_.bound(parent)[0], std::nullopt, part(0), out);
      break;
    case Control::block:
      from_block(parent, child, out);
      break;
    default:
      break;
  }
}

void FactSource::from_condition(TermId parent, std::uint32_t child, Gathering& out) {
  if (child == 0) return;
  const TermId condition = store_.children(parent)[0];
  add(child == 1 ? condition : negation(condition), out);
}

// Its parts see what it has assigned in earlier rounds; the ends of a range are what they were
// before the first.
void FactSource::from_loop(TermId loop, std::uint32_t child, Gathering& out) {
  const bool counted = store_.is(loop, Control::for_);
  const bool may_be_again = store_.is(loop, Control::while_) || child > 0;
  if (!may_be_again) return;
  const auto part = [&](std::size_t i) { return store_.children(loop)[i]; };
  const Place place{loop, child};
  std::array<TermId, 2> ends{part(0), part(1)};
  if (counted && child == 2) {
    for (TermId& end : ends) end = before_loop(place, end, out);
  }
  leave_out_tests(store_.children(loop).back(), out);  // of the rounds before
  if (!assigned_.empty()) lose(place, changed_in(loop), out);
  if (child != 2) return;
  if (counted) {
    index_range(store_.bound(loop)[0], ends[0], ends[1], out);
  } else {
    add(part(0), out);
  }
}

void FactSource::from_block(TermId block, std::uint32_t child, Gathering& out) {
  const std::uint32_t near = child - std::min(child, most_statements);
  std::unordered_set<SymbolId> lost;
  for (std::uint32_t i = 0; i < near; ++i) from_far_statement(block, i, lost, out);
  for (std::uint32_t i = near; i < child; ++i) from_statement(block, i, out);
}

void FactSource::from_statement(TermId block, std::uint32_t number, Gathering& out) {
  const TermId statement = store_.children(block)[number];
  const auto parts = store_.children(statement);
  const bool declares = store_.is(statement, Control::declare);
  if (store_.is(statement, Control::assert_)) {
    const TermId asserted = parts[0];
    bases_[asserted] = term::Basis::entry_check;
    add(asserted, out);
  } else if (declares && !assigned_.contains(store_.symbol(parts[0]))) {
    const bool ordered = orders_.contains(store_.sort(parts[0]));
    if (parts.size() == 2 && ordered) add(equation(parts[0], parts[1]), out);
  } else if (declares || store_.is(statement, Control::assign)) {
    assign(Place{block, number}, statement, out);
  } else {
    leave_out_tests(statement, out);
    if (!assigned_.empty()) lose(Place{block, number}, changed_in(statement), out);
  }
}

void FactSource::index_range(SymbolId index, std::optional<TermId> low, TermId high,
                             Gathering& out) {
  const term::SortId sort = store_[index].result;
  auto order = orders_.find(sort);
  const bool can_be_said = order != orders_.end() && order->second.less &&
                           order->second.less_equal && store_.sort(high) == sort;
  if (!can_be_said) {
    Known& known = out.known();
    known.open.push_back(index);
    known.unsaid = index;
    if (order == orders_.end() || store_.sort(high) != sort) return;
  }
  const TermId variable = store_.make(index);
  if (!low) low = store_.make(store_.integer_literal(0, sort));
  const std::array facts{relation(order->second.less_equal, *low, variable),
                         relation(order->second.less, variable, high)};
  for (const std::optional<TermId>& fact : facts) {
    if (fact) add(*fact, out);
  }
}

std::optional<TermId> FactSource::relation(std::optional<SymbolId> predicate, TermId left,
                                           TermId right) {
  if (!predicate) return std::nullopt;
  // Variables and literals are made anew each time; their symbols identify them.
  const auto key_of = [&](TermId term) {
    return store_.children(term).empty()
               ? TermId{static_cast<std::uint32_t>(store_.symbol(term)) | 0x80000000U}
               : term;
  };
  const auto key = std::tuple{*predicate, key_of(left), key_of(right)};
  auto [place, inserted] = relations_.try_emplace(key);
  if (inserted) place->second = store_.make(*predicate, {left, right});
  return place->second;
}

TermId FactSource::negation(TermId condition) {
  auto [place, inserted] = negations_.try_emplace(condition);
  if (inserted) {
    place->second = store_.make(
        term::builtin_symbol(store_, Builtin::not_, store_.predicate_sort()), {condition});
  }
  return place->second;
}

TermId FactSource::equation(TermId variable, TermId value) {
  // Variables are made anew each time; their symbols identify them.
  auto [place, inserted] = equations_.try_emplace({store_.symbol(variable), value});
  if (inserted) {
    place->second = store_.make(term::builtin_symbol(store_, Builtin::equal, store_.sort(variable)),
                                {variable, value});
  }
  return place->second;
}

void FactSource::from_operation(TermId term, std::vector<TermId>& out) {
  if (guards_.empty()) return;
  auto guard = guards_.find(store_.symbol(term));
  if (guard == guards_.end()) return;
  auto [place, inserted] = presupposed_.try_emplace(term);
  if (inserted) {
    const auto arguments = store_.children(term);
    term::Substitution substitution;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      substitution.emplace(guard->second.parameters[i], arguments[i]);
    }
    place->second = term::substitute(store_, guard->second.condition, substitution);
    bases_.try_emplace(place->second, term::Basis::assumed);
  }
  out.push_back(place->second);
}

void FactSource::from_pattern(TermId pattern_root, TermId redex, std::vector<TermId>& out) {
  std::vector<std::pair<TermId, TermId>> pending{{pattern_root, redex}};
  while (!pending.empty()) {
    const auto [pattern, subject] = pending.back();
    pending.pop_back();
    const SymbolKind kind = store_.head(pattern).kind;
    if (kind != SymbolKind::function && kind != SymbolKind::predicate) continue;
    if (connects_predicates(store_.symbol(pattern))) continue;
    from_operation(subject, out);
    for (std::size_t i = store_.children(pattern).size(); i-- > 0;) {
      pending.emplace_back(store_.children(pattern)[i], store_.children(subject)[i]);
    }
  }
}

bool FactSource::connects_predicates(SymbolId symbol) const {
  switch (term::builtin(store_, symbol)) {
    case Builtin::and_:
    case Builtin::or_:
    case Builtin::implies:
      return true;
    default:
      return false;
  }
}

term::Basis FactSource::basis(TermId fact) const {
  const auto found = bases_.find(fact);
  return found == bases_.end() ? term::Basis::context : found->second;
}

Path::Path(const term::Store& store, FactSource& source, bool in_guard)
    : store_(store), source_(source), in_guard_(in_guard) {}

void Path::push(TermId term) { frames_.push_back({term, 0, allows_statements()}); }

void Path::pop() {
  forget(frames_.size() - 1);
  frames_.pop_back();
}

void Path::go_to(std::uint32_t child) {
  forget(frames_.size() - 1);
  frames_.back().next = child + 1;
}

std::optional<TermId> Path::next_child() {
  Frame& frame = frames_.back();
  const auto children = store_.children(frame.term);
  if (frame.next == children.size()) return std::nullopt;
  forget(frames_.size() - 1);
  return children[frame.next++];
}

void Path::forget(std::size_t depth) {
  if (starts_.size() <= depth) return;
  facts_.resize(starts_[depth]);
  starts_.resize(depth);
  changing_.forget(depth + 1);
}

Known Path::known() {
  if (!has_base_) {
    has_base_ = true;
    if (!in_guard_) source_.from_callable({facts_, changing_, 0});
  }
  for (std::size_t depth = starts_.size(); depth < frames_.size(); ++depth) {
    starts_.push_back(facts_.size());
    source_.from_parent(frames_[depth].term, frames_[depth].next - 1,
                        {facts_, changing_, depth + 1});
  }
  Known known = changing_.now();
  known.facts.insert(known.facts.begin(), facts_.begin(), facts_.end());
  source_.without_replaced(known);
  return known;
}

bool Path::allows_statements() const {
  if (frames_.empty()) return !in_guard_;
  const Frame& frame = frames_.back();
  if (!frame.allows_statements) return false;
  const std::uint32_t child = frame.next - 1;
  switch (store_.head(frame.term).control) {
    case Control::fold:
    case Control::forall:
      return child != 1;
    case Control::if_:
    case Control::assert_:
      return child != 0;
    case Control::while_:
      return child > 1;
    default:
      return true;
  }
}

term::Position Path::position(std::size_t from) const {
  term::Position position;
  for (std::size_t i = from; i < frames_.size(); ++i) position.push_back(frames_[i].next - 1);
  return position;
}

}  // namespace rhopsi::rewrite
