#include "backends/reference/scalars.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "backends/primitives/elementary.hpp"
#include "backends/primitives/sines.hpp"
#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"

namespace rhopsi::reference {

using onf::Scalar;
using onf::ScalarFunction;

namespace {

template <class T>
constexpr bool is_integer = std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;

template <class T>
constexpr bool is_real = std::is_floating_point_v<T>;

template <class T>
[[noreturn]] void overflow(const std::string& what) {
  fail(codes::integer_range, fmt::format("{} is more than int{} can hold.", what, 8 * sizeof(T)));
}

[[noreturn]] void unfit(const Value& value) {
  fail(codes::internal, "A scalar function was applied to " + describe(value) + ".");
}

template <class T>
T divide(T a, T b) {
  if constexpr (is_real<T>) {
    return a / b;
  } else {
    if (b == 0) fail(codes::division_by_zero, fmt::format("The integer {} is divided by 0.", a));
    if (a == std::numeric_limits<T>::min() && b == -1) overflow<T>(fmt::format("{} / -1", a));
    return a % b < 0 ? a / b - (b < 0 ? -1 : 1) : a / b;
  }
}

template <class T>
T modulo(T a, T b) {
  if constexpr (is_real<T>) {
    const T remainder = std::fmod(a, b);
    return remainder < 0 ? remainder + std::fabs(b) : remainder;
  } else {
    if (b == 0) fail(codes::division_by_zero, fmt::format("The integer {} is taken modulo 0.", a));
    if (b == -1) return 0;
    const T remainder = a % b;
    // b may be the smallest integer, whose negation does not exist.
    return remainder < 0 ? (b < 0 ? remainder - b : remainder + b) : remainder;
  }
}

template <class T>
T arithmetic(ScalarFunction function, T a, T b) {
  T result{};
  switch (function) {
    case ScalarFunction::add:
      if constexpr (is_real<T>)
        return a + b;
      else if (__builtin_add_overflow(a, b, &result))
        overflow<T>(fmt::format("{} + {}", a, b));
      return result;
    case ScalarFunction::subtract:
      if constexpr (is_real<T>)
        return a - b;
      else if (__builtin_sub_overflow(a, b, &result))
        overflow<T>(fmt::format("{} - {}", a, b));
      return result;
    case ScalarFunction::multiply:
      if constexpr (is_real<T>)
        return a * b;
      else if (__builtin_mul_overflow(a, b, &result))
        overflow<T>(fmt::format("{} * {}", a, b));
      return result;
    case ScalarFunction::divide:
      return divide(a, b);
    case ScalarFunction::modulo:
      return modulo(a, b);
    case ScalarFunction::minimum:
      return b < a ? b : a;
    case ScalarFunction::maximum:
      return a < b ? b : a;
    case ScalarFunction::pow:
      if constexpr (is_real<T>) return elementary::pow(a, b);
      [[fallthrough]];
    default:
      unfit(Value(a));
  }
}

template <class T>
T real_function(ScalarFunction function, T a) {
  switch (function) {
    case ScalarFunction::sqrt:
      return std::sqrt(a);
    case ScalarFunction::exp:
      return elementary::exp(a);
    case ScalarFunction::log:
      return elementary::log(a);
    case ScalarFunction::sin:
      return elementary::sin(a);
    case ScalarFunction::cos:
      return elementary::cos(a);
    case ScalarFunction::tanh:
      return elementary::tanh(a);
    default:
      unfit(Value(a));
  }
}

template <class T>
T unary(ScalarFunction function, T a) {
  const bool negates =
      function == ScalarFunction::negate ||
      (function == ScalarFunction::absolute && std::signbit(static_cast<double>(a)));
  if (function == ScalarFunction::plus) return a;
  if (negates) {
    if constexpr (is_integer<T>) {
      if (a == std::numeric_limits<T>::min()) overflow<T>(fmt::format("-({})", a));
    }
    return -a;
  }
  if (function == ScalarFunction::absolute) return a;
  if constexpr (is_real<T>) return real_function(function, a);
  unfit(Value(a));
}

template <class T>
bool compare(ScalarFunction function, T a, T b) {
  switch (function) {
    case ScalarFunction::less:
      return a < b;
    case ScalarFunction::less_equal:
      return a <= b;
    case ScalarFunction::greater:
      return a > b;
    case ScalarFunction::greater_equal:
      return a >= b;
    case ScalarFunction::equal:
      return a == b;
    default:
      return a != b;
  }
}

bool logical(ScalarFunction function, bool a, bool b) {
  switch (function) {
    case ScalarFunction::and_:
      return a && b;
    case ScalarFunction::or_:
      return a || b;
    case ScalarFunction::implies:
      return !a || b;
    case ScalarFunction::iff:
    case ScalarFunction::equal:
      return a == b;
    case ScalarFunction::not_equal:
      return a != b;
    case ScalarFunction::not_:
      return !a;
    default:
      unfit(Value(a));
  }
}

bool is_comparison(ScalarFunction function) {
  return function >= ScalarFunction::less && function <= ScalarFunction::not_equal;
}

thread_local std::uint64_t poles_met = 0;

// The result, counted where finite operands have none among the real numbers.
template <class T>
T noted(T result, T a, T b = T{}) {
  if constexpr (is_real<T>) {
    if (!std::isfinite(result) && std::isfinite(a) && std::isfinite(b)) ++poles_met;
  }
  return result;
}

template <class T>
Value apply_typed(ScalarFunction function, std::span<const Value> arguments) {
  const T& a = std::get<T>(arguments[0]);
  if (arguments.size() == 1) {
    if constexpr (std::is_same_v<T, bool>)
      return logical(function, a, false);
    else
      return noted(unary<T>(function, a), a);
  }
  const T* b = std::get_if<T>(&arguments[1]);
  if (b == nullptr) unfit(arguments[1]);
  if constexpr (std::is_same_v<T, bool>) {
    return logical(function, a, *b);
  } else {
    if (is_comparison(function)) return compare<T>(function, a, *b);
    return noted(arithmetic<T>(function, a, *b), a, *b);
  }
}

template <class To, class From>
Value convert_typed(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (is_integer<To> && is_real<From>) {
    const From bound = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    const From whole = std::trunc(value);
    if (!(whole >= -bound && whole < bound)) {
      // The sign of what is no number says nothing.
      const std::string shown = std::isnan(value) ? "nan" : fmt::format("{}", value);
      fail(codes::integer_range,
           fmt::format("{} cannot be converted to int{}.", shown, 8 * sizeof(To)));
    }
    return static_cast<To>(whole);
  } else {
    if constexpr (is_integer<To> && sizeof(To) < sizeof(From)) {
      if (static_cast<From>(static_cast<To>(value)) != value)
        overflow<To>(fmt::format("{}", value));
    }
    return static_cast<To>(value);
  }
}

template <class From>
Value convert_from(From value, Scalar to) {
  switch (to) {
    case Scalar::boolean:
      return convert_typed<bool>(value);
    case Scalar::int32:
      return convert_typed<std::int32_t>(value);
    case Scalar::int64:
      return convert_typed<std::int64_t>(value);
    case Scalar::float32:
      return convert_typed<float>(value);
    case Scalar::float64:
      break;
  }
  return convert_typed<double>(value);
}

template <class T>
std::optional<Value> typed_unit(ScalarFunction function) {
  using Limits = std::numeric_limits<T>;
  switch (function) {
    case ScalarFunction::add:
      return T{0};
    case ScalarFunction::multiply:
      return T{1};
    case ScalarFunction::minimum:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case ScalarFunction::maximum:
      return Limits::has_infinity ? -Limits::infinity() : Limits::min();
    default:
      return std::nullopt;
  }
}

std::optional<Value> logical_unit(ScalarFunction function) {
  if (function == ScalarFunction::and_ || function == ScalarFunction::iff) return true;
  if (function == ScalarFunction::or_) return false;
  return std::nullopt;
}

}  // namespace

std::uint64_t poles() { return poles_met; }

Value apply_scalar(ScalarFunction function, std::span<const Value> arguments) {
  if (function == ScalarFunction::true_ || function == ScalarFunction::false_) {
    return function == ScalarFunction::true_;
  }
  if (function == ScalarFunction::select) {
    return std::get<bool>(arguments[0]) ? arguments[1] : arguments[2];
  }
  return std::visit(
      [&](const auto& first) -> Value {
        using T = std::decay_t<decltype(first)>;
        if constexpr (std::is_same_v<T, Index> || std::is_same_v<T, Array>)
          unfit(first);
        else
          return apply_typed<T>(function, arguments);
      },
      arguments[0]);
}

Value convert(const Value& value, Scalar to) {
  return std::visit(
      [&](const auto& from) -> Value {
        using T = std::decay_t<decltype(from)>;
        if constexpr (std::is_same_v<T, Index> || std::is_same_v<T, Array>)
          unfit(from);
        else
          return convert_from<T>(from, to);
      },
      value);
}

Value integer_value(std::int64_t value, Scalar type) { return convert(Value(value), type); }

std::optional<Value> unit_of(ScalarFunction function, Scalar type) {
  switch (type) {
    case Scalar::boolean:
      return logical_unit(function);
    case Scalar::int32:
      return typed_unit<std::int32_t>(function);
    case Scalar::int64:
      return typed_unit<std::int64_t>(function);
    case Scalar::float32:
      return typed_unit<float>(function);
    case Scalar::float64:
      break;
  }
  return typed_unit<double>(function);
}

std::int64_t euclidean_modulo(std::int64_t a, std::int64_t b) { return modulo(a, b); }

}  // namespace rhopsi::reference
