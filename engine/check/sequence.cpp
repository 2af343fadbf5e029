#include "engine/check/sequence.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace rhopsi::check {

using term::Control;
using term::Store;

namespace {

std::set<SymbolId> changed_in(const Store& store, TermId root) {
  std::set<SymbolId> changed;
  for (const TermId part : parts_of(store, root)) {
    const term::Symbol& head = store.head(part);
    const auto children = store.children(part);
    if (head.control == Control::assign) changed.insert(store.symbol(children[0]));
    if (head.kind != term::SymbolKind::procedure) continue;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (head.modes[i] != term::Mode::obs) changed.insert(store.symbol(children[i]));
    }
  }
  return changed;
}

std::set<SymbolId> declared_in(const Store& store, std::span<const TermId> statements) {
  std::set<SymbolId> declared;
  for (const TermId statement : statements) {
    if (!store.is(statement, Control::declare)) continue;
    declared.insert(store.symbol(store.children(statement)[0]));
  }
  return declared;
}

std::set<SymbolId> bound_of(const Store& store, TermId term) {
  const auto bound = store.bound(term);
  return {bound.begin(), bound.end()};
}

// Each variable that is changed stands for one that no other value mentions.
std::optional<std::string> problem_with_values(const Store& store, const Axiom& axiom,
                                               const Values& values) {
  const std::set<SymbolId> changed = changed_in(store, axiom.left);
  const std::set<SymbolId> changed_right = changed_in(store, axiom.right);
  for (const SymbolId variable : axiom.variables) {
    if (!changed.contains(variable)) {
      if (changed_right.contains(variable)) return axiom.name + " changes one of its variables";
      continue;
    }
    const TermId value = values.at(variable);
    if (!store.is_variable(value)) return axiom.name + " changes what is no variable";
    for (const SymbolId other : axiom.variables) {
      if (other == variable) continue;
      if (mentions(store, values.at(other), {store.symbol(value)})) {
        return "`" + store[other].name + "` mentions what " + axiom.name + " changes";
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_sequence(const Store& store, const Axiom& axiom) {
  return store.is(axiom.left, Control::block) && store.sort(axiom.left) == store.statement_sort();
}

std::optional<std::string> problem_with_sequence(const Store& store, const Axiom& axiom,
                                                 const Values& values, const Step& step) {
  if (!step.statement) return "the step does not say which statements it replaces";
  const bool blocks = store.symbol(axiom.right) == store.symbol(axiom.left) &&
                      store.is(step.before, Control::block) &&
                      store.symbol(step.before) == store.symbol(step.after);
  if (!blocks) {
    return "the step replaces statements where there is no block";
  }
  if (store.children(axiom.left).empty()) return axiom.name + " has no statement on its left side";
  const std::size_t first = *step.statement;
  if (!is_instance_within(store, axiom.left, values, step.before, first)) {
    return "the statements are not the left side of " + axiom.name + " under the substitution";
  }
  if (!is_instance_within(store, axiom.right, values, step.after, first)) {
    return "the statements are not the right side of " + axiom.name + " under the substitution";
  }
  const auto before = store.children(step.before);
  const auto after = store.children(step.after);
  const std::size_t left = store.children(axiom.left).size();
  const std::size_t right = store.children(axiom.right).size();
  if (!std::ranges::equal(before.first(first), after.first(first)) ||
      !std::ranges::equal(before.subspan(first + left), after.subspan(first + right))) {
    return "the step changes other statements of the block";
  }
  const auto gone = declared_in(store, before.subspan(first, left));
  const auto added = declared_in(store, after.subspan(first, right));
  std::set<SymbolId> bound = bound_of(store, step.before);
  for (const SymbolId variable : gone) bound.erase(variable);
  bound.insert(added.begin(), added.end());
  if (bound != bound_of(store, step.after)) return "the block declares other variables";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i >= first && i < first + left) continue;
    if (mentions(store, before[i], gone) || mentions(store, before[i], added)) {
      return "another statement mentions a variable that the statements declare";
    }
  }
  return problem_with_values(store, axiom, values);
}

}  // namespace rhopsi::check
