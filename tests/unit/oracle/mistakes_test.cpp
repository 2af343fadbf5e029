// Mistakes that published formulations contain: what each would give, and what is right.
#include <cmath>

#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

// The example of one paper runs the other way from its own rules.
TEST(Mistakes, RotateInTheOtherDirection) {
  EXPECT_FALSE(same(rotate(vector({1, 2, 3}), 0, 1), vector({3, 1, 2})));
  EXPECT_TRUE(same(rotate(vector({1, 2, 3}), 0, 1), vector({2, 3, 1})));
}

// Sorting the axes by t gives the inverse permutation.
TEST(Mistakes, TransposeByTheInversePermutation) {
  const Array a = consecutive({2, 3, 5});
  EXPECT_EQ(transpose(a, {2, 0, 1}).shape, (Shape{3, 5, 2}));
  EXPECT_NE(transpose(a, {2, 0, 1}).shape, (Shape{5, 2, 3}));
}

TEST(Mistakes, MatrixTimesVectorIndexesTheVectorOnce) {
  const Array a = integers({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(same(inner(Binary::add, Binary::mul, a, vector({1, 10, 100})), vector({321, 654})));
  EXPECT_TRUE(same(inner(Binary::add, Binary::mul, vector({1, 10}), a), vector({41, 52, 63})));
}

TEST(Mistakes, OuterProductWithAScalarDoesNotIndexIt) {
  EXPECT_TRUE(same(outer(Binary::mul, scalar(Integer{3}), vector({1, 2})), vector({3, 6})));
  EXPECT_TRUE(same(outer(Binary::mul, vector({1, 2}), scalar(Integer{3})), vector({3, 6})));
  EXPECT_TRUE(same(outer(Binary::mul, scalar(Integer{3}), scalar(Integer{2})), scalar(Integer{6})));
}

TEST(Mistakes, TheLengthItselfIsNoIndex) {
  EXPECT_NO_THROW(psi({2}, vector({1, 2, 3})));
  EXPECT_THROW(psi({3}, vector({1, 2, 3})), Violation);
  EXPECT_THROW(gather(vector({1, 2, 3}), 0, vector({3})), Violation);
}

// Started at 0, a fold by an operation whose unit is another number would be wrong.
TEST(Mistakes, FoldsStartedAtZero) {
  EXPECT_TRUE(same(reduce(Binary::mul, vector({2, 3}), 0), scalar(Integer{6})));
  EXPECT_TRUE(same(reduce(Binary::max, vector({-2, -3}), 0), scalar(Integer{-2})));
  EXPECT_TRUE(same(reduce(Binary::add, reals({2}, {-0.0, -0.0}), 0), scalar(-0.0)));
}

// A right pad holds the first elements, not a copy of the left pad.
TEST(Mistakes, ARightPadFilledFromTheLeftOne) {
  EXPECT_TRUE(same(pad_circular(vector({1, 2, 3, 4}), 0, 1, 1), vector({4, 1, 2, 3, 4, 1})));
  EXPECT_TRUE(same(pad_circular(vector({1, 2, 3, 4}), 0, 2, 2), vector({3, 4, 1, 2, 3, 4, 1, 2})));
}

// A pad on axis 1 does nothing for axis 0.
TEST(Mistakes, AModuloDroppedOnAnAxisWithoutPad) {
  const Array a = consecutive({3, 2});
  const Array padded = pad_circular(a, 1, 1, 1);
  EXPECT_TRUE(same(take(drop(rotate(padded, 0, 1), 1, 1), 1, 2), rotate(a, 0, 1)));
  EXPECT_TRUE(same(take(drop(padded, 1, 2), 1, 2), rotate(a, 1, 1)));
}

// `mod s0` on axis 2, which cubic shapes hide.
TEST(Mistakes, TheLengthOfAnotherAxis) {
  const Array a = consecutive({2, 3, 5});
  const Array rotated = rotate(a, 2, 3);
  for (const Shape& p : indices_below(a.shape)) {
    EXPECT_EQ(element(rotated, p), element(a, {p[0], p[1], (p[2] + 3) % 5}));
  }
}

// (i + o) % s without signs is right for powers of two only.
TEST(Mistakes, NegativeOffsetsWithoutSign) {
  EXPECT_TRUE(same(rotate(vector({1, 2, 3}), 0, -1), vector({3, 1, 2})));
  EXPECT_TRUE(same(rotate(vector({1, 2, 3, 4, 5}), 0, -7), vector({4, 5, 1, 2, 3})));
}

}  // namespace
}  // namespace rhopsi::oracle
