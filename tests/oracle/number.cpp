#include "tests/oracle/number.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "backends/primitives/elementary.hpp"
#include "backends/primitives/sines.hpp"

namespace rhopsi::oracle {
namespace {

constexpr auto smallest = std::numeric_limits<std::int64_t>::min();
constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool in_range(Wide value) { return smallest <= value && value <= largest; }

std::int64_t narrow(Wide value) {
  if (!in_range(value)) throw ElementViolation("integer overflow");
  return static_cast<std::int64_t>(value);
}

std::int64_t truncated(double value) {
  if (!(value > -0x1p63 && value < 0x1p63)) throw ElementViolation("no integer holds the number");
  return static_cast<std::int64_t>(value);
}

double remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder < 0 ? remainder + std::fabs(b) : remainder;
}

Number arithmetic(Binary function, std::int64_t a, std::int64_t b) {
  switch (function) {
    case Binary::add:
      return narrow(Wide{a} + b);
    case Binary::sub:
      return narrow(Wide{a} - b);
    case Binary::mul:
      return narrow(Wide{a} * b);
    case Binary::div:
      return euclidean_quotient(a, b);
    case Binary::mod:
      return euclidean_remainder(a, b);
    case Binary::min:
      return a < b ? a : b;
    default:
      return a > b ? a : b;
  }
}

// Of equal operands (0 and -0 are equal) the first is the smaller and the larger one.
Number arithmetic(Binary function, double a, double b) {
  switch (function) {
    case Binary::add:
      return a + b;
    case Binary::sub:
      return a - b;
    case Binary::mul:
      return a * b;
    case Binary::div:
      return a / b;
    case Binary::mod:
      return remainder(a, b);
    case Binary::min:
      return b < a ? b : a;
    case Binary::max:
      return a < b ? b : a;
    default:
      return elementary::pow(a, b);
  }
}

template <class T>
Number comparison(Binary function, T a, T b) {
  switch (function) {
    case Binary::less:
      return a < b;
    case Binary::less_equal:
      return a <= b;
    case Binary::greater:
      return a > b;
    case Binary::greater_equal:
      return a >= b;
    case Binary::equal:
      return a == b;
    default:
      return a != b;
  }
}

bool is_comparison(Binary function) {
  return Binary::less <= function && function <= Binary::not_equal;
}

bool is_connective(Binary function) { return function >= Binary::and_; }

}  // namespace

Number converted(const Number& number, Type type) {
  switch (type) {
    case Type::boolean:
      return truth_of(number);
    case Type::integer:
      return type_of(number) == Type::real ? truncated(std::get<double>(number))
                                           : integer_of(number);
    default:
      return real_of(number);
  }
}

std::int64_t integer_of(const Number& number) {
  if (const bool* truth = std::get_if<bool>(&number)) return *truth ? 1 : 0;
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return *integer;
  throw Violation("an integer is needed, not a real");
}

double real_of(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

bool truth_of(const Number& number) {
  return std::visit([](auto value) { return value != 0; }, number);
}

Number apply(Binary function, const Number& left, const Number& right) {
  if (function == Binary::and_) return truth_of(left) && truth_of(right);
  if (function == Binary::or_) return truth_of(left) || truth_of(right);
  const bool reals =
      function == Binary::pow || type_of(left) == Type::real || type_of(right) == Type::real;
  if (is_comparison(function)) {
    return reals ? comparison(function, real_of(left), real_of(right))
                 : comparison(function, integer_of(left), integer_of(right));
  }
  return reals ? arithmetic(function, real_of(left), real_of(right))
               : arithmetic(function, integer_of(left), integer_of(right));
}

Number apply(Unary function, const Number& operand) {
  if (function == Unary::not_) return !truth_of(operand);
  const bool real = type_of(operand) == Type::real;
  if (function == Unary::negate) {
    return real ? Number(-real_of(operand)) : narrow(-Wide{integer_of(operand)});
  }
  if (function == Unary::abs) {
    if (real) return std::fabs(real_of(operand));
    const std::int64_t value = integer_of(operand);
    return value < 0 ? narrow(-Wide{value}) : value;
  }
  const double value = real_of(operand);
  switch (function) {
    case Unary::sqrt:
      return std::sqrt(value);
    case Unary::exp:
      return elementary::exp(value);
    case Unary::log:
      return elementary::log(value);
    case Unary::sin:
      return elementary::sin(value);
    case Unary::cos:
      return elementary::cos(value);
    default:
      return elementary::tanh(value);
  }
}

Type result_type(Binary function, Type left, Type right) {
  if (is_comparison(function) || is_connective(function)) return Type::boolean;
  if (function == Binary::pow) return Type::real;
  return wider(Type::integer, wider(left, right));
}

Type result_type(Unary function, Type operand) {
  if (function == Unary::not_) return Type::boolean;
  if (function == Unary::negate || function == Unary::abs) return wider(Type::integer, operand);
  return Type::real;
}

bool has_unit(Binary function) {
  switch (function) {
    case Binary::add:
    case Binary::mul:
    case Binary::min:
    case Binary::max:
    case Binary::and_:
    case Binary::or_:
      return true;
    default:
      return false;
  }
}

Number unit_of(Binary function, Type type) {
  const bool real = type == Type::real;
  switch (function) {
    case Binary::add:
      return real ? Number(0.0) : Number(std::int64_t{0});
    case Binary::mul:
      return real ? Number(1.0) : Number(std::int64_t{1});
    case Binary::min:
      return real ? Number(infinity) : Number(largest);
    case Binary::max:
      return real ? Number(-infinity) : Number(smallest);
    case Binary::and_:
      return true;
    case Binary::or_:
      return false;
    default:
      throw Violation("the function has no unit");
  }
}

std::int64_t euclidean_remainder(std::int64_t a, std::int64_t b) {
  if (b == 0) throw ElementViolation("division by zero");
  const Wide divisor = b < 0 ? -Wide{b} : Wide{b};
  const Wide remainder = Wide{a} % divisor;
  return static_cast<std::int64_t>(remainder < 0 ? remainder + divisor : remainder);
}

std::int64_t euclidean_quotient(std::int64_t a, std::int64_t b) {
  const Wide remainder = euclidean_remainder(a, b);
  return narrow((Wide{a} - remainder) / b);
}

std::string to_string(const Number& number) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

std::string to_string(Type type) {
  switch (type) {
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int64";
    default:
      return "float64";
  }
}

}  // namespace rhopsi::oracle
