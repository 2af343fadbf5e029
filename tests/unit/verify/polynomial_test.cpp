#include "engine/verify/polynomial.hpp"

#include <gtest/gtest.h>

namespace rhopsi::verify {
namespace {

const Polynomial x = Polynomial::atom(1);
const Polynomial y = Polynomial::atom(2);

TEST(Polynomials, AreAddedAndMultiplied) {
  const Polynomial sum = x.plus(y);
  const Polynomial difference = x.plus(y, -1);
  EXPECT_EQ(sum.times(difference), x.times(x).plus(y.times(y), -1));
  EXPECT_TRUE(sum.plus(sum, -1).is_zero());
  EXPECT_EQ(Polynomial::constant(3).constant(), 3);
  EXPECT_EQ(Polynomial{}.constant(), 0);
  EXPECT_EQ(sum.constant(), std::nullopt);
}

TEST(Polynomials, TakeOthersInPlaceOfAtoms) {
  // x * x * y with x = y - 1
  const Polynomial put = x.times(x).times(y).substituted(1, y.plus(Polynomial::constant(1), -1));
  const Polynomial expected = y.times(y).times(y).plus(y.times(y), -2).plus(y);
  EXPECT_EQ(put, expected);
  EXPECT_FALSE(put.mentions(1));
}

TEST(Polynomials, AreUnknownWhereCoefficientsOverflow) {
  const Polynomial large = Polynomial::constant(INT64_MAX);
  EXPECT_FALSE(large.plus(large).known());
  EXPECT_FALSE(large.times(large).known());
  EXPECT_FALSE(large.plus(large).has_no_negative());
  EXPECT_FALSE(large.plus(large).plus(large.plus(large), -1).is_zero());
}

TEST(Polynomials, AreDividedByFactors) {
  EXPECT_EQ(divided({1, 2, 2}, {2}), (Monomial{1, 2}));
  EXPECT_EQ(divided({1, 2}, {3}), std::nullopt);
  EXPECT_EQ(multiplied({1, 3}, {2}), (Monomial{1, 2, 3}));
}

}  // namespace
}  // namespace rhopsi::verify
