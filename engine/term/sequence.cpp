#include "engine/term/sequence.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/term/operations.hpp"

namespace rhopsi::term {

namespace {

// What a variable's first use in statements is, as far as their form tells.
enum class Use { none, read, set, unclear };

Use use_in_call(const Store& store, SymbolId variable, TermId call) {
  const auto arguments = store.children(call);
  const auto& modes = store.head(call).modes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (modes[i] != Mode::out && occurs(store, variable, arguments[i])) return Use::read;
  }
  return Use::set;
}

Use use_in(const Store& store, SymbolId variable, TermId statement) {
  if (!occurs(store, variable, statement)) return Use::none;
  if (store.head(statement).kind == SymbolKind::procedure) {
    return use_in_call(store, variable, statement);
  }
  const auto children = store.children(statement);
  switch (store.head(statement).control) {
    case Control::assign:
      return occurs(store, variable, children[1]) ? Use::read : Use::set;
    case Control::declare:
    case Control::assert_:
      return Use::read;
    default:
      return Use::unclear;
  }
}

Use first_use(const Store& store, SymbolId variable, TermId block) {
  for (const TermId statement : store.children(block)) {
    if (const Use use = use_in(store, variable, statement); use != Use::none) return use;
  }
  return Use::none;
}

bool contains(const std::vector<SymbolId>& list, SymbolId variable) {
  return std::ranges::find(list, variable) != list.end();
}

// `{ var u = x; var v = y; statements on u and v; value u }` of those that are changed.
TermId value_after(Store& store, TermId block, const std::vector<SymbolId>& changed,
                   SymbolId wanted) {
  Substitution copies;
  std::vector<SymbolId> bound;
  std::vector<TermId> statements;
  for (const SymbolId variable : changed) {
    const SymbolId copy = store.fresh_variable(store[variable].name, store[variable].result);
    const TermId named = store.make(copy, {});
    copies[variable] = named;
    bound.push_back(copy);
    statements.push_back(store.make(store.control(Control::declare, store.statement_sort()),
                                    {named, store.make(variable, {})}));
  }
  statements.push_back(substitute(store, block, copies));
  statements.push_back(
      store.make(store.control(Control::value, store.statement_sort()), {copies.at(wanted)}));
  return store.make(store.control(Control::block, store[wanted].result), statements, bound);
}

}  // namespace

std::vector<Claim> claims_about_values(Store& store, Claim claim) {
  std::vector<Claim> claims;
  if (!claim.right || !is_sequence(store, claim.left)) {
    claims.push_back(std::move(claim));
    return claims;
  }
  std::vector<SymbolId> changed;
  const std::vector<SymbolId> free = free_variables(store, claim.left);
  for (const SymbolId each : changed_variables(store, claim.left)) {
    if (contains(free, each)) changed.push_back(each);
  }
  for (const SymbolId each : changed) {
    Claim about = claim;
    about.name += ", " + store[each].name;
    about.left = value_after(store, claim.left, changed, each);
    about.right = value_after(store, *claim.right, changed, each);
    claims.push_back(std::move(about));
  }
  return claims;
}

std::vector<SymbolId> changed_variables(const Store& store, TermId term) {
  std::vector<SymbolId> found;
  std::unordered_set<SymbolId> reported;
  std::unordered_set<TermId> seen;
  const auto change = [&](TermId target) {
    if (store.is_variable(target) && reported.insert(store.symbol(target)).second) {
      found.push_back(store.symbol(target));
    }
  };
  for_each_subterm(store, term, [&](TermId subterm) {
    if (!seen.insert(subterm).second) return false;
    const Symbol& head = store.head(subterm);
    const auto children = store.children(subterm);
    if (head.control == Control::assign) change(children[0]);
    if (head.kind == SymbolKind::procedure) {
      for (std::size_t i = 0; i < children.size(); ++i) {
        if (head.modes[i] != Mode::obs) change(children[i]);
      }
    }
    return true;
  });
  return found;
}

bool is_sequence(const Store& store, TermId left) {
  return store.is(left, Control::block) && store.sort(left) == store.statement_sort();
}

std::optional<std::string> sequence_problem(const Store& store, TermId left, TermId right) {
  if (store.children(left).empty()) return "there is no statement on the left side";
  const auto changed_left = changed_variables(store, left);
  const auto changed_right = changed_variables(store, right);
  for (const SymbolId variable : free_variables(store, left)) {
    const std::string name = "`" + store[variable].name + "`";
    if (!contains(changed_left, variable)) {
      if (contains(changed_right, variable)) {
        return "the right side changes " + name + ", and the left side does not";
      }
      continue;
    }
    // It may have no value before, where the left side sets it.
    if (first_use(store, variable, left) == Use::read) continue;
    if (first_use(store, variable, right) != Use::set) {
      return "the left side does not read " + name +
             " before it sets it, and the right side has to set it first too";
    }
  }
  return std::nullopt;
}

}  // namespace rhopsi::term
