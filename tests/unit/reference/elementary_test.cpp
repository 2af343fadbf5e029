// Exponentials, logarithms, sines, hyperbolic tangents and small powers beside those of the
// standard library in more digits.
#include "backends/primitives/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "backends/primitives/sines.hpp"
#include "engine/onf/near_angles.hpp"

namespace rhopsi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// How many units of the last place of `exact` lie between.
double units_apart(double found, long double exact) {
  const double near = std::fabs(static_cast<double>(exact));
  const double unit = std::nextafter(near, infinity) - near;
  return static_cast<double>(
      std::fabs((static_cast<long double>(found) - exact) / static_cast<long double>(unit)));
}

class Elementary : public testing::Test {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  double of_any_bits() {
    const std::uint64_t bits = generator_();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::mt19937_64 generator_{7};
};

TEST_F(Elementary, ExponentialsOfDoubles) {
  double most = 0, most_subnormal = 0;
  const auto apart = [](double x) {
    return units_apart(elementary::exp(x), std::exp(static_cast<long double>(x)));
  };
  for (int k = 0; k < 300000; ++k) {
    for (const double x : {uniform(-708, 709.7), uniform(-1, 1), uniform(-1e-5, 1e-5)})
      most = std::max(most, apart(x));
    most_subnormal = std::max(most_subnormal, apart(uniform(-745, -708)));
  }
  EXPECT_LT(most, 0.8);
  EXPECT_LT(most_subnormal, 0.9);
  EXPECT_GT(most, 0.4) << "what is measured is the last place";
}

TEST_F(Elementary, LogarithmsOfDoubles) {
  double most = 0;
  for (int k = 0; k < 300000; ++k) {
    for (const double x : {uniform(0.4, 2.5), uniform(0.999, 1.001), std::fabs(of_any_bits())}) {
      if (!(x > 0) || x == infinity || x == 1) continue;
      most = std::max(most, units_apart(elementary::log(x), std::log(static_cast<long double>(x))));
    }
  }
  EXPECT_LT(most, 1);
}

TEST_F(Elementary, HyperbolicTangentsOfDoubles) {
  double most = 0;
  for (int k = 0; k < 300000; ++k) {
    for (const double x :
         {uniform(-20, 20), uniform(-3, 3), uniform(-0.4, 0.4), uniform(0, 1e-5), of_any_bits()}) {
      if (std::isnan(x)) continue;
      most =
          std::max(most, units_apart(elementary::tanh(x), std::tanh(static_cast<long double>(x))));
    }
  }
  // The farthest that is known.
  most = std::max(
      most, units_apart(elementary::tanh(0x1.7afd56ac07c21p-3), std::tanh(0x1.7afd56ac07c21p-3L)));
  EXPECT_LT(most, 1.5);
  EXPECT_GT(most, 0.4) << "what is measured is the last place";
}

TEST_F(Elementary, SinesOfDoubles) {
  double most = 0;
  const auto compare = [&](double x) {
    const long double wide = x;
    most = std::max({most, units_apart(elementary::sin(x), std::sin(wide)),
                     units_apart(elementary::cos(x), std::cos(wide))});
  };
  for (int k = 0; k < 100000; ++k) {
    for (const double x : {uniform(-10, 10), uniform(-0.8, 0.8), uniform(-1e-5, 1e-5),
                           uniform(-0x1p20, 0x1p20), uniform(0x1p20, 0x1p24), of_any_bits()}) {
      if (std::isfinite(x)) compare(x);
    }
    // Beside a multiple of a right angle.
    const double near = std::floor(uniform(1, 667000)) * 1.5707963267948966;
    compare(near);
    compare(std::nextafter(near, infinity));
  }
  // Of all doubles that which is nearest to a multiple of a right angle.
  compare(6381956970095103.0 * 0x1p797);
  // The farthest that is known.
  compare(0x1.fa4d600284b5dp+19);
  EXPECT_LT(most, 0.85);
  EXPECT_GT(most, 0.5) << "what is measured is the last place";
}

TEST_F(Elementary, NearAnglesHaveTheSameBits) {
  for (int k = 0; k < 100000; ++k) {
    const double x = uniform(-0x1p20, 0x1p20);
    ASSERT_TRUE(elementary::is_near(x));
    EXPECT_EQ(elementary::near::sin(x), elementary::sin(x));
    EXPECT_EQ(elementary::near::cos(x), elementary::cos(x));
  }
  EXPECT_TRUE(elementary::is_near(std::nextafter(onf::near_angles_below, 0)));
  EXPECT_FALSE(elementary::is_near(onf::near_angles_below));
  EXPECT_FALSE(elementary::is_near(-infinity));
  EXPECT_FALSE(elementary::is_near(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(std::signbit(elementary::sin(-0.0)));
  EXPECT_EQ(elementary::sin(5e-324), 5e-324);
  EXPECT_EQ(elementary::cos(0.0), 1);
  EXPECT_TRUE(std::isnan(elementary::sin(infinity)));
  EXPECT_TRUE(std::isnan(elementary::cos(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(elementary::sin(-HUGE_VALF)));
}

TEST_F(Elementary, SmallPowersOfDoubles) {
  double most[5] = {};
  for (int k = 0; k < 300000; ++k) {
    const double x = uniform(-100, 100);
    long double exact = x;
    for (int n = 2; n <= 4; ++n) {
      exact *= x;
      most[n] = std::max(most[n], units_apart(elementary::pow(x, n), exact));
    }
    EXPECT_EQ(elementary::pow(x, 5.0), std::pow(x, 5.0));
    EXPECT_EQ(elementary::pow(std::fabs(x), 0.3), std::pow(std::fabs(x), 0.3));
  }
  EXPECT_LT(most[2], 0.51);
  EXPECT_LT(most[3], 1.5);
  EXPECT_LT(most[4], 2.5);
}

TEST_F(Elementary, OfFloats) {
  double most = 0;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4099) {
    const auto narrow = static_cast<std::uint32_t>(bits);
    float x = 0;
    std::memcpy(&x, &narrow, sizeof x);
    const auto apart = [](float found, double exact) {
      const auto near = static_cast<float>(std::fabs(exact));
      const float unit = std::nextafter(near, HUGE_VALF) - near;
      return std::fabs((static_cast<double>(found) - exact) / static_cast<double>(unit));
    };
    if (std::fabs(x) < 88) most = std::max(most, apart(elementary::exp(x), std::exp(double{x})));
    if (std::fabs(x) < HUGE_VALF) {
      const double wide = x;
      most = std::max({most, apart(elementary::sin(x), std::sin(wide)),
                       apart(elementary::cos(x), std::cos(wide))});
      most = std::max(most, apart(elementary::tanh(x), std::tanh(wide)));
      if (std::fabs(x) < 1e9F && std::fabs(x) > 1e-9F) {
        most = std::max(most, apart(elementary::pow(x, 3.0F), wide * wide * wide));
        most = std::max(most, apart(elementary::pow(x, 4.0F), wide * wide * wide * wide));
      }
    }
    if (x > 0 && x < HUGE_VALF && x != 1)
      most = std::max(most, apart(elementary::log(x), std::log(double{x})));
  }
  EXPECT_LT(most, 0.51);
}

TEST_F(Elementary, AtTheEnds) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(elementary::exp(0.0), 1);
  EXPECT_EQ(elementary::exp(-0.0), 1);
  EXPECT_EQ(elementary::exp(1.0), 2.718281828459045);
  EXPECT_EQ(elementary::log(3.0), 1.0986122886681098);
  EXPECT_EQ(elementary::exp(infinity), infinity);
  EXPECT_EQ(elementary::exp(-infinity), 0);
  EXPECT_EQ(elementary::exp(1e300), infinity);
  EXPECT_EQ(elementary::exp(709.79), infinity);
  EXPECT_LT(elementary::exp(709.78), infinity);
  EXPECT_EQ(elementary::exp(-745.13), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(elementary::exp(-745.14), 0);
  EXPECT_TRUE(std::isnan(elementary::exp(nothing)));
  EXPECT_EQ(elementary::log(1.0), 0);
  EXPECT_EQ(elementary::log(0.0), -infinity);
  EXPECT_EQ(elementary::log(-0.0), -infinity);
  EXPECT_EQ(elementary::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(elementary::log(-1.0)));
  EXPECT_TRUE(std::isnan(elementary::log(-infinity)));
  EXPECT_TRUE(std::isnan(elementary::log(nothing)));
  EXPECT_EQ(elementary::tanh(infinity), 1);
  EXPECT_EQ(elementary::tanh(-infinity), -1);
  EXPECT_TRUE(std::isnan(elementary::tanh(nothing)));
  EXPECT_TRUE(std::signbit(elementary::tanh(-0.0)));
  EXPECT_EQ(elementary::tanh(-5e-324), -5e-324);
  EXPECT_EQ(elementary::tanh(-10.0F), -1);
  EXPECT_EQ(elementary::tanh(1e-45F), 1e-45F);
  EXPECT_EQ(elementary::pow(-infinity, 3.0), -infinity);
  EXPECT_EQ(elementary::pow(1e200, 2.0), infinity);
  EXPECT_TRUE(std::signbit(elementary::pow(-0.0, 3.0)));
  EXPECT_TRUE(std::isnan(elementary::pow(nothing, 2.0)));
  EXPECT_EQ(elementary::pow(nothing, 0.0), 1);
  EXPECT_EQ(elementary::exp(89.0F), HUGE_VALF);
  EXPECT_EQ(elementary::exp(-104.0F), 0);
  EXPECT_EQ(elementary::exp(-103.9F), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(elementary::log(0.0F), -HUGE_VALF);
  EXPECT_TRUE(std::isnan(elementary::log(-1.0F)));
}

}  // namespace
}  // namespace rhopsi
