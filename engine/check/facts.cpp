#include "engine/check/facts.hpp"

#include <algorithm>

#include "engine/check/replacement.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::check {

using term::Arithmetic;
using term::Basis;
using term::Control;
using term::SymbolKind;

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
  if (callable.body) add_assigned(*callable.body);
}

void Facts::add_assigned(TermId root) {
  for (TermId term : parts_of(store_, root)) {
    const term::Symbol& head = store_.head(term);
    const auto children = store_.children(term);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool target = (head.control == Control::assign && i == 0) ||
                          (head.kind == SymbolKind::procedure && head.modes[i] != term::Mode::obs);
      if (target) assigned_.insert(store_.symbol(children[i]));
    }
  }
}

void Facts::add(TermId condition, bool positive, Basis basis, bool constant,
                std::vector<Fact>& out) const {
  if (constant || assigned_.empty() || !mentions(store_, condition, assigned_)) {
    out.push_back({condition, positive, basis});
  }
}

std::vector<Fact> Facts::at(TermId root, bool in_guard, std::span<const std::uint32_t> position,
                            TermId pattern) {
  std::vector<Fact> facts;
  if (!in_guard && own_guard_) add(*own_guard_, true, Basis::entry_check, false, facts);
  TermId term = root;
  for (const std::uint32_t child : position) {
    from_parent(term, child, facts);
    term = store_.children(term)[child];
  }
  presupposed(pattern, term, facts);
  return facts;
}

void Facts::from_parent(TermId parent, std::uint32_t child, std::vector<Fact>& out) {
  const term::Symbol& head = store_.head(parent);
  const std::vector<TermId> parts(store_.children(parent).begin(), store_.children(parent).end());
  const bool statement = store_.sort(parent) == store_.statement_sort();
  switch (head.control) {
    case Control::none:
      return from_operation(parent, out);
    case Control::if_:
      if (child > 0) add(parts[0], child == 1, Basis::context, !statement, out);
      return;
    case Control::while_:
      if (child == 2) add(parts[0], true, Basis::context, false, out);
      return;
    case Control::for_:
      if (child == 2) range(store_.bound(parent)[0], parts[0], parts[1], true, out);
      return;
    case Control::fold:
    case Control::forall:
      if (child == 1) range(store_.bound(parent)[0], std::nullopt, parts[0], false, out);
      return;
    case Control::block:
      return from_block(parent, child, out);
    default:
      return;
  }
}

void Facts::from_block(TermId block, std::uint32_t child, std::vector<Fact>& out) {
  const std::vector<TermId> statements(store_.children(block).begin(),
                                       store_.children(block).end());
  for (std::uint32_t i = 0; i < child; ++i) {
    const std::vector<TermId> parts(store_.children(statements[i]).begin(),
                                    store_.children(statements[i]).end());
    if (store_.is(statements[i], Control::assert_)) {
      add(parts[0], true, Basis::entry_check, false, out);
    } else if (store_.is(statements[i], Control::declare) && parts.size() == 2 &&
               orders_.contains(store_.sort(parts[0]))) {
      const SymbolId equal =
          term::builtin_symbol(terms_.store(), term::Builtin::equal, store_.sort(parts[0]));
      add(terms_.make(equal, {parts[0], parts[1]}), true, Basis::context, false, out);
    }
  }
}

void Facts::range(SymbolId index, std::optional<TermId> low, TermId high, bool assignable,
                  std::vector<Fact>& out) {
  const term::SortId sort = store_[index].result;
  const auto order = orders_.find(sort);
  if (order == orders_.end() || store_.sort(high) != sort) return;
  const TermId variable = terms_.make(index);
  if (!low) low = terms_.make(terms_.store().integer_literal(0, sort));
  const auto relation = [&](std::optional<SymbolId> predicate, TermId left, TermId right) {
    if (predicate) {
      add(terms_.make(*predicate, {left, right}), true, Basis::context, !assignable, out);
    }
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
