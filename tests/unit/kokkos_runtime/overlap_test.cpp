#include <random>
#include <set>

#include <gtest/gtest.h>

#include "backends/kokkos/runtime/rhopsi_overlap.hpp"

namespace rhopsi::overlap {
namespace {

// Every byte of an array; an element once for each index.
std::multiset<std::int64_t> elements(const Place& place) {
  std::multiset<std::int64_t> all{static_cast<std::int64_t>(place.begin)};
  for (const Axis& axis : place.axes) {
    std::multiset<std::int64_t> more;
    for (const std::int64_t at : all)
      for (std::int64_t x = 0; x <= axis.steps; ++x) more.insert(at + x * axis.stride);
    all = more;
  }
  return all;
}

bool share_bytes(const Place& a, const Place& b) {
  std::set<std::int64_t> bytes;
  for (const std::int64_t at : elements(a))
    for (std::int64_t k = 0; k < a.element; ++k) bytes.insert(at + k);
  for (const std::int64_t at : elements(b))
    for (std::int64_t k = 0; k < b.element; ++k)
      if (bytes.contains(at + k)) return true;
  return false;
}

TEST(Overlap, IsWhatAllElementsSay) {
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
  };
  int sharing = 0, repeated = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto some = [&] {
      Place place;
      place.element = std::int64_t{1} << below(4);
      place.begin = static_cast<std::uintptr_t>(1000 + below(80));
      for (std::int64_t axis = below(4); axis-- > 0;)
        place.axes.push_back({1 + below(40), 1 + below(4)});
      return place;
    };
    const Place a = some(), b = some();
    EXPECT_EQ(between(a, b), share_bytes(a, b)) << trial;
    const auto all = elements(a);
    const bool twice = std::set<std::int64_t>(all.begin(), all.end()).size() < all.size();
    EXPECT_EQ(within(a.axes), twice) << trial;
    sharing += share_bytes(a, b) ? 1 : 0;
    repeated += twice ? 1 : 0;
  }
  EXPECT_GT(sharing, 400);
  EXPECT_LT(sharing, 3600);
  EXPECT_GT(repeated, 400);
  EXPECT_LT(repeated, 3600);
}

// Halves of the columns of a large matrix, and every second element of a long row.
TEST(Overlap, OfLargeArraysIsDecidedToo) {
  const auto place = [](std::uintptr_t begin, std::vector<Axis> axes) {
    return Place{begin, 8, std::move(axes)};
  };
  const std::int64_t n = 1 << 20;
  EXPECT_FALSE(
      between(place(0, {{16 * n, n}, {8, n - 1}}), place(8 * n, {{16 * n, n}, {8, n - 1}})));
  EXPECT_TRUE(between(place(0, {{16 * n, n}, {8, n}}), place(8 * n, {{16 * n, n}, {8, n - 1}})));
  EXPECT_FALSE(between(place(0, {{16, n}}), place(8, {{16, n}})));
  EXPECT_TRUE(between(place(0, {{16, n}}), place(8, {{24, n}})));
  EXPECT_FALSE(within({{16 * n, n}, {8, n}}));
  EXPECT_TRUE(within({{16 * n, n}, {8, 2 * n}}));
}

}  // namespace
}  // namespace rhopsi::overlap
