// What a violated domain condition is told by: the part that does not hold, with its numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/reference/tabulation.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::ScalarFunction;

namespace {

std::string text(const Value& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Index>) {
          return fmt::format("[{}]", fmt::join(held, ", "));
        } else if constexpr (std::is_same_v<T, Array>) {
          return "an array";
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

}  // namespace

// "cat on axis 1 needs equal lengths on axis 0: 3 and 4". Of a condition on all indices it is said
// which one violates it: "gather on axis 0 needs `0 <= entry(v, m)`: 0 and -1, where m = 5".
std::string Tabulation::violation(const term::Callable& callable, NodeId guard, Frame& frame) {
  std::string subject = store_[callable.symbol].name;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    if (store_[callable.parameters[i]].name != "axis") continue;
    if (std::holds_alternative<std::int64_t>(frame[i])) subject += " on axis " + text(frame[i]);
  }
  const Node* counter = nullptr;
  const Node& condition = typing_[failing(guard, frame, counter)];
  std::string wanted = "`" + to_string(store_, condition.term) + "`";
  const bool compares = condition.operands.size() == 2 &&
                        (condition.kind == Node::Kind::apply || condition.kind == Node::Kind::same);
  if (!compares) return subject + " needs " + wanted;
  const bool shapes = condition.kind == Node::Kind::same && is_shape(condition.operands[0]) &&
                      is_shape(condition.operands[1]);
  std::string where;
  if (condition.function == ScalarFunction::equal && shapes) {
    wanted = "equal shapes";
  } else if (const auto extents = compared_extents(condition, callable, frame)) {
    wanted = *extents;
  } else if (counter != nullptr) {
    where = fmt::format(", where {} = {}", store_[store_.bound(counter->term)[0]].name,
                        text(frame[counter->slot]));
  }
  return fmt::format("{} needs {}: {} and {}{}", subject, wanted,
                     text(run(condition.operands[0], frame)),
                     text(run(condition.operands[1], frame)), where);
}

// The innermost part that does not hold. Of a `forall` it is the first component that violates
// it, which stays in the frame (of `counter`, the innermost one); of alternatives the last, since
// all fail.
NodeId Tabulation::failing(NodeId condition, Frame& frame, const Node*& counter) {
  const Node& node = typing_[condition];
  if (node.kind == Node::Kind::all) {
    each_index(node, frame, [&](const Index&) { return truth(node.operands[1], frame); });
    counter = &node;
    return failing(node.operands[1], frame, counter);
  }
  if (node.kind == Node::Kind::choose) {
    return failing(node.operands[truth(node.operands[0], frame) ? 1 : 2], frame, counter);
  }
  if (node.kind != Node::Kind::apply) return condition;
  switch (node.function) {
    case ScalarFunction::and_:
      return failing(node.operands[truth(node.operands[0], frame) ? 1 : 0], frame, counter);
    case ScalarFunction::or_:
    case ScalarFunction::implies:
      return failing(node.operands[1], frame, counter);
    default:
      return condition;
  }
}

bool Tabulation::is_shape(NodeId id) const { return typing_[id].kind == Node::Kind::shape; }

// at(shape(A), k). The slots behind the parameters, and that of an index, are those of counters.
std::optional<Tabulation::Extent> Tabulation::extent_of(NodeId id, const term::Callable& callable,
                                                        Frame& frame) {
  const Node& side = typing_[id];
  if (side.kind != Node::Kind::component || !is_shape(side.operands[0])) return std::nullopt;
  const Node& array = typing_[typing_[side.operands[0]].operands[0]];
  const Node& place = typing_[side.operands[1]];
  const bool counted =
      place.kind == Node::Kind::variable && place.slot >= callable.parameters.size();
  return Extent{array.term, integer(side.operands[1], frame), counted};
}

// "equal lengths on axis 0" for an equation between lengths; "`at(start, m) < at(shape(A), m)` on
// axis 1" where a length meets another number for each axis.
std::optional<std::string> Tabulation::compared_extents(const Node& comparison,
                                                        const term::Callable& callable,
                                                        Frame& frame) {
  const auto left = extent_of(comparison.operands[0], callable, frame);
  const auto right = extent_of(comparison.operands[1], callable, frame);
  if (comparison.function != ScalarFunction::equal || !left || !right) {
    const auto& one = left ? left : right;
    if (!one || !one->counted) return std::nullopt;
    return fmt::format("`{}` on axis {}", to_string(store_, comparison.term), one->axis);
  }
  if (left->axis == right->axis) return fmt::format("equal lengths on axis {}", left->axis);
  if (alpha_equal(store_, left->array, right->array)) {
    return fmt::format("equal lengths on axes {} and {}", left->axis, right->axis);
  }
  return fmt::format("equal lengths on axis {} of {} and axis {} of {}", left->axis,
                     to_string(store_, left->array), right->axis, to_string(store_, right->array));
}

}  // namespace rhopsi::reference
