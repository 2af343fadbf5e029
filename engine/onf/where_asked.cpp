#include "engine/onf/where_asked.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

// Of an expression that stands at each place where it is asked for.
constexpr std::size_t most_parts = 1000;

}  // namespace

bool WhereAsked::put(Statements& body, Assigned* assigned) {
  return std::ranges::all_of(body, [&](Statement& each) { return put(each, assigned); });
}

bool WhereAsked::put(Statement& statement, Assigned* assigned) {
  if (auto* const lazy = std::get_if<Lazy>(&statement.form)) {
    return put(lazy->body, nullptr) && put(lazy->variable, std::move(lazy->value));
  }
  if (auto* const let = std::get_if<Let>(&statement.form)) {
    return !let->value || (let->constant && put(let->variable, std::move(*let->value)));
  }
  if (auto* const assign = std::get_if<Assign>(&statement.form)) {
    if (assigned == nullptr) return false;
    substitute(assign->value);
    return assigned->emplace(assign->variable, std::move(assign->value)).second;
  }
  auto* const branch = std::get_if<If>(&statement.form);
  return branch != nullptr && put(*branch);
}

bool WhereAsked::put(If& branch) {
  Assigned then, otherwise;
  if (!put(branch.then, &then) || !put(branch.otherwise, &otherwise)) return false;
  for (auto& [variable, value] : then) {
    const auto other = otherwise.find(variable);
    if (other == otherwise.end()) return false;
    Expr made;
    made.kind = Expr::Kind::if_;
    made.type = value.type;
    made.location = value.location;
    made.operands = {branch.condition, std::move(value), std::move(other->second)};
    if (!put(variable, std::move(made))) return false;
  }
  return then.size() == otherwise.size();
}

bool WhereAsked::put(VariableId variable, Expr value) {
  substitute(value);
  std::size_t parts = 0;
  each_part(value, [&](const Expr&) { ++parts; });
  values_.insert_or_assign(variable, std::move(value));
  return parts <= most_parts;
}

void WhereAsked::substitute(Expr& whole) const {
  each_part(whole, [&](Expr& e) {
    if (e.kind != Expr::Kind::variable) return;
    const auto found = values_.find(e.variable);
    if (found != values_.end()) e = Expr(found->second);
  });
}

}  // namespace rhopsi::onf
