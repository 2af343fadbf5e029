#include "engine/rewrite/unfold.hpp"

#include <algorithm>

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

// Elements by index, an index of its own in every copy: such bodies inside each other would not be
// shared, and their copies grow with the number of paths.
bool Unfolder::is_table(TermId body) const {
  return store_.is(body, Control::forall) && store_.sort(body) != store_.predicate_sort();
}

const term::Callable* Unfolder::unfoldable(SymbolId symbol) const {
  const SymbolKind kind = store_[symbol].kind;
  if (kind != SymbolKind::function && kind != SymbolKind::predicate) return nullptr;
  const term::Callable* callable = theory_.find(symbol);
  const bool fits =
      callable && callable->body && (!callable->parameters.empty() || direct_.contains(symbol));
  return fits && !is_table(*callable->body) ? callable : nullptr;
}

std::vector<SymbolId> Unfolder::callees_of(TermId term) const {
  std::vector<SymbolId> callees;
  for (SymbolId symbol : term::operations_in(store_, term)) {
    if (unfoldable(symbol)) callees.push_back(symbol);
  }
  return callees;
}

bool Unfolder::reaches_itself(SymbolId symbol) const {
  std::unordered_set<SymbolId> seen;
  std::vector<SymbolId> pending = callees_of(*theory_.find(symbol)->body);
  while (!pending.empty()) {
    const SymbolId next = pending.back();
    pending.pop_back();
    if (next == symbol) return true;
    if (!seen.insert(next).second) continue;
    const auto callees = callees_of(*theory_.find(next)->body);
    pending.insert(pending.end(), callees.begin(), callees.end());
  }
  return false;
}

// Makes the forms of everything that `term` calls, callees before their callers.
void Unfolder::prepare(TermId root) {
  struct Visit {
    SymbolId symbol;
    bool leave;
  };
  std::vector<Visit> pending;
  const auto enter_all = [&](TermId term) {
    for (SymbolId symbol : callees_of(term)) {
      if (!forms_.contains(symbol)) pending.push_back({symbol, false});
    }
  };
  enter_all(root);
  while (!pending.empty()) {
    const Visit visit = pending.back();
    pending.pop_back();
    const term::Callable& callable = *theory_.find(visit.symbol);
    if (visit.leave) {
      conditions_.clear();
      if (callable.guard) conditions_.push_back(*callable.guard);
      TermId body = expand(*callable.body);
      if (auto expression = straight_line(store_, body)) body = expression->value;
      forms_[visit.symbol] = Form{callable.parameters, body, std::move(conditions_)};
    } else if (!forms_.contains(visit.symbol)) {
      if (reaches_itself(visit.symbol)) {
        forms_[visit.symbol] = std::nullopt;
      } else {
        pending.push_back({visit.symbol, true});
        enter_all(*callable.body);
      }
    }
  }
}

TermId Unfolder::unfold(TermId term) {
  for (SymbolId symbol : term::operations_in(store_, term)) direct_.insert(symbol);
  prepare(term);
  conditions_.clear();
  return expand(term);
}

struct Unfolder::Frame {
  TermId term;
  bool certain = true;  // evaluated whenever the root is
  std::size_t first_result = 0;
  std::size_t first_condition = 0;
  std::uint32_t next = 0;
};

TermId Unfolder::expand(TermId root) {
  std::vector<Frame> stack{{root, true, 0, conditions_.size()}};
  std::vector<TermId> results;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next < store_.children(frame.term).size()) {
      const bool evaluated = certain(frame);
      const TermId child = store_.children(frame.term)[frame.next++];
      stack.push_back({child, evaluated, results.size(), conditions_.size()});
      continue;
    }
    const std::vector<TermId> children(
        results.begin() + static_cast<std::ptrdiff_t>(frame.first_result), results.end());
    results.resize(frame.first_result);
    TermId result = frame.term;
    auto form = forms_.find(store_.symbol(frame.term));
    if (form != forms_.end() && form->second) {
      result = replaced(*form->second, children, frame.certain);
    } else if (!std::ranges::equal(children, store_.children(frame.term))) {
      result = store_.make(store_.symbol(frame.term), children, store_.bound(frame.term),
                           store_.location(frame.term));
    }
    without_variables(result, frame.first_condition);
    results.push_back(result);
    stack.pop_back();
  }
  return results.back();
}

TermId Unfolder::replaced(const Form& form, std::span<const TermId> arguments, bool certain) {
  term::Substitution given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    given.emplace(form.parameters[i], arguments[i]);
  }
  if (certain) {
    for (TermId condition : form.conditions) {
      conditions_.push_back(term::instantiate(store_, condition, given));
    }
  }
  ++count_;
  return term::instantiate(store_, form.body, given);
}

namespace {

// Only declarations with values, and the block's value at the end.
bool only_binds(const term::Store& store, TermId block) {
  if (store.sort(block) == store.statement_sort()) return false;
  const auto statements = store.children(block);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool last = i + 1 == statements.size();
    const bool fits = last ? store.is(statements[i], Control::value)
                           : store.is(statements[i], Control::declare) &&
                                 store.children(statements[i]).size() == 2;
    if (!fits) return false;
  }
  return true;
}

}  // namespace

// Is the frame's next child evaluated whenever the root is? Not in branches, in what a loop
// repeats, in the right side of a connective, nor among statements.
bool Unfolder::certain(const Frame& frame) const {
  if (!frame.certain) return false;
  switch (store_.head(frame.term).control) {
    case Control::none:
      break;
    case Control::if_:
    case Control::fold:
    case Control::forall:
      return frame.next == 0;
    case Control::block:
      return only_binds(store_, frame.term);
    case Control::declare:
    case Control::value:
    case Control::vector_:
      return true;
    default:
      return false;
  }
  switch (term::builtin(store_, store_.symbol(frame.term))) {
    case term::Builtin::and_:
    case term::Builtin::or_:
    case term::Builtin::implies:
      return frame.next == 0;
    default:
      return true;
  }
}

// The conditions from `first` on come from inside the block: they say what they say without
// its variables.
void Unfolder::without_variables(TermId block, std::size_t first) {
  if (first == conditions_.size() || !store_.is(block, Control::block)) return;
  const auto line = straight_line(store_, block);
  if (!line) return;
  for (std::size_t i = first; i < conditions_.size(); ++i) {
    conditions_[i] = term::substitute(store_, conditions_[i], line->bindings);
  }
}

bool has_statements(const term::Store& store, TermId root) {
  bool found = false;
  term::for_each_subterm(store, root, [&](TermId subterm) {
    const term::Symbol& head = store.head(subterm);
    found = found || head.kind == SymbolKind::procedure || head.control == Control::assign;
    return !found;
  });
  return found;
}

std::optional<StraightLine> straight_line(term::Store& store, TermId block) {
  if (!store.is(block, Control::block) || store.sort(block) == store.statement_sort()) {
    return std::nullopt;
  }
  const std::vector<TermId> statements(store.children(block).begin(), store.children(block).end());
  term::Substitution bindings;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto children = store.children(statements[i]);
    if (store.is(statements[i], Control::value) && i + 1 == statements.size()) {
      const TermId value = term::substitute(store, children[0], bindings);
      return StraightLine{value, std::move(bindings)};
    }
    // Statements inside a binding would be copied to every use of its variable.
    if (!store.is(statements[i], Control::declare) || children.size() != 2 ||
        has_statements(store, children[1])) {
      return std::nullopt;
    }
    const SymbolId variable = store.symbol(children[0]);
    const TermId initial = children[1];
    bindings[variable] = term::substitute(store, initial, bindings);
  }
  return std::nullopt;
}

}  // namespace rhopsi::rewrite
