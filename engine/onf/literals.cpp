#include "engine/onf/literals.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

bool is_literal(const Expr& e) {
  return e.kind == Expr::Kind::integer || e.kind == Expr::Kind::boolean;
}

// What is declared here, and assigned once, here: constants. A branch that is taken in any case has
// left them.
void name_once(Statements& body) {
  std::map<VariableId, int> assigned;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Assign>) ++assigned[s.variable];
  };
  each_in(std::as_const(body), form, [](const Expr&) {});
  std::set<VariableId> declared, once;
  for (Statement& statement : body) {
    const auto* const let = std::get_if<Let>(&statement.form);
    if (let != nullptr && !let->value) declared.insert(let->variable);
    auto* const assign = std::get_if<Assign>(&statement.form);
    if (assign == nullptr || assigned[assign->variable] != 1 ||
        !declared.contains(assign->variable))
      continue;
    once.insert(assign->variable);
    statement.form = Let{assign->variable, std::move(assign->value), true};
  }
  std::erase_if(body, [&](const Statement& statement) {
    const auto* const let = std::get_if<Let>(&statement.form);
    return let != nullptr && !let->value && once.contains(let->variable);
  });
}

}  // namespace

const Expr* Literals::find(VariableId variable) const {
  const auto found = known_.find(variable);
  return found == known_.end() ? nullptr : &found->second;
}

void Literals::forget_assigned(const Statements& body) {
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Assign>) known_.erase(s.variable);
  };
  each_in(body, form, [](const Expr&) {});
}

void Literals::note_constant(const Statement& statement) {
  const auto* const let = std::get_if<Let>(&statement.form);
  if (let != nullptr && let->constant && let->value && is_literal(*let->value))
    set(let->variable, *let->value);
}

void Literals::note(const Statement& statement) {
  note_constant(statement);
  const auto* const assign = std::get_if<Assign>(&statement.form);
  if (assign == nullptr) return;
  if (is_literal(assign->value)) {
    set(assign->variable, assign->value);
  } else {
    known_.erase(assign->variable);
  }
}

// The statements that take its place.
Statements Literals::decided(If branch, const std::function<void(Expr&)>& rename,
                             term::LocationId location) {
  rename(branch.condition);
  if (branch.condition.kind == Expr::Kind::boolean) {
    Statements taken = std::move(branch.condition.integer != 0 ? branch.then : branch.otherwise);
    through(taken, rename);
    return taken;
  }
  const auto forget_both = [&] { forget_assigned(branch.then), forget_assigned(branch.otherwise); };
  forget_both();
  through(branch.then, rename);
  forget_both();
  through(branch.otherwise, rename);
  forget_both();
  Statements made;
  made.push_back({std::move(branch), location});
  return made;
}

void Literals::through(Statements& body, const std::function<void(Expr&)>& rename) {
  Statements made;
  for (Statement& statement : body) {
    if (auto* const branch = std::get_if<If>(&statement.form)) {
      Statements taken = decided(std::move(*branch), rename, statement.location);
      std::ranges::move(taken, std::back_inserter(made));
      continue;
    }
    Statements one;
    one.push_back(std::move(statement));
    if (!std::holds_alternative<Assign>(one.front().form)) forget_assigned(one);
    each_in(
        one, [](const auto&) {}, rename);
    note(one.front());
    made.push_back(std::move(one.front()));
  }
  name_once(made);
  body = std::move(made);
}

}  // namespace rhopsi::onf
