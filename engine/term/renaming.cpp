#include "engine/term/renaming.hpp"

#include <algorithm>
#include <vector>

#include "engine/term/theory.hpp"

namespace rhopsi::term {

SortId Renamer::sort(SortId old) const {
  const auto found = renaming_.sorts.find(old);
  return found == renaming_.sorts.end() ? old : found->second;
}

SymbolId Renamer::symbol(SymbolId old) {
  if (const auto found = symbols_.find(old); found != symbols_.end()) return found->second;
  const SymbolId renamed = make(old);
  symbols_.emplace(old, renamed);
  return renamed;
}

void Renamer::set(SymbolId old, SymbolId renamed) {
  const auto [place, inserted] = symbols_.insert_or_assign(old, renamed);
  if (!inserted) terms_.clear();  // else no term that was seen has it
}

SymbolId Renamer::make(SymbolId id) {
  const Symbol old = store_[id];  // a copy: the store grows below
  const SortId result = sort(old.result);
  switch (old.kind) {
    case SymbolKind::variable:
      return result == old.result ? id : store_.fresh_variable(old.name, result, old.assignable);
    case SymbolKind::integer_literal:
      return result == old.result ? id : store_.integer_literal(old.integer, result);
    case SymbolKind::real_literal:
      return result == old.result ? id : store_.real_literal(old.name, result);
    case SymbolKind::control:
      return store_.control(old.control, result,
                            old.operation == SymbolId{} ? old.operation : symbol(old.operation));
    case SymbolKind::function:
    case SymbolKind::predicate:
    case SymbolKind::procedure:
      break;
  }
  std::vector<SortId> parameters;
  for (SortId parameter : old.parameters) parameters.push_back(sort(parameter));
  // Predicates of the language that nobody declares keep their names.
  const bool fixed = !renaming_.declared.contains(id) && builtin(store_, id) != Builtin::none;
  const auto found = renaming_.names.find(old.name);
  const bool kept = fixed || found == renaming_.names.end();
  return store_.operation(old.kind, kept ? old.name : found->second, parameters, result, old.modes);
}

TermId Renamer::term(TermId root) {
  std::vector<std::pair<TermId, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [term, leave] = pending.back();
    if (terms_.contains(term)) {
      pending.pop_back();
    } else if (leave) {
      pending.pop_back();
      const TermId renamed = make(term);
      terms_.emplace(term, renamed);
    } else {
      pending.back().second = true;
      for (TermId child : store_.children(term)) pending.emplace_back(child, false);
    }
  }
  return terms_.at(root);
}

// The parts are renamed already.
TermId Renamer::make(TermId old) {
  std::vector<TermId> children;
  for (TermId child : store_.children(old)) children.push_back(terms_.at(child));
  const std::vector<SymbolId> before(store_.bound(old).begin(), store_.bound(old).end());
  std::vector<SymbolId> bound;
  for (SymbolId variable : before) bound.push_back(symbol(variable));
  const SymbolId renamed = symbol(store_.symbol(old));
  const bool kept = renamed == store_.symbol(old) && bound == before &&
                    std::ranges::equal(children, store_.children(old));
  return kept ? old : store_.make(renamed, children, bound, store_.location(old));
}

}  // namespace rhopsi::term
