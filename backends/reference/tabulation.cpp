#include "backends/reference/tabulation.hpp"

#include <array>

#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/numbers.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::ScalarFunction;
using Form = onf::Representation::Kind;

void Tabulation::start() {
  depth_ = 0;
  loops_ = 0;
  finish();
}

void Tabulation::finish() {
  if (loops_ > 0) return;
  calls_.clear();
  arrays_.clear();
}

Value Tabulation::run(NodeId id, Frame& frame) {
  watch_.check_stack();
  const Node& node = typing_[id];
  const term::LocationId outer =
      watch_.enter(node.term == term::TermId{} ? term::LocationId{} : store_.location(node.term));
  Value value = compute(id, node, frame);
  watch_.leave(outer);
  return value;
}

// Without a copy where the operand is a variable.
const Value& Tabulation::operand(const Node& node, std::size_t i, Frame& frame, Value& scratch) {
  const Node& from = typing_[node.operands[i]];
  if (from.kind == Node::Kind::variable) return frame[from.slot];
  if (from.kind == Node::Kind::constant) return *from.constant;
  scratch = run(node.operands[i], frame);
  return scratch;
}

bool Tabulation::truth(NodeId id, Frame& frame) { return std::get<bool>(run(id, frame)); }

std::int64_t Tabulation::integer(NodeId id, Frame& frame) {
  return std::get<std::int64_t>(run(id, frame));
}

Value Tabulation::compute(NodeId id, const Node& node, Frame& frame) {
  Value scratch;
  switch (node.kind) {
    case Node::Kind::constant:
      return *node.constant;
    case Node::Kind::variable:
      return frame[node.slot];
    case Node::Kind::convert:
      return converted(operand(node, 0, frame, scratch), node.type.scalar);
    case Node::Kind::apply:
      return apply(node, frame);
    case Node::Kind::same: {
      Value other;
      const Value& left = operand(node, 0, frame, scratch);
      const Value& right = operand(node, 1, frame, other);
      for (const Value* side : {&left, &right}) {
        if (const Array* array = std::get_if<Array>(side)) check_elements(*array);
      }
      const bool equal = left == right;
      return equal == (node.function == ScalarFunction::equal);
    }
    case Node::Kind::choose:
      return run(node.operands[truth(node.operands[0], frame) ? 1 : 2], frame);
    case Node::Kind::fold:
      return fold(node, frame);
    case Node::Kind::all: {
      bool holds = true;
      each_index(node, frame, [&](const Index&) {
        holds = truth(node.operands[1], frame);
        return holds;
      });
      return holds;
    }
    case Node::Kind::build:
      return build(id, node, frame);
    case Node::Kind::vector:
      return vector(node, frame);
    case Node::Kind::shape:
      return Index(std::get<Array>(operand(node, 0, frame, scratch)).shape);
    case Node::Kind::length:
      return static_cast<std::int64_t>(std::get<Index>(operand(node, 0, frame, scratch)).size());
    case Node::Kind::component:
      return component(node, frame);
    case Node::Kind::element:
      return element(node, frame);
    case Node::Kind::sequence:
      return sequence(node, frame);
    case Node::Kind::call:
      return call(node.instance, values(node, frame));
    case Node::Kind::statements:
      return statements(node, frame);
    case Node::Kind::external:
      return context_->value_of_external(*node.callable, values(node, frame));
    default:
      fail(codes::internal, "A statement stands where a value is needed.");
  }
}

// Connectives look at their right side only where it matters.
Value Tabulation::apply(const Node& node, Frame& frame) {
  const auto holds = [&](std::size_t i) {
    Value scratch;
    return truth_of(operand(node, i, frame, scratch));
  };
  if (node.function == ScalarFunction::and_) return holds(0) && holds(1);
  if (node.function == ScalarFunction::or_) return holds(0) || holds(1);
  if (node.function == ScalarFunction::implies) return !holds(0) || holds(1);
  if (node.wide) return apply_widely(node, frame);
  std::array<Value, 2> values;
  for (std::size_t i = 0; i < node.operands.size(); ++i) values[i] = run(node.operands[i], frame);
  const auto operands = std::span(values).first(node.operands.size());
  return node.exact ? apply_exactly(node.function, operands)
                    : apply_number(node.function, operands);
}

// (p + o) % s has a value whatever o is: within an element only what leaves the arithmetic, as an
// argument or a component, has to be an integer of 64 bits.
Value Tabulation::apply_widely(const Node& node, Frame& frame) {
  const Wide left = wide(node.operands[0], frame);
  const Wide right = node.operands.size() > 1 ? wide(node.operands[1], frame) : 0;
  if (!node.exact) return compare_wide(node.function, left, right);
  return narrowed(apply_wide(node.function, left, right));
}

Wide Tabulation::wide(NodeId id, Frame& frame) {
  const Node& node = typing_[id];
  if (!node.wide || !node.exact) return integer(id, frame);
  watch_.check_stack();
  const Wide left = wide(node.operands[0], frame);
  const Wide right = node.operands.size() > 1 ? wide(node.operands[1], frame) : 0;
  return apply_wide(node.function, left, right);
}

Value Tabulation::fold(const Node& node, Frame& frame) {
  const std::int64_t count = integer(node.operands[0], frame);
  if (count <= 0) {
    if (node.constant) return *node.constant;
    fail(codes::empty_fold,
         fmt::format("`{}` has no elements, and no unit of its operation is known.",
                     to_string(store_, node.term)));
  }
  if (is_product_of_nothing(node, count, frame)) return std::int64_t{0};
  ++loops_;
  for (std::int64_t k = 0; k < count; ++k) {
    frame[node.slot] = k;
    Value element = run(node.operands[1], frame);
    if (k == 0) {
      frame[node.slot + 1] = std::move(element);
    } else {
      frame[node.slot + 2] = std::move(element);
      frame[node.slot + 1] = run(node.operands[2], frame);
    }
  }
  --loops_;
  return std::move(frame[node.slot + 1]);
}

// The product of the lengths of an array without elements is 0, however long the others are.
bool Tabulation::is_product_of_nothing(const Node& node, std::int64_t count, Frame& frame) {
  const Node& both = typing_[node.operands[2]];
  if (!both.exact || both.function != ScalarFunction::multiply) return false;
  ++loops_;
  bool none = false;
  for (std::int64_t k = 0; k < count && !none; ++k) {
    frame[node.slot] = k;
    none = run(node.operands[1], frame) == Value(std::int64_t{0});
  }
  --loops_;
  return none;
}

Value Tabulation::element(const Node& node, Frame& frame) {
  Value kept_index;
  Value kept_array;
  const Index& index = std::get<Index>(operand(node, 0, frame, kept_index));
  const Array& array = std::get<Array>(operand(node, 1, frame, kept_array));
  try {
    return load(array, index, 0);
  } catch (Failure& failure) {
    failure.access = Access{typing_[node.operands[1]].term, index, array.shape};
    throw;
  }
}

Value Tabulation::component(const Node& node, Frame& frame) {
  // Lengths of an array, without a copy of its shape.
  const Node& from = typing_[node.operands[0]];
  Value scratch;
  const Index& index = from.kind == Node::Kind::shape
                           ? std::get<Array>(operand(from, 0, frame, scratch)).shape
                           : std::get<Index>(operand(node, 0, frame, scratch));
  const std::int64_t axis = integer(node.operands[1], frame);
  if (axis >= 0 && axis < static_cast<std::int64_t>(index.size())) {
    return index[static_cast<std::size_t>(axis)];
  }
  fail(codes::index_range, fmt::format("`{}`: {} has no component {}.",
                                       to_string(store_, node.term), shape_text(index), axis));
}

Value Tabulation::vector(const Node& node, Frame& frame) {
  if (node.type.form == Form::index) {
    Index index;
    for (NodeId component : node.operands) index.push_back(integer(component, frame));
    return index;
  }
  Elements elements = make_elements(node.type.scalar, node.operands.size());
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    set_element(elements, i, run(node.operands[i], frame));
  }
  return make_array({static_cast<std::int64_t>(node.operands.size())}, std::move(elements));
}

Index Tabulation::bounds(const Node& node, Frame& frame) {
  Value scratch;
  const Value& bound = operand(node, 0, frame, scratch);
  Index shape;
  if (const Index* lengths = std::get_if<Index>(&bound)) {
    shape = *lengths;
  } else {
    shape.push_back(std::get<std::int64_t>(bound));
  }
  if (!node.by_index && shape.size() != 1) {
    fail(codes::shapes, fmt::format("`{}`: the bound {} has to have one component.",
                                    to_string(store_, node.term), shape_text(shape)));
  }
  return shape;
}

void Tabulation::each_index(const Node& node, Frame& frame,
                            const std::function<bool(const Index&)>& use) {
  const Index shape = bounds(node, frame);
  for (std::int64_t length : shape) {
    if (length <= 0) return;
  }
  Index index(shape.size(), 0);
  ++loops_;
  for (;;) {
    if (node.by_index) {
      frame[node.slot] = index;
    } else {
      frame[node.slot] = index[0];
    }
    if (!use(index)) break;
    std::size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) break;
  }
  --loops_;
}

// An array that stands in the element of another one is the same for most of the elements.
Value Tabulation::build(NodeId id, const Node& node, Frame& frame) {
  if (node.type.form != Form::array || loops_ == 0) return build(node, frame);
  std::vector<Value> depends_on;
  for (std::size_t slot : node.free_slots) depends_on.push_back(frame[slot]);
  const auto number = static_cast<std::uint32_t>(id);
  if (const Value* known = arrays_.find(number, depends_on)) return *known;
  Value value = build(node, frame);
  arrays_.keep(number, std::move(depends_on), value);
  return value;
}

Value Tabulation::build(const Node& node, Frame& frame) {
  Index shape = bounds(node, frame);
  const std::size_t count = count_elements(shape);
  Index index;
  Elements elements = make_elements(node.type.scalar, node.type.form == Form::index ? 0 : count);
  std::size_t position = 0;
  each_index(node, frame, [&](const Index&) {
    Value value = run(node.operands[1], frame);
    if (node.type.form == Form::index) {
      index.push_back(std::get<std::int64_t>(value));
    } else {
      set_element(elements, position++, value);
    }
    return true;
  });
  if (node.type.form == Form::index) return index;
  return make_array(std::move(shape), std::move(elements));
}

void Tabulation::check_assertion(const Node& statement, Frame& frame) {
  const term::LocationId outer = watch_.enter(store_.location(statement.term));
  if (!truth(statement.operands[0], frame)) {
    const term::TermId condition = store_.children(statement.term)[0];
    fail(codes::assertion,
         fmt::format("The assertion `{}` does not hold.", to_string(store_, condition)));
  }
  watch_.leave(outer);
}

Value Tabulation::sequence(const Node& node, Frame& frame) {
  for (NodeId step : node.operands) {
    const Node& statement = typing_[step];
    if (statement.kind == Node::Kind::set) {
      frame[statement.slot] = run(statement.operands[0], frame);
    } else if (statement.kind == Node::Kind::assertion) {
      check_assertion(statement, frame);
    } else {
      return run(step, frame);
    }
  }
  fail(codes::internal, "A block ends without a value.");
}

}  // namespace rhopsi::reference
