// Folds of whole arrays over a length that is not known.
//
//   psi([i], fold _+_ (k < n) psi([k], A))   =>   fold _+_ (k < n) A[k, i]
//
// for an operation that acts element by element on arrays of one shape: then by induction every
// array on the way has that shape, and its elements are what the elements fold to.
#include "engine/moa/reduction.hpp"

namespace rhopsi::moa {

using term::LocationId;
using term::SymbolId;
using term::TermId;

// The scalar function that the operation is, element by element, on two arrays of this shape:
// asked of two arrays of which nothing else is known.
std::optional<ScalarFunction> Reduction::pointwise_function(SymbolId operation, const Vector& shape,
                                                            Scalar element, LocationId location) {
  const std::size_t leaves = form_.leaves.size();
  std::vector<Value> pair;
  for (int k = 0; k < 2; ++k) {
    Leaf unknown;
    unknown.element = element;
    unknown.shape.resize(shape.size());
    unknown.lengths = shape;
    form_.leaves.push_back(unknown);
    pair.emplace_back(leaf(static_cast<LeafId>(leaves + static_cast<std::size_t>(k))));
  }
  Vector index;
  const Inside inside(*this);
  ++rounds_;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const VariableId variable = expressions_.make_variable("p");
    facts_.range(variable, expressions_.integer(0), shape[axis]);
    index.push_back(expressions_.variable(variable));
  }
  const Value made = applied(operation, pair, location, true);
  const ArrayPointer* array = std::get_if<ArrayPointer>(&made);
  std::optional<ScalarFunction> found;
  if (array != nullptr && (*array)->shape == shape && (*array)->element == element) {
    const ExprId value = this->element(*array, index);
    const Node& node = expressions_[value];
    const auto reads = [&](std::size_t k) {
      return node.operands[k] == this->element(std::get<ArrayPointer>(pair[k]), index);
    };
    const bool binary = node.kind == Node::Kind::apply && node.operands.size() == 2;
    if (binary && reads(0) && reads(1)) found = node.function;
  }
  --rounds_;
  form_.leaves.resize(leaves);
  return found;
}

std::optional<ArrayPointer> Reduction::folded_array(TermId term, const Environment& environment,
                                                    ExprId count) {
  const SymbolId counted = store_.bound(term)[0];
  const VariableId variable = expressions_.make_variable(name(counted));
  const Rounds rounds(*this, variable, count);
  const Environment inner{&environment, {{counted, expressions_.variable(variable)}}};
  const ArrayPointer each = array(store_.children(term)[1], inner);
  for (ExprId length : each->shape) {
    if (expressions_.mentions(length, variable)) return std::nullopt;
  }
  const auto function = pointwise_function(store_.head(term).operation, each->shape, each->element,
                                           store_.location(term));
  if (!function) return std::nullopt;
  ArrayValue folded;
  folded.kind = ArrayValue::Kind::folded;
  folded.element = each->element;
  folded.shape = each->shape;
  folded.function = *function;
  folded.variable = variable;
  folded.condition = count;
  folded.arguments = {each};
  folded.location = store_.location(term);
  return make(std::move(folded));
}

ExprId Reduction::folded_element(const ArrayValue& array, const Vector& index) {
  const ExprId count = array.condition;
  const ExprId some = expressions_.apply(ScalarFunction::less, {expressions_.integer(0), count});
  if (facts_.decide(some) != true) {
    demand(some, "a fold of arrays needs one", array.location, of_empty_folds);
  }
  const ExprId body = [&] {
    const Rounds rounds(*this, array.variable, count);
    return element(std::get<ArrayPointer>(array.arguments[0]), index);
  }();
  return expressions_.fold(array.function, array.variable, count, body);
}

}  // namespace rhopsi::moa
