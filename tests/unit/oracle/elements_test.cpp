// Types of elements, folds, products and pointwise operations, against numbers worked by hand.
#include <cmath>
#include <limits>

#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

constexpr auto largest = std::numeric_limits<Integer>::max();

TEST(Elements, IntegersDivideWithARemainderThatIsNotNegative) {
  for (const Integer a : {-7, -6, -1, 0, 5, 7}) {
    for (const Integer b : {-3, -2, -1, 1, 2, 3}) {
      const Integer q = euclidean_quotient(a, b);
      const Integer r = euclidean_remainder(a, b);
      EXPECT_EQ(q * b + r, a);
      EXPECT_GE(r, 0);
      EXPECT_LT(r, std::abs(b));
    }
  }
  EXPECT_EQ(euclidean_quotient(-7, 3), -3);
  EXPECT_EQ(euclidean_quotient(-7, -3), 3);
  EXPECT_EQ(euclidean_remainder(-7, -3), 2);
  EXPECT_THROW(euclidean_quotient(1, 0), Violation);
}

TEST(Elements, OverflowOfIntegersIsAViolation) {
  EXPECT_THROW(apply(Binary::add, largest, Integer{1}), Violation);
  EXPECT_THROW(apply(Binary::mul, largest, Integer{2}), Violation);
  EXPECT_THROW(apply(Unary::negate, -largest - 1), Violation);
  EXPECT_THROW(converted(1e19, Type::integer), Violation);
  EXPECT_THROW(converted(std::nan(""), Type::integer), Violation);
}

TEST(Elements, TheWiderTypeIsThatOfTheResult) {
  const Array truth = truths({1, 0});
  const Array real = reals({2}, {0.5, 1.5});
  EXPECT_TRUE(same(pointwise(Binary::add, truth, truth), vector({2, 0})));
  EXPECT_TRUE(same(pointwise(Binary::max, truth, truth), vector({1, 0})));
  EXPECT_TRUE(same(pointwise(Binary::add, vector({1, 2}), real), reals({2}, {1.5, 3.5})));
  EXPECT_TRUE(same(pointwise(Binary::div, vector({7, -7}), vector({2, 2})), vector({3, -4})));
  EXPECT_TRUE(same(pointwise(Binary::div, vector({7, -7}), scalar(2.0)), reals({2}, {3.5, -3.5})));
  EXPECT_TRUE(same(pointwise(Binary::mod, reals({2}, {-0.5, 5.5}), scalar(Integer{2})),
                   reals({2}, {1.5, 1.5})));
  EXPECT_TRUE(same(pointwise(Binary::pow, vector({2, 3}), vector({3, 2})), reals({2}, {8, 9})));
  EXPECT_TRUE(same(pointwise(Binary::less, vector({1, 2}), real), truths({0, 0})));
  EXPECT_TRUE(same(pointwise(Binary::and_, real, truth), truths({1, 0})));
  EXPECT_TRUE(same(pointwise(Unary::not_, vector({0, 5})), truths({1, 0})));
  EXPECT_TRUE(same(pointwise(Unary::negate, truth), vector({-1, 0})));
  EXPECT_TRUE(same(pointwise(Unary::sqrt, vector({4, 9})), reals({2}, {2, 3})));
  EXPECT_TRUE(same(select(truth, vector({1, 2}), real), reals({2}, {1, 1.5})));
  EXPECT_TRUE(same(converted(reals({3}, {-1.5, 1.5, -0.5}), Type::integer), vector({-1, 1, 0})));
}

TEST(Elements, ScalarsAreExtended) {
  const Array five = scalar(Integer{5});
  EXPECT_TRUE(same(pointwise(Binary::sub, five, vector({1, 2})), vector({4, 3})));
  EXPECT_TRUE(same(pointwise(Binary::sub, vector({1, 2}), five), vector({-4, -3})));
  EXPECT_TRUE(same(pointwise(Binary::sub, five, vector({})), vector({})));
  EXPECT_TRUE(same(select(scalar(true), five, vector({1, 2})), vector({5, 5})));
  EXPECT_THROW(pointwise(Binary::add, vector({1}), vector({1, 2})), Violation);
  EXPECT_THROW(pointwise(Binary::add, vector({1, 2}), integers({1, 2}, {1, 2})), Violation);
}

// The first element is where a fold starts, not the unit.
TEST(Elements, FoldsGoFromTheFirstElementOn) {
  const Array a = integers({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(same(reduce(Binary::add, a, 0), vector({5, 7, 9})));
  EXPECT_TRUE(same(reduce(Binary::add, a, 1), vector({6, 15})));
  EXPECT_TRUE(same(reduce(Binary::mul, a, 1), vector({6, 120})));
  EXPECT_TRUE(same(reduce(Binary::max, a, 0), vector({4, 5, 6})));
  EXPECT_TRUE(same(reduce(Binary::and_, vector({1, 2, 0}), 0), scalar(false)));
  EXPECT_TRUE(same(reduce(Binary::add, truths({1, 1, 0}), 0), scalar(Integer{2})));
  const Array rounded = reals({3}, {1e16, 1, -1e16});
  EXPECT_TRUE(same(reduce(Binary::add, rounded, 0), scalar(0.0)));
  EXPECT_TRUE(same(reduce(Binary::add, reals({1}, {-0.0}), 0), scalar(-0.0)));
}

TEST(Elements, FoldsOfNothingAreTheUnit) {
  const Array none = integers({2, 0}, {});
  EXPECT_TRUE(same(reduce(Binary::add, none, 1), vector({0, 0})));
  EXPECT_TRUE(same(reduce(Binary::mul, none, 1), vector({1, 1})));
  EXPECT_TRUE(same(reduce(Binary::min, none, 1), vector({largest, largest})));
  EXPECT_TRUE(same(reduce(Binary::or_, none, 1), truths({0, 0})));
  EXPECT_TRUE(same(reduce(Binary::add, none, 0), vector({})));
  EXPECT_TRUE(same(reduce(Binary::max, reals({0}, {}), 0), scalar(-HUGE_VAL)));
}

TEST(Elements, ScansKeepWhatFoldsPass) {
  EXPECT_TRUE(same(scan(Binary::add, vector({1, 2, 3}), 0), vector({1, 3, 6})));
  EXPECT_TRUE(
      same(scan(Binary::mul, integers({2, 2}, {1, 2, 3, 4}), 0), integers({2, 2}, {1, 2, 3, 8})));
  EXPECT_TRUE(same(scan(Binary::max, vector({1, 3, 2}), 0), vector({1, 3, 3})));
  EXPECT_TRUE(same(scan(Binary::min, reals({0}, {}), 0), reals({0}, {})));
}

TEST(Elements, OuterAndInnerProducts) {
  EXPECT_TRUE(same(outer(Binary::sub, vector({5, 7}), vector({1, 2, 3})),
                   integers({2, 3}, {4, 3, 2, 6, 5, 4})));
  const Array a = integers({2, 2}, {1, 2, 3, 4});
  const Array b = integers({2, 2}, {5, 6, 7, 8});
  EXPECT_TRUE(same(inner(Binary::add, Binary::mul, a, b), integers({2, 2}, {19, 22, 43, 50})));
  EXPECT_TRUE(same(inner(Binary::min, Binary::add, a, b), integers({2, 2}, {6, 7, 8, 9})));
  EXPECT_TRUE(
      same(inner(Binary::add, Binary::mul, vector({1, 2}), vector({3, 4})), scalar(Integer{11})));
  EXPECT_TRUE(same(inner(Binary::and_, Binary::equal, a, vector({1, 2})), truths({1, 0})));
  EXPECT_TRUE(same(inner(Binary::add, Binary::mul, consecutive({2, 0}), consecutive({0, 1})),
                   integers({2, 1}, {0, 0})));
  EXPECT_EQ(inner(Binary::add, Binary::mul, consecutive({2, 3, 4}), consecutive({4, 5})).shape,
            (Shape{2, 3, 5}));
  EXPECT_THROW(inner(Binary::add, Binary::mul, a, vector({1})), Violation);
  EXPECT_THROW(inner(Binary::add, Binary::mul, a, scalar(Integer{1})), Violation);
}

}  // namespace
}  // namespace rhopsi::oracle
