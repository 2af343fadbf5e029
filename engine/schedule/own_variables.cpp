#include "engine/schedule/own_variables.hpp"

#include <set>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::VariableId;

void rename(Nest& nest, const std::map<VariableId, VariableId>& names) {
  const auto change = [&](VariableId& variable) {
    if (const auto found = names.find(variable); found != names.end()) variable = found->second;
  };
  const auto form = [&](auto& s) {
    if constexpr (requires { change(s.variable); }) change(s.variable);
    if constexpr (requires { change(s.index); }) change(s.index);
  };
  const auto visit = [&](Expr& whole) {
    onf::each_part(whole, [&](Expr& e) {
      if (e.kind == Expr::Kind::variable) change(e.variable);
    });
  };
  for (VariableId& index : nest.indices) change(index);
  onf::each_in(nest.body, form, visit);
  visit(nest.element);
  for (Nest::Output& output : nest.also) visit(output.element);
}

Nest with_own_variables(onf::Function& function, const Nest& nest) {
  Nest made = nest;
  std::map<VariableId, VariableId> own;
  std::set<VariableId> declared = onf::declared_in(nest.body);
  declared.insert(nest.indices.begin(), nest.indices.end());
  for (const VariableId each : declared) {
    own.emplace(each, static_cast<VariableId>(function.variables.size()));
    function.variables.push_back(onf::Variable(function.variables[onf::number(each)]));
  }
  rename(made, own);
  return made;
}

}  // namespace rhopsi::schedule
