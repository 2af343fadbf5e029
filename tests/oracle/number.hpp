// Numbers as elements of arrays, and the scalar functions on them.
//
// The narrowest type that holds the operands is that of the result: truth values, then 64-bit
// integers, then reals. Truth values count as 0 and 1 in arithmetic.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>

namespace rhopsi::oracle {

enum class Type : std::uint8_t { boolean, integer, real };

using Number = std::variant<bool, std::int64_t, double>;  // in the order of Type

// Holds sums and products of two integers.
__extension__ using Wide = __int128;

// An expression that has no value: a domain condition does not hold.
class Violation : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Of a single element: an integer overflows, or is divided by zero. Where the element is not
// used in the end, it may go unnoticed.
class ElementViolation : public Violation {
  using Violation::Violation;
};

inline Type type_of(const Number& number) { return static_cast<Type>(number.index()); }
inline Type wider(Type left, Type right) { return left < right ? right : left; }

// Keeps the value; a real becomes an integer towards zero, and a truth value by `!= 0`.
Number converted(const Number& number, Type type);

std::int64_t integer_of(const Number& number);
double real_of(const Number& number);
bool truth_of(const Number& number);

// add sub mul div mod min max pow less less_equal greater greater_equal equal not_equal and or
enum class Binary : std::uint8_t {
  add,
  sub,
  mul,
  div,
  mod,
  min,
  max,
  pow,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  and_,
  or_,
};

enum class Unary : std::uint8_t { negate, abs, sqrt, exp, log, sin, cos, tanh, not_ };

Number apply(Binary function, const Number& left, const Number& right);
Number apply(Unary function, const Number& operand);
Type result_type(Binary function, Type left, Type right);
Type result_type(Unary function, Type operand);

// Functions that folds may use. The unit is what a fold of nothing gives.
bool has_unit(Binary function);
Number unit_of(Binary function, Type type);

// The quotient rounded so that the remainder is not negative, and that remainder.
std::int64_t euclidean_quotient(std::int64_t a, std::int64_t b);
std::int64_t euclidean_remainder(std::int64_t a, std::int64_t b);

// "true", "-3", "0.25"; reals so that they are read back exactly.
std::string to_string(const Number& number);
std::string to_string(Type type);

}  // namespace rhopsi::oracle
