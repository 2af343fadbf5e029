// What a violated domain condition is told by: the part that does not hold, with its numbers.
#include <fmt/format.h>

#include "backends/reference/tabulation.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::ScalarFunction;

namespace {

std::string text(const Value& value) {
  return std::visit(
      [&](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Index>) {
          return shape_text(held);
        } else if constexpr (std::is_same_v<T, Array>) {
          return describe(value);
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

}  // namespace

// `cat on axis 1 needs equal lengths on axis 0: 3 and 4` where a `forall` over the axes demands
// it, else the condition as it stands.
std::string Tabulation::violation(const Instance& instance, Frame& frame) {
  std::string operation = name(instance);
  const term::Callable& callable = *instance.operation->callable;
  std::optional<std::size_t> loop;
  const NodeId condition = failing(*instance.guard, loop, frame);
  const NodeId part = telling(condition);
  if (loop && compares_lengths(part)) {
    for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
      if (store_[callable.parameters[i]].name != "axis") continue;
      operation += " on axis " + text(frame[i]);
    }
    return fmt::format("{} needs equal lengths on axis {}: {}", operation, text(frame[*loop]),
                       numbers(part, frame));
  }
  const std::string all = loop ? " for all indices, not so at " + text(frame[*loop]) : "";
  return fmt::format("{} needs {}{}: {}", operation, to_string(store_, typing_[condition].term),
                     all, numbers(part, frame));
}

// The part of a conjunction that does not hold; in `loop` the slot of the innermost `forall`
// around it, which has the first value that violates the condition.
NodeId Tabulation::failing(NodeId condition, std::optional<std::size_t>& loop, Frame& frame) {
  const Node& node = typing_[condition];
  if (node.kind == Node::Kind::apply && node.function == ScalarFunction::and_) {
    const bool left = truth(node.operands[0], frame);
    return failing(node.operands[left ? 1 : 0], loop, frame);
  }
  if (node.kind != Node::Kind::all) return condition;
  each_index(node, frame, [&](const Index&) { return truth(node.operands[1], frame); });
  loop = node.slot;
  return failing(node.operands[1], loop, frame);
}

// Of alternatives, the one that compares shapes, else the first.
NodeId Tabulation::telling(NodeId condition) const {
  const Node& node = typing_[condition];
  if (node.kind != Node::Kind::apply || node.function != ScalarFunction::or_) return condition;
  const NodeId left = telling(node.operands[0]);
  const NodeId right = telling(node.operands[1]);
  const bool shapes = compares_lengths(right) || typing_[right].kind == Node::Kind::same;
  const bool already = compares_lengths(left) || typing_[left].kind == Node::Kind::same;
  return shapes && !already ? right : left;
}

bool Tabulation::compares_lengths(NodeId condition) const {
  const Node& node = typing_[condition];
  if (node.kind != Node::Kind::apply || node.function != ScalarFunction::equal) return false;
  for (NodeId operand : node.operands) {
    const Node& side = typing_[operand];
    if (side.kind != Node::Kind::component) return false;
    if (typing_[side.operands[0]].kind != Node::Kind::shape) return false;
  }
  return true;
}

std::string Tabulation::numbers(NodeId condition, Frame& frame) {
  std::string all;
  for (NodeId operand : typing_[condition].operands) {
    all += (all.empty() ? "" : " and ") + text(run(operand, frame));
  }
  return all;
}

}  // namespace rhopsi::reference
