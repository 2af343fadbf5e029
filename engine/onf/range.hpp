// Intervals of 64-bit integers. Internal to the engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rhopsi::onf {

// Values from `low` up to and with `high`; the ends of int64 stand for no bound.
struct Range {
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

  std::int64_t low = lowest;
  std::int64_t high = highest;

  bool bounded() const { return low != lowest && high != highest; }
  bool holds(std::int64_t value) const { return low <= value && value <= high; }
};

inline Range either(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// Where a bound overflows the value may wrap: nothing is known of it.
inline Range plus(Range a, Range b) {
  Range sum;
  const bool low = a.low != Range::lowest && b.low != Range::lowest;
  const bool high = a.high != Range::highest && b.high != Range::highest;
  if (low && __builtin_add_overflow(a.low, b.low, &sum.low)) return {};
  if (high && __builtin_add_overflow(a.high, b.high, &sum.high)) return {};
  return sum;
}

inline Range scaled(Range a, std::int64_t by) {
  if (by == 0) return {0, 0};
  const bool low_known = a.low != Range::lowest;
  const bool high_known = a.high != Range::highest;
  Range made;
  std::int64_t low = 0;
  std::int64_t high = 0;
  if (low_known && __builtin_mul_overflow(a.low, by, &low)) return {};
  if (high_known && __builtin_mul_overflow(a.high, by, &high)) return {};
  if (low_known) (by > 0 ? made.low : made.high) = low;
  if (high_known) (by > 0 ? made.high : made.low) = high;
  return made;
}

inline Range times(Range a, Range b) {
  if (!a.bounded() || !b.bounded()) {
    return a.low >= 0 && b.low >= 0 ? Range{0, Range::highest} : Range{};
  }
  Range product{Range::highest, Range::lowest};
  for (const std::int64_t x : {a.low, a.high}) {
    for (const std::int64_t y : {b.low, b.high}) {
      std::int64_t value = 0;
      if (__builtin_mul_overflow(x, y, &value)) return {};
      product = {std::min(product.low, value), std::max(product.high, value)};
    }
  }
  return product;
}

// Euclidean, by a positive number.
inline Range quotient(Range a, std::int64_t by) {
  const auto floor = [&](std::int64_t value) { return value / by - (value % by < 0 ? 1 : 0); };
  return {a.low == Range::lowest ? a.low : floor(a.low),
          a.high == Range::highest ? a.high : floor(a.high)};
}

}  // namespace rhopsi::onf
