// Exponentials, logarithms and hyperbolic tangents in operations that IEEE 754 says exactly: sums,
// products, quotients, comparisons, and bits. So a program has the same bits on every machine, and
// as the reference; and there are no branches, so that a compiler makes vectors of a loop. The same
// of squares, cubes and fourth powers. Sums and products must not be contracted, nor put in another
// order.
//
// Part of every emitted folder: of the standard library alone. RHOPSI_ELEMENTARY is what stands in
// front of each function, RHOPSI_ELEMENTARY_APART of what is long and seldom called.
//
// Reductions by a logarithm of 2 in two parts, and the coefficients of the logarithm, which are
// best approximations, are known from the freely distributable library of Sun Microsystems
// (fdlibm, e_exp.c and e_log.c).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#ifndef RHOPSI_ELEMENTARY
#define RHOPSI_ELEMENTARY inline
#endif
#ifndef RHOPSI_ELEMENTARY_APART
#define RHOPSI_ELEMENTARY_APART inline
#endif

namespace rhopsi::elementary {

namespace detail {

RHOPSI_ELEMENTARY std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
RHOPSI_ELEMENTARY double real_of(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Of a number below 2^51 this much more is an integer, the nearest one, in its last bits.
constexpr double integers_from = 0x1.8p52;
RHOPSI_ELEMENTARY std::uint64_t integer_in(double sum) {
  return bits_of(sum) - bits_of(integers_from);
}
// 2^n, which is a normal number.
RHOPSI_ELEMENTARY double power_of_two(std::uint64_t n) { return real_of((n + 1023) << 52); }

// log 2 in two parts: a product of the first one and an integer below 2^20 is exact.
constexpr double log_2_high = 0x1.62e42feep-1, log_2_low = 0x1.a39ef35793c76p-33;
constexpr double per_log_2 = 0x1.71547652b82fep+0;

// What lies beyond is infinite, or 0, all the same. Not a number stays that.
RHOPSI_ELEMENTARY double between(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

// e^x = 2^k (1 + more + lost), |more| < 0.42.
struct Exponential {
  double k = 0, more = 0, lost = 0;
};

// By the power series of r = x - k log 2, |r| <= log 2 / 2, to the 13th term.
RHOPSI_ELEMENTARY Exponential exponential(double x) {
  const double k = (x * per_log_2 + integers_from) - integers_from;
  const double high = x - k * log_2_high, low = k * log_2_low;
  const double r = high - low;
  const double left = (high - r) - low;
  // In fours, beside each other: of a sum for each term, in a row, one would wait for the other.
  const double square = r * r;
  const double first = (0.5 + 1.0 / 6.0 * r) + (1.0 / 24.0 + 1.0 / 120.0 * r) * square;
  const double second =
      (1.0 / 720.0 + 1.0 / 5040.0 * r) + (1.0 / 40320.0 + 1.0 / 362880.0 * r) * square;
  const double third = (1.0 / 3628800.0 + 1.0 / 39916800.0 * r) +
                       (1.0 / 479001600.0 + 1.0 / 6227020800.0 * r) * square;
  const double fourth = square * square;
  const double rest = left + square * (first + fourth * (second + fourth * third));
  const double more = r + rest;
  return {k, more, rest - (more - r)};
}

// The same to the 8th term: what a float asks for.
RHOPSI_ELEMENTARY Exponential exponential_of_float(double x) {
  const double k = (x * per_log_2 + integers_from) - integers_from;
  const double r = x - k * (log_2_high + log_2_low);
  const double square = r * r;
  const double first = (0.5 + 1.0 / 6.0 * r) + (1.0 / 24.0 + 1.0 / 120.0 * r) * square;
  const double second = (1.0 / 720.0 + 1.0 / 5040.0 * r) + 1.0 / 40320.0 * square;
  return {k, r + square * (first + square * square * second), 0.0};
}

// The integer that a number below 2^51 is.
RHOPSI_ELEMENTARY std::uint64_t integer_of(double k) { return integer_in(k + integers_from); }

// t / (t + 2), t = e^2x - 1, or 1 - 2 / (t + 2), x >= 0, with the sign of `of`.
RHOPSI_ELEMENTARY double tangent_of(const Exponential& twice, double of) {
  const double power = power_of_two(integer_of(twice.k));
  const double less = power - 1.0, more = power * twice.more;
  const double sum = less + more;
  const double lost = ((less - sum) + more) + power * twice.lost;
  // Of either form; one choice alone, of which compilers do not make two quotients.
  const double far = sum > 4.0 ? 1.0 : 0.0, near = 1.0 - far;
  const double divisor = 2.0 + sum, q = (near * sum - 2.0 * far) / divisor;
  // What rounding t and t + 2 takes from the quotient; 1 / (t + 2) is (1 - q) / 2, or -q / 2.
  const double lost_below = (2.0 - divisor) + sum + lost;
  const double rest = (near * lost - q * lost_below) * (0.5 * (near - q));
  const double y = far + (q + rest);
  return real_of(bits_of(y) | (bits_of(of) & sign_bit));
}

}  // namespace detail

// Within 0.8 units of the last place. Two powers of 2, since 2^k alone may be no normal number.
RHOPSI_ELEMENTARY double exp(double of) {
  using namespace detail;
  const Exponential e = exponential(between(of, -746.0, 710.0));
  // 1 + more, with what the two sums lose.
  const double near = 1.0 + e.more;
  const double fraction = near + (((1.0 - near) + e.more) + e.lost);
  const std::uint64_t half = integer_of(e.k * 0.5);
  return fraction * power_of_two(half) * power_of_two(integer_of(e.k) - half);
}

// In doubles, in which its exponents are those of normal numbers. Within 0.51 units.
RHOPSI_ELEMENTARY float exp(float of) {
  using namespace detail;
  const Exponential e = exponential_of_float(between(static_cast<double>(of), -105.0, 90.0));
  return static_cast<float>((1.0 + e.more) * power_of_two(integer_of(e.k)));
}

// 1 where the last place of a double, or a float, says nothing else. Within 1.5 units of the last
// place, and 0.51.
RHOPSI_ELEMENTARY double tanh(double of) {
  using namespace detail;
  return tangent_of(exponential(2.0 * between(std::fabs(of), 0.0, 20.0)), of);
}
RHOPSI_ELEMENTARY float tanh(float of) {
  using namespace detail;
  const double x = static_cast<double>(of);
  return static_cast<float>(
      tangent_of(exponential_of_float(2.0 * between(std::fabs(x), 0.0, 10.0)), x));
}

// log x = k log 2 + log m, m between the roots of 1/2 and 2; log m = log(1 + s) - log(1 - s) of
// s = f / (2 + f), f = m - 1. Within one unit of the last place.
RHOPSI_ELEMENTARY double log(double of) {
  using namespace detail;
  constexpr std::uint64_t one = 0x3ff0000000000000, root_of_half = 0x3fe6a09e667f3bcd,
                          fraction = 0x000fffffffffffff;
  const bool subnormal = of < 0x1p-1022;
  const double x = subnormal ? of * 0x1p54 : of;
  const std::uint64_t moved = bits_of(x) + (one - root_of_half);
  const double exponent = real_of(bits_of(integers_from) + (moved >> 52)) - integers_from;
  const double k = exponent - (subnormal ? 1023.0 + 54.0 : 1023.0);
  const double f = real_of((moved & fraction) + root_of_half) - 1.0;
  const double s = f / (2.0 + f);
  const double square = s * s, fourth = square * square;
  const double even =
      fourth * (3.999999999940941908e-01 +
                fourth * (2.222219843214978396e-01 + fourth * 1.531383769920937332e-01));
  const double odd =
      square * (6.666666666666735130e-01 +
                fourth * (2.857142874366239149e-01 +
                          fourth * (1.818357216161805012e-01 + fourth * 1.479819860510658591e-01)));
  const double half = 0.5 * f * f;
  // k is 0, or |k log 2| > |f|, so that what the sum loses is known.
  const double of_power = k * log_2_high;
  const double sum = of_power + f, lost = (of_power - sum) + f;
  const double rest = half - (s * (half + (even + odd)) + k * log_2_low);
  double y = sum + (lost - rest);
  y = of == 0.0 ? -HUGE_VAL : y;
  y = of < 0.0 ? NAN : y;
  return of < HUGE_VAL ? y : of;
}

RHOPSI_ELEMENTARY float log(float of) { return static_cast<float>(log(static_cast<double>(of))); }

// The number, of which the compiler knows nothing: of a power whose exponent it knows it makes
// something else, a square root of the 0.5th one, with other bits and of other numbers.
template <class T>
RHOPSI_ELEMENTARY T unknown(T number) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__FAST_MATH__)
  asm("" : "+m"(number));
#endif
  return number;
}

// Squares, cubes and fourth powers as products, within 0.5 units of the last place, 1.5, and 2.5;
// powers with other exponents are the standard library's. An exponent that the program states
// leaves no branch.
RHOPSI_ELEMENTARY double pow(double base, double exponent) {
  const double square = base * base;
  if (exponent == 2.0) return square;
  if (exponent == 3.0) return square * base;
  if (exponent == 4.0) return square * square;
  return std::pow(base, unknown(exponent));
}
// Of floats in doubles, in which they have all of their digits: within 0.51 units.
RHOPSI_ELEMENTARY float pow(float base, float exponent) {
  const double wide = base, square = wide * wide;
  if (exponent == 2.0F) return static_cast<float>(square);
  if (exponent == 3.0F) return static_cast<float>(square * wide);
  if (exponent == 4.0F) return static_cast<float>(square * square);
  return std::pow(base, unknown(exponent));
}

}  // namespace rhopsi::elementary
