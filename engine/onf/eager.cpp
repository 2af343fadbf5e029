#include "engine/onf/eager.hpp"

#include <algorithm>

#include "engine/onf/positions.hpp"
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

bool reads(const Expr& e) {
  return e.kind == Expr::Kind::load || std::ranges::any_of(e.operands, reads);
}

// Has it no choice, of which compilers make branches again, and reads nothing where elements say?
bool is_straight(const Expr& e) {
  if (e.kind == Expr::Kind::if_) return false;
  return e.kind == Expr::Kind::load ? std::ranges::none_of(e.operands, reads)
                                    : std::ranges::all_of(e.operands, is_straight);
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
  return e.operands.size() == 2 && is_of_reals(e.operands[0]) && always_has_value(e.operands[1]) &&
         is_straight(e.operands[1]);
}

}  // namespace rhopsi::onf
