// Exponentials and logarithms in operations that IEEE 754 says exactly: sums, products, quotients,
// comparisons, and bits. So a program has the same bits on every machine, and as the reference; and
// there are no branches, so that a compiler makes vectors of a loop. Sums and products must not be
// contracted, nor put in another order.
//
// Part of every emitted folder: of the standard library alone. RHOPSI_ELEMENTARY is what stands in
// front of each function.
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

}  // namespace detail

// e^x = 2^k e^r, |r| <= log 2 / 2, by r's power series to the 13th term. Within 0.8 units of the
// last place. Two powers of 2, since 2^k alone may be no normal number.
RHOPSI_ELEMENTARY double exp(double x) {
  using namespace detail;
  x = between(x, -746.0, 710.0);
  const double sum = x * per_log_2 + integers_from;
  const double k = sum - integers_from;
  const double high = x - k * log_2_high, low = k * log_2_low;
  const double r = high - low;
  const double left = (high - r) - low;
  double series = 1.0 / 6227020800.0;
  series = series * r + 1.0 / 479001600.0;
  series = series * r + 1.0 / 39916800.0;
  series = series * r + 1.0 / 3628800.0;
  series = series * r + 1.0 / 362880.0;
  series = series * r + 1.0 / 40320.0;
  series = series * r + 1.0 / 5040.0;
  series = series * r + 1.0 / 720.0;
  series = series * r + 1.0 / 120.0;
  series = series * r + 1.0 / 24.0;
  series = series * r + 1.0 / 6.0;
  series = series * r + 0.5;
  // 1 + r + rest, with what the two sums lose.
  const double rest = left + r * r * series;
  const double more = r + rest, of_more = rest - (more - r);
  const double near = 1.0 + more;
  const double of_r = near + (((1.0 - near) + more) + of_more);
  const std::uint64_t all = integer_in(sum), half = integer_in(k * 0.5 + integers_from);
  return of_r * power_of_two(half) * power_of_two(all - half);
}

// In doubles, in which its exponents are those of normal numbers. Within 0.51 units.
RHOPSI_ELEMENTARY float exp(float of) {
  using namespace detail;
  const double x = between(static_cast<double>(of), -105.0, 90.0);
  const double sum = x * per_log_2 + integers_from;
  const double r = x - (sum - integers_from) * (log_2_high + log_2_low);
  double series = 1.0 / 40320.0;
  series = series * r + 1.0 / 5040.0;
  series = series * r + 1.0 / 720.0;
  series = series * r + 1.0 / 120.0;
  series = series * r + 1.0 / 24.0;
  series = series * r + 1.0 / 6.0;
  series = series * r + 0.5;
  return static_cast<float>((1.0 + (r + r * r * series)) * power_of_two(integer_in(sum)));
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

}  // namespace rhopsi::elementary
