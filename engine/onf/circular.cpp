#include "engine/onf/circular.hpp"

#include <algorithm>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

std::optional<CircularIndex> circular_index(const Nest& nest, const Expr& e) {
  if (nest.binding == Binding::flat || nest.box) return std::nullopt;
  if (e.kind != Expr::Kind::apply || e.function != ScalarFunction::modulo) return std::nullopt;
  const Expr &sum = e.operands[0], &length = e.operands[1];
  const bool shaped = length.kind == Expr::Kind::extent && sum.kind == Expr::Kind::apply &&
                      sum.function == ScalarFunction::add &&
                      sum.operands[0].kind == Expr::Kind::variable &&
                      sum.operands[1].kind == Expr::Kind::integer;
  if (!shaped) return std::nullopt;
  const auto axis = static_cast<std::size_t>(length.axis);
  if (axis >= nest.indices.size() || nest.indices[axis] != sum.operands[0].variable) {
    return std::nullopt;
  }
  return CircularIndex{axis, sum.operands[1].integer};
}

std::optional<std::int64_t> offset_from(const Nest& nest, const Expr& e, std::size_t axis) {
  const VariableId index = nest.indices[axis];
  if (const auto found = circular_index(nest, e); found && found->axis == axis) {
    return found->offset;
  }
  if (e.kind == Expr::Kind::variable) {
    return e.variable == index ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  const bool sum = e.kind == Expr::Kind::apply &&
                   (e.function == ScalarFunction::add || e.function == ScalarFunction::subtract);
  if (!sum || e.operands[0].kind != Expr::Kind::variable || e.operands[0].variable != index ||
      e.operands[1].kind != Expr::Kind::integer) {
    return std::nullopt;
  }
  return e.function == ScalarFunction::add ? e.operands[1].integer : -e.operands[1].integer;
}

std::vector<Margin> circular_reach(const Nest& nest) {
  std::vector<Margin> reach(nest.indices.size());
  const auto visit = [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      const auto found = circular_index(nest, e);
      if (!found) return;
      Margin& axis = reach[found->axis];
      axis.low = std::max(axis.low, -found->offset);
      axis.high = std::max(axis.high, found->offset);
    });
  };
  each_in(
      nest.body, [](const auto&) {}, visit);
  visit(nest.element);
  for (const Nest::Output& output : nest.also) visit(output.element);
  return reach;
}

std::optional<std::string> circular_fault(const Nest& nest) {
  if (nest.circular == Circular::modulo) return std::nullopt;
  if (nest.binding == Binding::flat || nest.box) {
    return "a nest without an index per axis of the domain says how its indices go around";
  }
  if (nest.circular == Circular::peel && nest.binding != Binding::rows) {
    return "a nest peels rows, and has no loop over them";
  }
  return std::nullopt;
}

}  // namespace rhopsi::onf
