#include "engine/moa/reduce.hpp"

#include "engine/moa/pieces.hpp"
#include "engine/moa/reduction.hpp"
#include "engine/moa/stored.hpp"

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
  const std::size_t outside = leaves.size();
  return reduce(library, expression, std::move(leaves), outside, {},
                std::make_shared<Expressions>(), limits);
}

tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         std::vector<Leaf> leaves, std::size_t outside,
                                         std::span<const Stored> stored,
                                         const std::shared_ptr<Expressions>& expressions,
                                         const Limits& limits) {
  NormalForm form;
  form.expressions = expressions;
  form.leaves = std::move(leaves);
  try {
    Reduction reduction(library.contents(), form, limits);
    Environment environment;
    for (const Stored& each : stored) reduction.store(each.occurrences, each.leaf, each.shape);
    for (std::size_t k = 0; k < outside; ++k) {
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
