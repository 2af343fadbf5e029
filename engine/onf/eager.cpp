#include "engine/onf/eager.hpp"

#include <algorithm>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

namespace {

// Is it of comparisons of reals?
bool is_of_reals(const Expr& condition) {
  if (condition.kind == Expr::Kind::boolean) return true;
  if (condition.kind != Expr::Kind::apply || condition.operands.empty()) return false;
  switch (condition.function) {
    case ScalarFunction::and_:
    case ScalarFunction::or_:
    case ScalarFunction::not_:
      return std::ranges::all_of(condition.operands, is_of_reals);
    default: {
      const Representation& type = condition.operands.front().type;
      return type.kind == Representation::Kind::scalar && is_real(type.scalar);
    }
  }
}

bool has_load(const Expr& e) {
  bool found = false;
  each_part(e, [&](const Expr& part) { found = found || part.kind == Expr::Kind::load; });
  return found;
}

bool is_integral(const Expr& e) {
  return e.type.kind == Representation::Kind::scalar && !is_real(e.type.scalar);
}

bool is_harmless(const Expr& part) {
  switch (part.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::boolean:
    case Expr::Kind::variable:
    case Expr::Kind::parameter:
    case Expr::Kind::extent:
    case Expr::Kind::length:
    case Expr::Kind::if_:
      return true;
    case Expr::Kind::load:
      return std::ranges::none_of(part.operands, has_load);
    case Expr::Kind::apply: {
      const bool divides =
          part.function == ScalarFunction::divide || part.function == ScalarFunction::modulo;
      // Of a number that no integer holds there is no integer.
      const bool rounds =
          part.function == ScalarFunction::convert && !is_integral(part.operands[0]);
      return !((divides || rounds) && is_integral(part));
    }
    default:
      return false;
  }
}

}  // namespace

std::optional<Expr> as_condition(const Expr& choice) {
  if (choice.kind != Expr::Kind::if_ || choice.type.scalar != Scalar::boolean ||
      choice.type.kind != Representation::Kind::scalar)
    return std::nullopt;
  const auto is = [&](std::size_t side, bool value) {
    const Expr& e = choice.operands[side];
    return e.kind == Expr::Kind::boolean && (e.integer != 0) == value;
  };
  const bool both = is(2, false);
  if (!both && !is(1, true)) return std::nullopt;
  Expr e;
  e.kind = Expr::Kind::apply;
  e.type = choice.type;
  e.location = choice.location;
  e.function = both ? ScalarFunction::and_ : ScalarFunction::or_;
  e.operands = {choice.operands[0], choice.operands[both ? 1 : 2]};
  return e;
}

bool may_compute_both(const Expr& e) {
  if (e.operands.size() != 2 || !is_of_reals(e.operands[0])) return false;
  bool harmless = true;
  each_part(e.operands[1], [&](const Expr& part) { harmless = harmless && is_harmless(part); });
  return harmless;
}

}  // namespace rhopsi::onf
