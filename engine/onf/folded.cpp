#include "engine/onf/folded.hpp"

#include <optional>
#include <utility>

#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

using Kind = Expr::Kind;

std::optional<std::int64_t> integer_in(const Expr& e) {
  const bool is = e.kind == Kind::integer && e.type.scalar == Scalar::int64;
  // Sums and products of these do not overflow.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  return is && -most <= e.integer && e.integer <= most ? std::optional(e.integer) : std::nullopt;
}
std::optional<bool> truth_in(const Expr& e) {
  return e.kind == Kind::boolean ? std::optional(e.integer != 0) : std::nullopt;
}

std::int64_t remainder_of(std::int64_t a, std::int64_t b) {
  const std::int64_t left = a % b;
  return left < 0 ? left + (b < 0 ? -b : b) : left;
}

std::optional<std::int64_t> number_of(ScalarFunction function, std::int64_t a, std::int64_t b) {
  switch (function) {
    case ScalarFunction::add:
      return a + b;
    case ScalarFunction::subtract:
      return a - b;
    case ScalarFunction::multiply:
      return a * b;
    case ScalarFunction::maximum:
      return a < b ? b : a;
    case ScalarFunction::minimum:
      return b < a ? b : a;
    case ScalarFunction::modulo:
      return b == 0 ? std::nullopt : std::optional(remainder_of(a, b));
    case ScalarFunction::divide:
      return b == 0 ? std::nullopt : std::optional((a - remainder_of(a, b)) / b);
    default:
      return std::nullopt;
  }
}

std::optional<bool> comparison_of(ScalarFunction function, std::int64_t a, std::int64_t b) {
  switch (function) {
    case ScalarFunction::equal:
      return a == b;
    case ScalarFunction::not_equal:
      return a != b;
    case ScalarFunction::less:
      return a < b;
    case ScalarFunction::less_equal:
      return a <= b;
    case ScalarFunction::greater:
      return a > b;
    case ScalarFunction::greater_equal:
      return a >= b;
    default:
      return std::nullopt;
  }
}

// a and b, a or b where one is a literal: `decides` is what decides it.
Expr connected(Expr e, bool decides) {
  for (std::size_t k = 0; k < 2; ++k) {
    const auto known = truth_in(e.operands[k]);
    if (!known) continue;
    return *known == decides ? truth(decides, e.location) : Expr(e.operands[1 - k]);
  }
  return e;
}

// Of a condition and two others.
Expr chosen(Expr e) {
  const auto known = truth_in(e.operands[0]);
  return known ? Expr(e.operands[*known ? 1 : 2]) : e;
}

Expr folded_function(Expr e) {
  if (e.function == ScalarFunction::and_) return connected(std::move(e), false);
  if (e.function == ScalarFunction::or_) return connected(std::move(e), true);
  if (e.function == ScalarFunction::select) return chosen(std::move(e));
  const auto a = integer_in(e.operands[0]);
  if (e.operands.size() == 1) {
    const auto known = truth_in(e.operands[0]);
    if (e.function == ScalarFunction::not_ && known) return truth(!*known, e.location);
    if (e.function == ScalarFunction::negate && a) return integer(-*a, e.location);
    const bool number = e.function == ScalarFunction::convert && e.type.scalar == Scalar::int64;
    if (number && known) return integer(*known ? 1 : 0, e.location);
    return e;
  }
  const auto b = e.operands.size() == 2 ? integer_in(e.operands[1]) : std::nullopt;
  if (!a || !b) return e;
  if (const auto holds = comparison_of(e.function, *a, *b)) return truth(*holds, e.location);
  const auto number = number_of(e.function, *a, *b);
  return number && e.type.scalar == Scalar::int64 ? integer(*number, e.location) : e;
}

}  // namespace

Expr folded(Expr e) {
  if (e.kind == Kind::apply && !e.operands.empty()) return folded_function(std::move(e));
  return e.kind == Kind::if_ ? chosen(std::move(e)) : e;
}

}  // namespace rhopsi::onf
