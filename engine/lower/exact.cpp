// Lengths, and numbers of a program, that 64 bits may not hold: tests in front of what uses them.
#include <algorithm>
#include <limits>

#include "engine/lower/computation.hpp"

namespace rhopsi::lower {

using onf::Expr;
using onf::Scalar;
using onf::ScalarFunction;

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr const char* beyond = "an integer that 64 bits do not hold";

Expr integer_of(ScalarFunction function, Expr left, Expr right) {
  return apply_expr(function, Scalar::int64, {std::move(left), std::move(right)});
}
Expr truth_of(ScalarFunction function, Expr left, Expr right) {
  return apply_expr(function, Scalar::boolean, {std::move(left), std::move(right)});
}
Expr at_most(Expr left, Expr right) {
  return truth_of(ScalarFunction::less_equal, std::move(left), std::move(right));
}
Expr less(Expr left, Expr right) {
  return truth_of(ScalarFunction::less, std::move(left), std::move(right));
}
Expr is_zero(Expr value) {
  return truth_of(ScalarFunction::equal, std::move(value), integer_expr(0));
}
Expr all(Expr left, Expr right) {
  return truth_of(ScalarFunction::and_, std::move(left), std::move(right));
}
Expr any(Expr left, Expr right) {
  return truth_of(ScalarFunction::or_, std::move(left), std::move(right));
}

bool is_integer(const Expr& e) {
  return e.type.kind == onf::Representation::Kind::scalar && e.type.scalar == Scalar::int64;
}

// Different lengths of one array, whose product its memory bounds.
bool of_one_array(const Expr& e, std::vector<Expr>& lengths) {
  if (e.kind == Expr::Kind::apply && e.function == ScalarFunction::multiply) {
    return of_one_array(e.operands[0], lengths) && of_one_array(e.operands[1], lengths);
  }
  if (e.kind != Expr::Kind::length) return false;
  for (const Expr& other : lengths) {
    if (other.view != e.view || other.axis == e.axis) return false;
  }
  lengths.push_back(e);
  return true;
}

std::optional<std::int64_t> exactly(ScalarFunction function, std::optional<std::int64_t> a,
                                    std::optional<std::int64_t> b) {
  std::int64_t result = 0;
  if (!a || !b) return std::nullopt;
  const bool overflows = function == ScalarFunction::multiply
                             ? __builtin_mul_overflow(*a, *b, &result)
                             : __builtin_add_overflow(*a, *b, &result);
  return overflows ? std::nullopt : std::optional(result);
}

}  // namespace

void Computation::check_exact_condition(const Expr& e) {
  if (e.kind != Expr::Kind::apply) return;
  if (e.function == ScalarFunction::and_) {
    for (const Expr& part : e.operands) check_exact_condition(part);
    return;
  }
  const bool compares =
      e.function >= ScalarFunction::less && e.function <= ScalarFunction::not_equal;
  if (!compares) return;
  for (const Expr& operand : e.operands) check_exact(operand);
}

// Is the sum, difference or product of a and b a 64-bit integer?
Expr Computation::fits(ScalarFunction function, const Expr& a, const Expr& b) {
  const auto limit = [&](std::int64_t end, ScalarFunction by) {
    return integer_of(by, integer_expr(end), b);
  };
  const Expr zero = integer_expr(0);
  if (function == ScalarFunction::multiply) {
    const Expr most = integer_of(ScalarFunction::divide, integer_expr(highest),
                                 apply_expr(ScalarFunction::absolute, Scalar::int64, {b}));
    const Expr above = at_most(a, most);
    if (ranges_.at_most(zero, a)) return any(is_zero(b), above);
    const Expr below = at_most(apply_expr(ScalarFunction::negate, Scalar::int64, {most}), a);
    return any(is_zero(b), all(below, above));
  }
  if (function == ScalarFunction::add) {
    if (ranges_.at_most(zero, b)) return at_most(a, limit(highest, ScalarFunction::subtract));
    if (ranges_.at_most(zero, a)) return fits(function, b, a);
    return any(all(at_most(zero, b), at_most(a, limit(highest, ScalarFunction::subtract))),
               all(less(b, zero), at_most(limit(lowest, ScalarFunction::subtract), a)));
  }
  if (ranges_.at_most(zero, b)) return at_most(limit(lowest, ScalarFunction::add), a);
  return any(all(at_most(zero, b), at_most(limit(lowest, ScalarFunction::add), a)),
             all(less(b, zero), at_most(a, limit(highest, ScalarFunction::add))));
}

std::optional<std::int64_t> Computation::check_exact(const Expr& e) {
  if (!is_integer(e)) return std::nullopt;
  switch (e.kind) {
    case Expr::Kind::integer:
      if (e.integer == lowest) return std::nullopt;
      return std::max(e.integer, -e.integer);
    case Expr::Kind::length:
      return onf::greatest_length;
    case Expr::Kind::variable: {
      const auto known = exact_.find(e.variable);
      if (known != exact_.end()) return known->second;
      const auto definition = definitions_.find(e.variable);
      if (definition == definitions_.end()) return std::nullopt;
      return exact_[e.variable] = check_exact(Expr(definition->second));
    }
    case Expr::Kind::apply:
      return check_exact_apply(e);
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> Computation::check_exact_apply(const Expr& e) {
  std::vector<std::optional<std::int64_t>> bounds;
  for (const Expr& operand : e.operands) bounds.push_back(check_exact(operand));
  switch (e.function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply: {
      std::vector<Expr> lengths;
      if (of_one_array(e, lengths)) return highest / 4;
      const auto bound = exactly(e.function, bounds[0], bounds[1]);
      if (bound) return bound;
      check(fits(e.function, e.operands[0], e.operands[1]), beyond, "E0613");
      return std::nullopt;
    }
    case ScalarFunction::negate:
    case ScalarFunction::absolute:
      if (bounds[0]) return bounds[0];
      if (ranges_.at_most(integer_expr(lowest + 1), e.operands[0])) return highest;
      check(at_most(integer_expr(lowest + 1), e.operands[0]), beyond, "E0613");
      return highest;
    case ScalarFunction::divide:
    case ScalarFunction::plus:
      return bounds[0];
    case ScalarFunction::modulo:
      return bounds[1];
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
      if (!bounds[0] || !bounds[1]) return std::nullopt;
      return std::max(*bounds[0], *bounds[1]);
    default:
      return std::nullopt;
  }
}

}  // namespace rhopsi::lower
