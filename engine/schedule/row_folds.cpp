#include "engine/schedule/row_folds.hpp"

#include <type_traits>
#include <utility>
#include <vector>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/ravel.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/schedule/each_call.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::VariableId;

bool may_be_taken_apart(onf::ScalarFunction function, onf::Scalar type, FoldsByRows which) {
  if (type == onf::Scalar::boolean) return false;
  switch (onf::step_order(function, type)) {
    case onf::StepOrder::any:
      return which != FoldsByRows::none;
    case onf::StepOrder::reals:
      return which == FoldsByRows::of_reals;
    case onf::StepOrder::written:
      return false;
  }
  return false;
}

bool is_extent(const Expr& e, std::size_t axis) {
  return e.kind == Expr::Kind::extent && e.axis == static_cast<int>(axis);
}

VariableId index_of_axis(onf::Function& function, const onf::Fold& fold, std::size_t axis) {
  const onf::Variable& index = function.variables[onf::number(fold.index)];
  return added(function, {index.name + std::to_string(axis), onf::scalar_of(onf::Scalar::int64),
                          index.location});
}

// Folds over the axes of the domain, one within the other: all of them one sequence of steps, or
// extremes each of which begins anew.
std::optional<onf::TileForm> over_domain(onf::Function& function, const onf::Fold& fold,
                                         std::size_t rank) {
  auto form = onf::fold_form(function, fold);
  if (!form) return std::nullopt;
  const onf::LengthProducts lengths(function, fold);
  if (const auto axes = lengths.axes(*form)) {
    if (axes->size() != rank) return std::nullopt;
    std::vector<VariableId> indices;
    for (std::size_t axis = 0; axis < rank; ++axis)
      indices.push_back(index_of_axis(function, fold, axis));
    form = lengths.over_axes(*form, indices);
  }
  if (form->folds.size() != rank) return std::nullopt;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!is_extent(lengths.meant(form->folds[axis].count), axis)) return std::nullopt;
    if (axis + 1 == rank) continue;
    const bool anew = onf::begins_anew(function, *form, axis);
    if (!anew && !onf::is_joined(function, *form, axis)) return std::nullopt;
    if (anew != onf::begins_anew(function, *form, 0)) return std::nullopt;  // all of them, or none
  }
  return form;
}

}  // namespace

std::optional<DomainFold> domain_fold(onf::Function& function, const onf::Fold& fold, int rank,
                                      FoldsByRows which) {
  const onf::Representation type = function.variables[onf::number(fold.variable)].type;
  if (rank < 2 || !fold.function || type.kind != onf::Representation::Kind::scalar ||
      !may_be_taken_apart(*fold.function, type.scalar, which)) {
    return std::nullopt;
  }
  const std::size_t variables = function.variables.size();
  auto form = over_domain(function, fold, static_cast<std::size_t>(rank));
  if (!form || form->folds.back().element.type.scalar != type.scalar) {
    function.variables.resize(variables);
    return std::nullopt;
  }
  DomainFold made{{}, *fold.function, type.scalar, onf::begins_anew(function, *form, 0)};
  made.terms.binding = onf::Binding::nested;
  for (const onf::TileFold& axis : form->folds) made.terms.indices.push_back(axis.index);
  for (onf::TileForm::Name& name : form->names) {
    made.terms.body.push_back(
        {onf::Let{name.variable, std::move(name.value), true}, fold.element.location});
  }
  made.terms.element = std::move(form->folds.back().element);
  return made;
}

std::map<VariableId, DomainFold> domain_folds(onf::Function& function, int rank,
                                              FoldsByRows which) {
  std::map<VariableId, DomainFold> found;
  if (which == FoldsByRows::none || rank < 2) return found;
  std::vector<const onf::Fold*> folds;
  onf::each_in(
      std::as_const(function).body,
      [&](const auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Fold>) folds.push_back(&s);
      },
      [](const Expr&) {});
  for (const onf::Fold* fold : folds) {
    if (auto apart = domain_fold(function, *fold, rank, which))
      found.emplace(fold->variable, std::move(*apart));
  }
  return found;
}

onf::Fold fold_of_rows(onf::Function& function, const onf::Fold& whole, onf::ViewId rows,
                       int rank) {
  const term::LocationId location = whole.element.location;
  const onf::Variable value = function.variables[onf::number(whole.variable)];
  Expr element;
  element.kind = Expr::Kind::load;
  element.view = rows;
  element.type = value.type;
  element.location = location;
  std::vector<VariableId> indices;
  for (int axis = 0; axis + 1 < rank; ++axis) {
    indices.push_back(index_of_axis(function, whole, static_cast<std::size_t>(axis)));
    element.operands.push_back(
        onf::of_variable(indices.back(), onf::scalar_of(onf::Scalar::int64), location));
  }
  element.operands.push_back(onf::integer(0, location));
  onf::Fold made;
  for (std::size_t axis = indices.size(); axis-- > 0;) {
    const VariableId variable = axis == 0 ? whole.variable : added(function, value);
    onf::Fold fold{variable, indices[axis], onf::extent(axis), whole.function, {}, {}, element};
    if (axis + 2 <= indices.size()) fold.body.push_back({std::move(made), location});
    element = onf::of_variable(variable, value.type, location);
    made = std::move(fold);
  }
  return made;
}

}  // namespace rhopsi::schedule
