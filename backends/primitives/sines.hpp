// Sines and cosines in operations that IEEE 754 says exactly, as elementary.hpp has exponentials.
//
// What is left of an angle when multiples of a right angle have been taken from it takes few
// operations, without branches, below 2^20; beyond, 192 bits of 2 / pi, in integers. So there are
// two forms: near::sin, which loops have as vectors and which says nothing of other angles, and
// sin, which has the same bits where both are defined. How pi / 2 is taken away in parts of 33
// bits, and what the sums lose is carried on, is known from the freely distributable library of Sun
// Microsystems (fdlibm, e_rem_pio2.c, k_sin.c, k_cos.c); the way for large angles is that of
// M. Payne and R. Hanek (Radian reduction for trigonometric functions, 1983). Series are those of
// the powers of the angle.
#pragma once

#include "elementary.hpp"

namespace rhopsi::elementary {

namespace detail {

// An angle: quadrant * pi / 2 + rest + lost, |rest| <= pi / 4 and a little.
struct Angle {
  std::uint64_t quadrant = 0;
  double rest = 0, lost = 0;
};

// a - b, and what that loses.
struct Difference {
  double value = 0, lost = 0;
};
RHOPSI_ELEMENTARY Difference difference(double a, double b) {
  const double value = a - b, of_b = value - a;
  return {value, (a - (value - of_b)) - (b + of_b)};
}

constexpr double per_right_angle = 0x1.45f306dc9c883p-1;

// 0 <= x < 2^20: a product of an integer below that and one of the first three parts is exact.
RHOPSI_ELEMENTARY Angle near_angle(double x) {
  const double sum = x * per_right_angle + integers_from, k = sum - integers_from;
  const Difference first = difference(x - k * 0x1.921fb544p+0, k * 0x1.0b4611a6p-34);
  const Difference second = difference(first.value, k * 0x1.3198a2ep-69);
  const double lost = (first.lost + second.lost) - k * 0x1.b839a252049c1p-104;
  const double rest = second.value + lost;
  return {bits_of(sum), rest, (second.value - rest) + lost};
}
// What a float asks for.
RHOPSI_ELEMENTARY Angle near_angle_of_float(double x) {
  const double sum = x * per_right_angle + integers_from, k = sum - integers_from;
  return {bits_of(sum), (x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34, 0.0};
}

// The 128 bits of a product.
struct Wide {
  std::uint64_t high = 0, low = 0;
};
RHOPSI_ELEMENTARY Wide product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t half = 0xffffffff;
  const std::uint64_t low = (a & half) * (b & half), left = (a >> 32) * (b & half),
                      right = (a & half) * (b >> 32);
  const std::uint64_t middle = (low >> 32) + (left & half) + (right & half);
  return {(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32),
          (middle << 32) | (low & half)};
}

// Bits of 2 / pi behind 64 that are 0: of them 64 from `first` on.
RHOPSI_ELEMENTARY std::uint64_t bits_per_right_angle(std::uint64_t first) {
  static constexpr std::uint64_t words[] = {
      0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
      0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
      0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
      0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  const std::uint64_t word = first / 64, shift = first % 64;
  return shift == 0 ? words[word] : words[word] << shift | words[word + 1] >> (64 - shift);
}

// f right angles, f = high / 2^64 + low / 2^128 <= 1 / 2, in parts whose products are exact.
RHOPSI_ELEMENTARY Angle part_of_right_angle(std::uint64_t high, std::uint64_t low) {
  double unit = 1.0;
  for (; high >> 63 == 0 && unit > 0x1p-120; unit *= 0.5) {
    high = high << 1 | low >> 63;
    low <<= 1;
  }
  constexpr double p1 = 0x1.921fb5p+0, p2 = 0x1.110b46p-26, p3 = 0x1.1a62633145c06p-54;
  const double a = static_cast<double>(high >> 38) * 0x1p-26,
               b = static_cast<double>(high >> 11 & 0x7ffffff) * 0x1p-53,
               c = static_cast<double>(high & 0x7ff) * 0x1p-64;
  const double first = a * p1, second = a * p2 + b * p1;
  const double sum = first + second;
  const double lost = ((first - sum) + second) + (a * p3 + b * p2 + c * p1);
  const double rest = sum + lost;
  return {0, unit * rest, unit * ((sum - rest) + lost)};
}

// x >= 2^20, or not a number. Of x = m 2^e those bits of 2 / pi count that make less than four
// right angles.
RHOPSI_ELEMENTARY_APART Angle far_angle(double x) {
  if (!(x < HUGE_VAL)) return {0, NAN, NAN};
  const std::uint64_t bits = bits_of(x), m = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  const std::uint64_t first = (bits >> 52) + 64 - 1075 - 2;
  const std::uint64_t w2 = bits_per_right_angle(first + 128), w1 = bits_per_right_angle(first + 64),
                      w0 = bits_per_right_angle(first);
  const Wide behind = product(m, w2), between = product(m, w1);
  const std::uint64_t middle = between.low + behind.high;
  const std::uint64_t top = between.high + (middle < behind.high ? 1 : 0) + m * w0;
  std::uint64_t high = top << 2 | middle >> 62, low = middle << 2 | behind.low >> 62;
  const bool above = high >> 63 != 0;
  if (above) {
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  const Angle part = part_of_right_angle(high, low);
  return {(top >> 62) + (above ? 1 : 0), above ? -part.rest : part.rest,
          above ? -part.lost : part.lost};
}

// c0 + c1 z + ... + c6 z^6
RHOPSI_ELEMENTARY double series(double z, double c0, double c1, double c2, double c3, double c4,
                                double c5, double c6) {
  const double square = z * z;
  return ((c0 + c1 * z) + (c2 + c3 * z) * square) + square * square * ((c4 + c5 * z) + c6 * square);
}

// One of the two with its sign, in bits, of which compilers make no branches.
RHOPSI_ELEMENTARY double in_quadrant(std::uint64_t quadrant, double sine, double cosine) {
  const std::uint64_t odd = std::uint64_t{0} - (quadrant & 1);
  return real_of(((bits_of(sine) & ~odd) | (bits_of(cosine) & odd)) ^ (quadrant & 2) << 62);
}

// The sine in the first of four quadrants, the cosine in the second, and both again with another
// sign. Within 0.85 units of the last place.
RHOPSI_ELEMENTARY double sine_of(const Angle& angle) {
  const double r = angle.rest, z = r * r, cube = z * r;
  const double of_sine =
      series(z, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0, 1.0 / 6227020800.0,
             -1.0 / 1307674368000.0, 1.0 / 355687428096000.0);
  const double of_cosine = series(z, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3628800.0,
                                  1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0);
  const double sine =
      r - ((z * (0.5 * angle.lost - cube * of_sine) - angle.lost) + cube * (1.0 / 6.0));
  const double half = 0.5 * z, less = 1.0 - half;
  const double cosine = less + (((1.0 - less) - half) + (z * (z * of_cosine) - r * angle.lost));
  // In bits, of which compilers make no branches.
  return in_quadrant(angle.quadrant, sine, cosine);
}
// The same in as many terms as a float asks for.
RHOPSI_ELEMENTARY double sine_of_float(const Angle& angle) {
  const double r = angle.rest, z = r * r, square = z * z;
  const double sine =
      r + r * z *
              ((-1.0 / 6.0 + 1.0 / 120.0 * z) +
               square * ((-1.0 / 5040.0 + 1.0 / 362880.0 * z) - 1.0 / 39916800.0 * square));
  const double cosine = (1.0 - 0.5 * z) + square * ((1.0 / 24.0 - 1.0 / 720.0 * z) +
                                                    square * (1.0 / 40320.0 - 1.0 / 3628800.0 * z));
  const std::uint64_t odd = std::uint64_t{0} - (angle.quadrant & 1);
  return real_of(((bits_of(sine) & ~odd) | (bits_of(cosine) & odd)) ^ (angle.quadrant & 2) << 62);
}

RHOPSI_ELEMENTARY Angle with_more(Angle angle, std::uint64_t quadrants) {
  angle.quadrant += quadrants;
  return angle;
}
RHOPSI_ELEMENTARY double with_sign_of(double of, double value) {
  return real_of(bits_of(value) ^ (bits_of(of) & sign_bit));
}

}  // namespace detail

// May near::sin and near::cos be asked for it?
RHOPSI_ELEMENTARY bool is_near(double angle) { return std::fabs(angle) < 0x1p20; }

namespace near {

RHOPSI_ELEMENTARY double sin(double of) {
  using namespace detail;
  return with_sign_of(of, sine_of(near_angle(std::fabs(of))));
}
RHOPSI_ELEMENTARY double cos(double of) {
  using namespace detail;
  return sine_of(with_more(near_angle(std::fabs(of)), 1));
}
RHOPSI_ELEMENTARY float sin(float of) {
  using namespace detail;
  const double wide = of;
  return static_cast<float>(
      with_sign_of(wide, sine_of_float(near_angle_of_float(std::fabs(wide)))));
}
RHOPSI_ELEMENTARY float cos(float of) {
  using namespace detail;
  const double wide = of;
  return static_cast<float>(sine_of_float(with_more(near_angle_of_float(std::fabs(wide)), 1)));
}

}  // namespace near

// Within 0.85 units of the last place; of floats 0.51. Of what is infinite they are not numbers.
RHOPSI_ELEMENTARY double sin(double of) {
  using namespace detail;
  if (is_near(of)) return near::sin(of);
  return with_sign_of(of, sine_of(far_angle(std::fabs(of))));
}
RHOPSI_ELEMENTARY double cos(double of) {
  using namespace detail;
  if (is_near(of)) return near::cos(of);
  return sine_of(with_more(far_angle(std::fabs(of)), 1));
}
RHOPSI_ELEMENTARY float sin(float of) {
  using namespace detail;
  const double wide = of;
  if (is_near(wide)) return near::sin(of);
  return static_cast<float>(with_sign_of(wide, sine_of_float(far_angle(std::fabs(wide)))));
}
RHOPSI_ELEMENTARY float cos(float of) {
  using namespace detail;
  const double wide = of;
  if (is_near(wide)) return near::cos(of);
  return static_cast<float>(sine_of_float(with_more(far_angle(std::fabs(wide)), 1)));
}

}  // namespace rhopsi::elementary
