#include "engine/moa/reduce.hpp"

#include "engine/moa/pieces.hpp"
#include "engine/moa/reduction.hpp"

namespace rhopsi::moa {

namespace {

// The names of the index variables, axis by axis.
std::string index_name(std::size_t axis) {
  constexpr std::string_view names = "ijklmn";
  if (axis < names.size()) return std::string(1, names[axis]);
  return "i" + std::to_string(axis);
}

}  // namespace

tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         std::vector<Leaf> leaves, const Limits& limits) {
  NormalForm form;
  form.expressions = std::make_shared<Expressions>();
  form.leaves = std::move(leaves);
  try {
    Reduction reduction(library.contents(), form, limits);
    Environment environment;
    for (std::size_t k = 0; k < form.leaves.size(); ++k) {
      environment.values.emplace_back(form.leaves[k].variable,
                                      reduction.leaf(static_cast<LeafId>(k)));
    }
    const ArrayPointer whole = reduction.array(expression, environment);
    form.shape = whole->shape;
    form.element = whole->element;
    for (std::size_t axis = 0; axis < form.shape.size(); ++axis) {
      form.indices.push_back(form.expressions->make_variable(index_name(axis)));
    }
    form.pieces = split(reduction, form, whole, limits);
  } catch (Failure& failure) {
    return tl::unexpected(std::move(failure.problem));
  }
  return form;
}

}  // namespace rhopsi::moa
