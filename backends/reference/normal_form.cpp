#include "backends/reference/normal_form.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/numbers.hpp"
#include "backends/reference/scalars.hpp"
#include "backends/reference/watch.hpp"

namespace rhopsi::reference {

using moa::ExprId;
using moa::Node;
using moa::NormalForm;
using moa::VariableId;
using onf::Scalar;
using onf::ScalarFunction;

namespace {

// Values of nodes for the present values of the variables. What is used twice is computed once:
// a value is kept as long as no variable in it has got another value.
class Evaluation {
 public:
  Evaluation(const NormalForm& form, std::span<const Array> leaves, Watch& watch,
             std::uint64_t operations)
      : expressions_(*form.expressions), leaves_(leaves), watch_(watch), left_(operations) {
    kept_.resize(expressions_.count());
  }

  void set(VariableId variable, std::int64_t value) { at(variable) = {value, ++clock_}; }

  Value value(ExprId id) {
    watch_.check_stack();
    const Node& node = expressions_[id];
    if (node.operands.empty()) return leaf_of_graph(node);
    Kept& kept = kept_[moa::number(id)];
    if (!kept.variables) kept.variables = free_variables(node);
    const bool current =
        kept.value && std::ranges::all_of(*kept.variables, [&](VariableId variable) {
          return kept.time >= at(variable).time;
        });
    if (!current) {
      const std::uint64_t time = clock_;
      kept.value = checked(node, compute(node));
      kept.time = time;
    }
    return *kept.value;
  }

  std::int64_t integer(ExprId id) {
    const Value found = value(id);
    if (const auto* held = std::get_if<std::int64_t>(&found)) return *held;
    fault("an integer is needed", found);
  }

  bool truth(ExprId id) {
    const Value found = value(id);
    if (const bool* held = std::get_if<bool>(&found)) return *held;
    fault("a truth value is needed", found);
  }

 private:
  struct Variable {
    std::int64_t value = 0;
    std::uint64_t time = 0;  // when it got its value; 0 if it has none
  };
  struct Kept {
    std::optional<std::vector<VariableId>> variables;  // that the value depends on
    std::optional<Value> value;
    std::uint64_t time = 0;
  };

  [[noreturn]] static void fault(const std::string& what, const Value& value) {
    fail(codes::internal,
         fmt::format("The normal form is at fault: {}, this is {}.", what, describe(value)));
  }

  static Value checked(const Node& node, Value value) {
    if (type_of(value) != node.type) {
      fault("a node should be of type " + to_string(node.type), value);
    }
    return value;
  }

  Value leaf_of_graph(const Node& node) {
    switch (node.kind) {
      case Node::Kind::integer:
        return node.integer;
      case Node::Kind::real:
        return convert(Value(node.real), node.type);
      case Node::Kind::boolean:
        return node.integer != 0;
      case Node::Kind::variable: {
        const Variable& variable = at(node.variable);
        if (variable.time != 0) return variable.value;
        fail(codes::internal, fmt::format("The normal form is at fault: `{}` has no value.",
                                          expressions_.name(node.variable)));
      }
      case Node::Kind::extent:
        return leaves_[moa::number(node.leaf)].shape.at(node.axis);
      default:
        return checked(node, compute(node));
    }
  }

  std::vector<VariableId> free_variables(const Node& node) {
    std::vector<VariableId> found;
    for (ExprId operand : node.operands) {
      const Node& part = expressions_[operand];
      if (part.kind == Node::Kind::variable) found.push_back(part.variable);
      if (part.operands.empty()) continue;
      Kept& kept = kept_[moa::number(operand)];
      watch_.check_stack();
      if (!kept.variables) kept.variables = free_variables(part);
      found.insert(found.end(), kept.variables->begin(), kept.variables->end());
    }
    if (node.kind == Node::Kind::fold) std::erase(found, node.variable);
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  Value compute(const Node& node) {
    switch (node.kind) {
      case Node::Kind::load:
        return load_element(node);
      case Node::Kind::select:
        return value(node.operands[truth(node.operands[0]) ? 1 : 2]);
      case Node::Kind::fold:
        return fold(node);
      default:
        return apply(node);
    }
  }

  Value load_element(const Node& node) {
    Index index;
    for (ExprId component : node.operands) index.push_back(integer(component));
    const Value element = load(leaves_[moa::number(node.leaf)], index, 0);
    return convert(element, widened(type_of(element)));
  }

  // Connectives look at their right side only where it matters.
  Value apply(const Node& node) {
    if (node.function == ScalarFunction::convert)
      return convert(value(node.operands[0]), node.type);
    if (node.function == ScalarFunction::and_) {
      return truth(node.operands[0]) && truth(node.operands[1]);
    }
    if (node.function == ScalarFunction::or_) {
      return truth(node.operands[0]) || truth(node.operands[1]);
    }
    if (left_-- == 0) fail(codes::size, "The normal form takes more operations than are allowed.");
    std::array<Value, 2> operands;
    const std::size_t count = node.operands.size();
    for (std::size_t k = 0; k < count; ++k) {
      operands.at(k) = value(node.operands[k]);
      if (operands[0].index() != operands[k].index()) {
        fault("operands should be of one type", operands[k]);
      }
    }
    return apply_number(node.function, std::span(operands).first(count));
  }

  Value fold(const Node& node) {
    const std::int64_t count = integer(node.operands[0]);
    std::optional<Value> result;
    // A copy of a fold may stand inside another one.
    const Variable outer = at(node.variable);
    for (std::int64_t k = 0; k < count; ++k) {
      set(node.variable, k);
      Value element = value(node.operands[1]);
      if (!result) {
        result = std::move(element);
      } else {
        const Value both[] = {std::move(*result), std::move(element)};
        result = apply_number(node.function, both);
      }
    }
    if (outer.time != 0) set(node.variable, outer.value);
    if (!result) result = unit_of(node.function, node.type);
    if (!result) fail(codes::empty_fold, "A fold over no elements has no value.");
    return std::move(*result);
  }

  Variable& at(VariableId variable) {
    const std::size_t place = moa::number(variable);
    if (place >= variables_.size()) variables_.resize(place + 1);
    return variables_[place];
  }

  const moa::Expressions& expressions_;
  std::span<const Array> leaves_;
  Watch& watch_;
  std::vector<Variable> variables_;
  std::vector<Kept> kept_;
  std::uint64_t clock_ = 0;
  std::uint64_t left_;  // operations
};

void check_leaves(const NormalForm& form, std::span<const Array> leaves) {
  if (leaves.size() != form.leaves.size()) {
    fail(codes::arguments, fmt::format("The expression has {} arrays; {} are given.",
                                       form.leaves.size(), leaves.size()));
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const moa::Leaf& leaf = form.leaves[k];
    bool fits = leaves[k].element == leaf.element && leaves[k].shape.size() == leaf.rank();
    for (std::size_t axis = 0; fits && axis < leaf.rank(); ++axis) {
      fits = leaf.shape[axis].value_or(leaves[k].shape[axis]) == leaves[k].shape[axis];
    }
    if (fits) continue;
    fail(codes::arguments,
         fmt::format("The array {} is not the one that the normal form was made for: {} is given.",
                     leaf.name, describe(Value(leaves[k]))));
  }
}

// Calls `use` for every index of a box, the last axis fastest.
template <class Use>
void for_each_of_box(const Index& low, const Index& high, const Use& use) {
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    if (high[axis] <= low[axis]) return;
  }
  Index index = low;
  for (;;) {
    use(index);
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == high[axis - 1]) {
      --axis;
      index[axis] = low[axis];
    }
    if (axis == 0) return;
  }
}

std::size_t place_of(const Index& index, const Index& shape) {
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= shape[axis]) {
      fail(codes::internal,
           fmt::format("The normal form is at fault: a box holds the index {}, the shape is {}.",
                       shape_text(index), shape_text(shape)));
    }
    place = place * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(index[axis]);
  }
  return place;
}

class Tabling {
 public:
  Tabling(const NormalForm& form, Evaluation& evaluation, const NormalFormLimits& limits)
      : form_(form), evaluation_(evaluation) {
    if (form.indices.size() != form.shape.size()) {
      fail(codes::internal, "The normal form is at fault: its indices are not those of its shape.");
    }
    for (ExprId length : form.shape) shape_.push_back(evaluation.integer(length));
    const std::size_t count = count_elements(shape_);
    if (count > static_cast<std::size_t>(limits.elements)) {
      fail(codes::size, fmt::format("An array of shape {} is too large.", shape_text(shape_)));
    }
    elements_ = make_elements(form.element, count);
    written_.resize(count, false);
  }

  void write(const moa::Piece& piece) {
    if (piece.box.size() != shape_.size()) {
      fail(codes::internal, "The normal form is at fault: a box has not the rank of the shape.");
    }
    Index low;
    Index high;
    for (const moa::Interval& interval : piece.box) {
      low.push_back(evaluation_.integer(interval.low));
      high.push_back(evaluation_.integer(interval.high));
    }
    for_each_of_box(low, high, [&](const Index& index) { write(piece, index); });
  }

  Array finish() {
    const auto left_out = std::ranges::find(written_, false);
    if (left_out != written_.end()) {
      fail(codes::internal,
           fmt::format("The normal form is at fault: no box holds element {} of the shape {}.",
                       left_out - written_.begin(), shape_text(shape_)));
    }
    return make_array(shape_, std::move(elements_));
  }

 private:
  void write(const moa::Piece& piece, const Index& index) {
    const std::size_t place = place_of(index, shape_);
    if (written_[place]) {
      fail(codes::internal, fmt::format("The normal form is at fault: two boxes hold the index {}.",
                                        shape_text(index)));
    }
    written_[place] = true;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      evaluation_.set(form_.indices[axis], index[axis]);
    }
    const Value element = evaluation_.value(piece.element);
    if (type_of(element) != form_.element) {
      fail(codes::internal, fmt::format("The normal form is at fault: an element of type {} is {}.",
                                        to_string(form_.element), describe(element)));
    }
    set_element(elements_, place, element);
  }

  const NormalForm& form_;
  Evaluation& evaluation_;
  Index shape_;
  Elements elements_;
  std::vector<bool> written_;
};

}  // namespace

tl::expected<Array, Error> evaluate(const term::Store& store, const NormalForm& form,
                                    std::span<const Array> leaves, const NormalFormLimits& limits) {
  Watch watch(limits.stack_bytes);
  watch.start();
  const auto error = [&](std::string code, std::string message) {
    return tl::unexpected(Error{std::move(code), std::move(message), store[watch.place()]});
  };
  try {
    check_leaves(form, leaves);
    Evaluation evaluation(form, leaves, watch, limits.operations);
    for (const moa::Assumption& assumption : form.assumptions) {
      const term::LocationId outer = watch.enter(assumption.location);
      if (!evaluation.truth(assumption.condition)) fail(assumption.code, assumption.message);
      watch.leave(outer);
    }
    Tabling tabling(form, evaluation, limits);
    for (const moa::Piece& piece : form.pieces) tabling.write(piece);
    return tabling.finish();
  } catch (const Failure& failure) {
    return error(failure.code, failure.message);
  } catch (const std::bad_alloc&) {
    return error(codes::size, "The memory is exhausted.");
  } catch (const std::exception& fault) {
    return error(codes::internal, std::string("The evaluator is at fault: ") + fault.what() + ".");
  }
}

tl::expected<Array, Error> evaluate(const term::Store& store, const moa::Plan& plan,
                                    std::span<const Array> leaves, const NormalFormLimits& limits) {
  std::vector<Array> arrays(leaves.begin(), leaves.end());
  for (const moa::Stage& stage : plan.stages) {
    auto made = evaluate(store, stage.form, arrays, limits);
    if (!made) return made;
    arrays.push_back(std::move(*made));
  }
  return std::move(arrays.back());
}

}  // namespace rhopsi::reference
