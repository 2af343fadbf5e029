#include "engine/schedule/meaning.hpp"

#include <algorithm>

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::ScalarFunction;

std::optional<Component> sum(std::optional<Component> a, std::optional<Component> b, int sign) {
  if (!a || !b) return std::nullopt;
  if (b->axis >= 0 && (a->axis >= 0 || sign < 0)) return std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (std::max({a->offset, -a->offset, b->offset, -b->offset}) > most) return std::nullopt;
  return Component{std::max(a->axis, b->axis), a->offset + sign * b->offset};
}

std::optional<Component> applied(const Meanings& variables, const Expr& e) {
  const auto part = [&](std::size_t k) { return component_of(variables, e.operands[k]); };
  switch (e.function) {
    case ScalarFunction::add:
      return sum(part(0), part(1), 1);
    case ScalarFunction::subtract:
      return sum(part(0), part(1), -1);
    case ScalarFunction::negate:
      return sum(Component{-1, 0}, part(0), -1);
    case ScalarFunction::plus:
      return part(0);
    case ScalarFunction::modulo: {
      const auto taken = part(0);
      const Expr& length = e.operands[1];
      const bool wraps = taken && length.kind == Expr::Kind::extent && taken->axis == length.axis;
      return wraps ? taken : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Component> component_of(const Meanings& variables, const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::integer:
      return Component{-1, e.integer};
    case Expr::Kind::variable: {
      const auto found = variables.find(e.variable);
      return found == variables.end() ? std::nullopt : found->second.component;
    }
    case Expr::Kind::component: {
      const Index whole = index_of(variables, e.operands[0]);
      const auto axis = static_cast<std::size_t>(e.axis);
      return axis < whole.size() ? whole[axis] : std::nullopt;
    }
    case Expr::Kind::apply:
      return applied(variables, e);
    default:
      return std::nullopt;
  }
}

Index index_of(const Meanings& variables, const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::variable: {
      const auto found = variables.find(e.variable);
      return found == variables.end() ? Index{} : found->second.index;
    }
    case Expr::Kind::make_index: {
      Index made;
      for (const Expr& operand : e.operands) made.push_back(component_of(variables, operand));
      return made;
    }
    case Expr::Kind::move: {
      Index moved = index_of(variables, e.operands[0]);
      const auto axis = component_of(variables, e.operands[1]);
      if (!axis || axis->axis >= 0 || axis->offset < 0 || axis->offset >= std::ssize(moved)) {
        return {};
      }
      auto& place = moved[static_cast<std::size_t>(axis->offset)];
      place = sum(place, component_of(variables, e.operands[2]), 1);
      return moved;
    }
    default:
      return {};
  }
}

}  // namespace rhopsi::schedule
