#include "engine/lower/normal_form.hpp"

#include <utility>

#include "engine/lower/form_nests.hpp"

namespace rhopsi::lower {

using moa::NormalForm;
using onf::Expr;

namespace {

class FormFunction {
 public:
  FormFunction(const NormalForm& form, const std::string& name, const onf::Module& module)
      : form_(form),
        function_(named(form, name)),
        known_(module, function_),
        computation_(form, function_, leaves(), known_) {}

  onf::Function make() {
    FormNests nests(form_, function_, computation_, function_.body);
    const onf::ViewId view = nests.make("result");
    function_.result_view = view;
    Expr result;
    result.kind = Expr::Kind::view;
    result.type = {onf::Representation::Kind::array, form_.element, {}};
    result.view = view;
    computation_.emit(onf::Return{std::move(result)});
    return std::move(function_);
  }

 private:
  static onf::Function named(const NormalForm& form, const std::string& name) {
    onf::Function made;
    made.name = name;
    made.result = {onf::Representation::Kind::array, form.element, {}};
    for (std::size_t k = 0; k < form.leaves.size(); ++k) {
      const moa::Leaf& leaf = form.leaves[k];
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

  std::vector<onf::ViewId> leaves() const {
    std::vector<onf::ViewId> views;
    for (std::size_t k = 0; k < form_.leaves.size(); ++k) {
      views.push_back(static_cast<onf::ViewId>(k));
    }
    return views;
  }

  const NormalForm& form_;
  onf::Function function_;
  Computation::Known known_;
  Computation computation_;
};

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

tl::expected<onf::FunctionId, onf::Problem> lower(const NormalForm& form, const std::string& name,
                                                  onf::Module& module) {
  if (auto problem = too_many_axes(form)) return tl::unexpected(std::move(*problem));
  onf::Function made = FormFunction(form, name, module).make();
  const auto id = static_cast<onf::FunctionId>(module.functions.size());
  module.functions.push_back(std::move(made));
  module.order.push_back(id);
  return id;
}

onf::Module module_of_forms(const std::string& name) {
  onf::Module module;
  module.name = name;
  return module;
}

}  // namespace rhopsi::lower
