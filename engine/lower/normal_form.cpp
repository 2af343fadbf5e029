#include "engine/lower/normal_form.hpp"

#include <utility>

#include "engine/lower/form_nests.hpp"
#include "engine/onf/index_width.hpp"

namespace rhopsi::lower {

using moa::NormalForm;
using moa::Plan;
using onf::Expr;

namespace {

// Its arguments are the leaves, as the first views.
onf::Function with_arguments(const std::string& name, const std::vector<moa::Leaf>& leaves) {
  onf::Function made;
  made.name = name;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const moa::Leaf& leaf = leaves[k];
    const auto view = static_cast<onf::ViewId>(k);
    std::vector<Expr> extents;
    for (std::size_t axis = 0; axis < leaf.rank(); ++axis) {
      Expr extent = integer_expr(leaf.shape[axis].value_or(0));
      if (!leaf.shape[axis]) {
        extent.kind = Expr::Kind::length;
        extent.view = view;
        extent.axis = static_cast<int>(axis);
      }
      extents.push_back(std::move(extent));
    }
    made.blocks.push_back({leaf.element, {}, std::move(extents)});
    made.views.push_back({leaf.name, static_cast<onf::BlockId>(k), {}, true, false, {}});
    made.arguments.push_back({term::Mode::obs, view, {}});
  }
  return made;
}

onf::Function function_of(const Plan& plan, const std::string& name, const onf::Module& module) {
  onf::Function made = with_arguments(name, plan.leaves());
  std::vector<onf::ViewId> leaves;
  for (const onf::Argument& argument : made.arguments) leaves.push_back(*argument.view);
  // The result has the leaves of all stages.
  Computation::Known known(module, made);
  Computation computation(plan.result(), made, std::move(leaves), known);
  IndexNames names;
  for (const moa::Stage& stage : plan.stages) FormNests::reserve(stage.form, computation, names);
  onf::ViewId result{};
  for (const moa::Stage& stage : plan.stages) {
    result = FormNests(stage.form, computation, made, made.body, names).write(stage.name);
    computation.add_leaf(result);
  }
  made.result_view = result;
  made.result = {onf::Representation::Kind::array, plan.result().element, {}};
  Expr value;
  value.kind = Expr::Kind::view;
  value.type = *made.result;
  value.view = result;
  computation.emit(onf::Return{std::move(value)});
  onf::choose_index_widths(module, made);
  return made;
}

std::optional<onf::Problem> too_many_axes(const NormalForm& form) {
  const auto problem = [](const std::string& what, std::size_t rank) {
    return onf::Problem{"E0513",
                        what + " has " + std::to_string(rank) +
                            " axes; compiled programs have arrays of at most " +
                            std::to_string(most_axes),
                        "",
                        {},
                        true};
  };
  for (const moa::Leaf& leaf : form.leaves) {
    if (leaf.rank() > most_axes) return problem(leaf.name, leaf.rank());
  }
  if (form.rank() > most_axes) return problem("the result", form.rank());
  return std::nullopt;
}

}  // namespace

tl::expected<onf::FunctionId, onf::Problem> lower(const Plan& plan, const std::string& name,
                                                  onf::Module& module) {
  // What is stored is a leaf of the result.
  if (auto problem = too_many_axes(plan.result())) return tl::unexpected(std::move(*problem));
  onf::Function made = function_of(plan, name, module);
  const auto id = static_cast<onf::FunctionId>(module.functions.size());
  module.functions.push_back(std::move(made));
  module.order.push_back(id);
  return id;
}

tl::expected<onf::FunctionId, onf::Problem> lower(const NormalForm& form, const std::string& name,
                                                  onf::Module& module) {
  return lower(Plan(form), name, module);
}

onf::Module module_of_forms(const std::string& name) {
  onf::Module module;
  module.name = name;
  return module;
}

}  // namespace rhopsi::lower
