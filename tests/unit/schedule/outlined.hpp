// What tests of outlined functions have in common.
#pragma once

#include <algorithm>
#include <string>
#include <variant>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {

inline std::string text_of(const onf::Module& module) {
  return onf::to_string(term::Store(), module);
}

inline std::size_t parts_in(const onf::Module& module) {
  return std::size_t(std::ranges::count_if(module.functions, [](const onf::Function& function) {
    return function.part_of.has_value() && !function.repeats;
  }));
}

template <class Form>
std::size_t statements_of(const onf::Statements& body) {
  std::size_t count = 0;
  for (const onf::Statement& statement : body) {
    if (std::holds_alternative<Form>(statement.form)) ++count;
  }
  return count;
}

// What a call of `several` is in the module: f_part_1_2_times.
inline bool calls_repeated(const onf::Module& module, const onf::Statements& body) {
  for (const onf::Statement& statement : body) {
    if (const auto* call = std::get_if<onf::Call>(&statement.form)) {
      if (module.functions[onf::number(call->call.callee)].repeats) return true;
    } else if (const auto* loop = std::get_if<onf::Iterate>(&statement.form)) {
      if (calls_repeated(module, loop->body)) return true;
    } else if (const auto* counted = std::get_if<onf::For>(&statement.form)) {
      if (calls_repeated(module, counted->body)) return true;
    } else if (const auto* branch = std::get_if<onf::If>(&statement.form)) {
      if (calls_repeated(module, branch->then)) return true;
      if (calls_repeated(module, branch->otherwise)) return true;
    }
  }
  return false;
}

inline Recipe calls_together(std::int64_t times) {
  Recipe recipe = standard_recipe();
  for (RecipeStep& step : recipe.steps) {
    if (step.kind == StepKind::repeat) step.bound = times;
  }
  return recipe;
}

inline onf::VariableId number_in(FormBuilder& form, const char* name,
                                 const onf::Representation& type) {
  form.function.variables.push_back({name, type, {}});
  return static_cast<onf::VariableId>(form.function.variables.size() - 1);
}
inline onf::Expr named(onf::VariableId variable, const onf::Representation& type) {
  onf::Expr e;
  e.kind = onf::Expr::Kind::variable, e.type = type, e.variable = variable;
  return e;
}

// greatest(u - v), over all elements.
inline onf::Fold greatest_difference(FormBuilder& form, const char* name, onf::ViewId u,
                                     onf::ViewId v) {
  onf::Fold inner, outer;
  inner.variable = number_in(form, "part", real_type);
  inner.index = number_in(form, "q1", int64_type);
  outer.variable = number_in(form, name, real_type);
  outer.index = number_in(form, "q0", int64_type);
  inner.count = extent(1), outer.count = extent(0);
  inner.function = outer.function = onf::ScalarFunction::maximum;
  const std::vector<onf::Expr> at = {named(outer.index, int64_type),
                                     named(inner.index, int64_type)};
  onf::Expr a = form.load(u, {0, 0}), b = form.load(v, {0, 0});
  a.operands = b.operands = at;
  inner.element = apply(onf::ScalarFunction::subtract, {std::move(a), std::move(b)});
  outer.element = named(inner.variable, real_type);
  outer.body.push_back({std::move(inner), {}});
  return outer;
}

}  // namespace rhopsi::schedule
