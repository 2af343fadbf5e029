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

// "cat on axis 1 needs equal lengths on axis 0: 3 and 4".
std::string Tabulation::violation(const term::Callable& callable, NodeId guard, Frame& frame) {
  std::string subject = store_[callable.symbol].name;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    if (store_[callable.parameters[i]].name != "axis") continue;
    if (std::holds_alternative<std::int64_t>(frame[i])) subject += " on axis " + text(frame[i]);
  }
  const Node& condition = typing_[failing(guard, frame)];
  std::string wanted = "`" + to_string(store_, condition.term) + "`";
  const bool compares = condition.operands.size() == 2 &&
                        (condition.kind == Node::Kind::apply || condition.kind == Node::Kind::same);
  if (!compares) return subject + " needs " + wanted;
  const bool shapes = condition.kind == Node::Kind::same && is_shape(condition.operands[0]) &&
                      is_shape(condition.operands[1]);
  if (condition.function == ScalarFunction::equal) {
    if (shapes) wanted = "equal shapes";
    if (const auto axis = compared_axis(condition, frame)) {
      wanted = fmt::format("equal lengths on axis {}", *axis);
    }
  }
  return fmt::format("{} needs {}: {} and {}", subject, wanted,
                     text(run(condition.operands[0], frame)),
                     text(run(condition.operands[1], frame)));
}

// The innermost part that does not hold. Of a `forall` it is the first component that violates
// it, which stays in the frame; of alternatives the last, since all fail.
NodeId Tabulation::failing(NodeId condition, Frame& frame) {
  const Node& node = typing_[condition];
  if (node.kind == Node::Kind::all) {
    each_index(node, frame, [&](const Index&) { return truth(node.operands[1], frame); });
    return failing(node.operands[1], frame);
  }
  if (node.kind == Node::Kind::choose) {
    return failing(node.operands[truth(node.operands[0], frame) ? 1 : 2], frame);
  }
  if (node.kind != Node::Kind::apply) return condition;
  switch (node.function) {
    case ScalarFunction::and_:
      return failing(node.operands[truth(node.operands[0], frame) ? 1 : 0], frame);
    case ScalarFunction::or_:
    case ScalarFunction::implies:
      return failing(node.operands[1], frame);
    default:
      return condition;
  }
}

bool Tabulation::is_shape(NodeId id) const { return typing_[id].kind == Node::Kind::shape; }

// The axis on which a comparison is one of lengths of two arrays.
std::optional<std::int64_t> Tabulation::compared_axis(const Node& comparison, Frame& frame) {
  std::optional<std::int64_t> axis;
  for (NodeId operand : comparison.operands) {
    const Node& side = typing_[operand];
    if (side.kind != Node::Kind::component || !is_shape(side.operands[0])) return std::nullopt;
    const std::int64_t here = integer(side.operands[1], frame);
    if (axis && *axis != here) return std::nullopt;
    axis = here;
  }
  return axis;
}

}  // namespace rhopsi::reference
