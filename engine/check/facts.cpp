#include "engine/check/facts.hpp"

#include <algorithm>

#include "engine/check/replacement.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::check {

using term::Arithmetic;
using term::Basis;
using term::Control;
using term::SymbolKind;

namespace {

// As many facts about variables that are assigned are kept, the last ones.
constexpr std::ptrdiff_t most_changing = 32;
// Through so many statements before a place they are followed.
constexpr std::uint32_t most_statements = 64;

}  // namespace

Facts::Facts(Terms& terms, std::span<const Operation> operations)
    : terms_(terms), store_(terms.store()) {
  for (const Operation& operation : operations) {
    if (operation.guard) guarded_.emplace(operation.symbol, &operation);
    const term::Symbol& symbol = store_[operation.symbol];
    if (symbol.kind != SymbolKind::predicate || symbol.parameters.size() != 2) continue;
    if (symbol.parameters[0] != symbol.parameters[1]) continue;
    Order& order = orders_[symbol.parameters[0]];
    if (operation.meaning == Arithmetic::less) order.less = operation.symbol;
    if (operation.meaning == Arithmetic::less_equal) order.less_equal = operation.symbol;
  }
}

void Facts::enter(const Parts& callable) {
  own_guard_ = callable.guard;
  assigned_.clear();
  replaced_.clear();
  if (callable.body) assigned_ = changed_in(*callable.body);
}

void Facts::replaced(TermId before, TermId after) {
  const std::vector<SymbolId> free = term::free_variables(store_, after);
  for (const SymbolId variable : changed_in(after)) {
    assigned_.insert(variable);
    const bool from_outside = std::ranges::find(free, variable) != free.end();
    if (from_outside && !changed_in(before).contains(variable)) replaced_.insert(variable);
  }
}

const std::set<SymbolId>& Facts::changed_in(TermId root) {
  const auto [place, inserted] = changed_.try_emplace(root);
  if (!inserted) return place->second;
  for (TermId term : parts_of(store_, root)) {
    const term::Symbol& head = store_.head(term);
    const auto children = store_.children(term);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool target = (head.control == Control::assign && i == 0) ||
                          (head.kind == SymbolKind::procedure && head.modes[i] != term::Mode::obs);
      if (target) place->second.insert(store_.symbol(children[i]));
    }
  }
  return place->second;
}

void Facts::add(TermId condition, bool positive, Basis basis, std::vector<Fact>& out) const {
  const bool changing = !assigned_.empty() && mentions(store_, condition, assigned_);
  if (changing && mentions(store_, condition, replaced_)) return;
  out.push_back({condition, positive, basis, changing});
  // No step rests on what is so far away.
  const auto is_changing = [](const Fact& fact) { return fact.changing; };
  if (changing && std::ranges::count_if(out, is_changing) > most_changing) {
    out.erase(std::ranges::find_if(out, is_changing));
  }
}

std::vector<Fact> Facts::at(TermId root, bool in_guard, std::span<const std::uint32_t> position,
                            TermId pattern) {
  std::vector<Fact> facts;
  if (!in_guard && own_guard_) add(*own_guard_, true, Basis::entry_check, facts);
  TermId term = root;
  TermId parent = root;
  for (const std::uint32_t child : position) {
    from_parent(term, child, facts);
    parent = term;
    term = store_.children(term)[child];
  }
  within(term, parent, position.empty() ? 0 : position.back(), pattern, facts);
  presupposed(pattern, term, facts);
  return facts;
}

// What a rule about statements asks for may be asked in the midst of them.
void Facts::within(TermId redex, TermId block, std::size_t number, TermId pattern,
                   std::vector<Fact>& out) {
  if (assigned_.empty() || store_.sort(redex) != store_.statement_sort()) return;
  const bool in_a_row = store_.is(pattern, Control::block) && store_.is(block, Control::block);
  if (!in_a_row) return forget({redex, store_.children(redex).size()}, changed_in(redex), out);
  const std::size_t length = store_.children(pattern).size();
  const std::size_t all = store_.children(block).size();
  for (std::size_t i = number; i < std::min(all, number + length); ++i) {
    forget({block, all + i}, changed_in(store_.children(block)[i]), out);
  }
}

void Facts::from_parent(TermId parent, std::uint32_t child, std::vector<Fact>& out) {
  const term::Symbol& head = store_.head(parent);
  const std::vector<TermId> parts(store_.children(parent).begin(), store_.children(parent).end());
  switch (head.control) {
    case Control::none:
      return from_operation(parent, out);
    case Control::if_:
      if (child > 0) add(parts[0], child == 1, Basis::context, out);
      return;
    case Control::while_:
    case Control::for_:
    case Control::iterate:
      return from_loop(parent, child, out);
    case Control::fold:
    case Control::forall:
      if (child == 1) range(store_.bound(parent)[0], std::nullopt, parts[0], out);
      return;
    case Control::block:
      return from_block(parent, child, out);
    default:
      return;
  }
}

// In each round with what the earlier ones have left; the ends of a range are what they were before
// the first.
void Facts::from_loop(TermId loop, std::uint32_t child, std::vector<Fact>& out) {
  const std::vector<TermId> parts(store_.children(loop).begin(), store_.children(loop).end());
  const bool counted = store_.is(loop, Control::for_);
  if (child == 0 && !store_.is(loop, Control::while_)) return;
  const std::set<SymbolId>& changed = changed_in(loop);
  const Place place{loop, child};
  forget(place, changed, out);
  if (child != 2) return;
  if (!counted) {
    add(parts[0], true, Basis::context, out);
    return;
  }
  Values before;
  for (const SymbolId variable : changed) {
    const bool at_an_end =
        mentions(store_, parts[0], {variable}) || mentions(store_, parts[1], {variable});
    if (at_an_end) before.emplace(variable, terms_.make(former(place, variable)));
  }
  const auto at_first = [&](TermId end) {
    return before.empty() ? std::optional(end) : terms_.substitute(end, before);
  };
  const auto low = at_first(parts[0]);
  const auto high = at_first(parts[1]);
  if (low && high) range(store_.bound(loop)[0], *low, *high, out);
}

void Facts::from_block(TermId block, std::uint32_t child, std::vector<Fact>& out) {
  const std::uint32_t near = child - std::min(child, most_statements);
  std::set<SymbolId> lost;
  for (std::uint32_t i = 0; i < near; ++i) from_far_statement(block, i, lost, out);
  for (std::uint32_t i = near; i < child; ++i) from_statement(block, i, out);
}

// What it says of variables that are assigned is not followed.
void Facts::from_far_statement(TermId block, std::size_t number, std::set<SymbolId>& lost,
                               std::vector<Fact>& out) {
  const TermId statement = store_.children(block)[number];
  const bool asserts = store_.is(statement, Control::assert_);
  if (asserts && mentions(store_, store_.children(statement)[0], assigned_)) return;
  const bool constant = store_.is(statement, Control::declare) &&
                        !assigned_.contains(store_.symbol(store_.children(statement)[0]));
  if (asserts || constant) return from_statement(block, number, out);
  for (const SymbolId variable : changed_in(statement)) {
    if (lost.insert(variable).second) forget({block, number}, {variable}, out);
  }
}

void Facts::from_statement(TermId block, std::size_t number, std::vector<Fact>& out) {
  const TermId statement = store_.children(block)[number];
  const std::vector<TermId> parts(store_.children(statement).begin(),
                                  store_.children(statement).end());
  const bool declares = store_.is(statement, Control::declare);
  if (store_.is(statement, Control::assert_)) {
    add(parts[0], true, Basis::entry_check, out);
  } else if (declares || store_.is(statement, Control::assign)) {
    assign({block, number}, statement, out);
  } else if (!assigned_.empty()) {
    forget({block, number}, changed_in(statement), out);
  }
}

void Facts::assign(Place place, TermId statement, std::vector<Fact>& out) {
  const std::vector<TermId> parts(store_.children(statement).begin(),
                                  store_.children(statement).end());
  const SymbolId variable = store_.symbol(parts[0]);
  if (!assigned_.empty()) {
    std::set<SymbolId> changed = changed_in(statement);
    changed.insert(variable);
    forget(place, changed, out);
  }
  if (parts.size() != 2 || !orders_.contains(store_.sort(parts[0]))) return;
  TermId value = parts[1];
  if (mentions(store_, value, {variable})) {
    const auto before =
        terms_.substitute(value, Values{{variable, terms_.make(former(place, variable))}});
    if (!before) return;
    value = *before;
  }
  const SymbolId equal =
      term::builtin_symbol(terms_.store(), term::Builtin::equal, store_.sort(parts[0]));
  add(terms_.make(equal, {parts[0], value}), true, Basis::context, out);
}

// What is known of these variables is about the values before from here on.
void Facts::forget(Place place, const std::set<SymbolId>& variables, std::vector<Fact>& out) {
  for (const SymbolId variable : variables) {
    std::vector<Fact> kept;
    for (const Fact& fact : out) {
      if (!fact.changing || !mentions(store_, fact.condition, {variable})) {
        kept.push_back(fact);
        continue;
      }
      const Values before{{variable, terms_.make(former(place, variable))}};
      if (const auto condition = terms_.substitute(fact.condition, before)) {
        kept.push_back({*condition, fact.positive, fact.basis, true});
      }
    }
    out = std::move(kept);
  }
}

SymbolId Facts::former(Place place, SymbolId variable) {
  const auto [found, inserted] = formers_.try_emplace({place, variable});
  if (inserted) {
    const std::string name = store_[variable].name;
    found->second = terms_.store().fresh_variable(name + "'", store_[variable].result);
    if (replaced_.contains(variable)) replaced_.insert(found->second);
  }
  return found->second;
}

void Facts::range(SymbolId index, std::optional<TermId> low, TermId high, std::vector<Fact>& out) {
  const term::SortId sort = store_[index].result;
  const auto order = orders_.find(sort);
  if (order == orders_.end() || store_.sort(high) != sort) return;
  const TermId variable = terms_.make(index);
  if (!low) low = terms_.make(terms_.store().integer_literal(0, sort));
  const auto relation = [&](std::optional<SymbolId> predicate, TermId left, TermId right) {
    if (predicate) add(terms_.make(*predicate, {left, right}), true, Basis::context, out);
  };
  relation(order->second.less_equal, *low, variable);
  relation(order->second.less, variable, high);
}

void Facts::from_operation(TermId call, std::vector<Fact>& out) {
  const auto found = guarded_.find(store_.symbol(call));
  if (found == guarded_.end()) return;
  const Operation& operation = *found->second;
  const auto arguments = store_.children(call);
  Values values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.emplace(operation.parameters[i], arguments[i]);
  }
  const auto condition = terms_.substitute(*operation.guard, values);
  if (condition) out.push_back({*condition, true, Basis::assumed});
}

// The operations of the pattern are evaluated whenever the redex is, unless a construct or a
// connective stands between.
void Facts::presupposed(TermId pattern_root, TermId redex, std::vector<Fact>& out) {
  std::set<std::pair<TermId, TermId>> seen;
  std::vector<std::pair<TermId, TermId>> pending{{pattern_root, redex}};
  while (!pending.empty()) {
    const auto [pattern, subject] = pending.back();
    pending.pop_back();
    const SymbolKind kind = store_.head(pattern).kind;
    if (kind != SymbolKind::function && kind != SymbolKind::predicate) continue;
    if (connects(store_.symbol(pattern)) || !seen.insert({pattern, subject}).second) continue;
    from_operation(subject, out);
    for (std::size_t i = 0; i < store_.children(pattern).size(); ++i) {
      pending.emplace_back(store_.children(pattern)[i], store_.children(subject)[i]);
    }
  }
}

bool Facts::connects(SymbolId symbol) const {
  switch (term::builtin(store_, symbol)) {
    case term::Builtin::and_:
    case term::Builtin::or_:
    case term::Builtin::implies:
      return true;
    default:
      return false;
  }
}

bool allows_statements(const term::Store& store, TermId root, bool in_guard,
                       std::span<const std::uint32_t> position) {
  if (in_guard) return false;
  TermId term = root;
  for (const std::uint32_t child : position) {
    switch (store.head(term).control) {
      case Control::fold:
      case Control::forall:
        if (child == 1) return false;
        break;
      case Control::if_:
      case Control::assert_:
        if (child == 0) return false;
        break;
      case Control::while_:
        if (child < 2) return false;
        break;
      default:
        break;
    }
    term = store.children(term)[child];
  }
  return true;
}

}  // namespace rhopsi::check
