// Shapes, cells, reshaping and transposing, against numbers worked by hand.
#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

TEST(Structure, ShapeDimensionAndSizeAreArrays) {
  const Array a = consecutive({2, 3, 5});
  EXPECT_TRUE(same(shape_of(a), vector({2, 3, 5})));
  EXPECT_TRUE(same(dim(a), scalar(Integer{3})));
  EXPECT_TRUE(same(size(a), scalar(Integer{30})));
  EXPECT_TRUE(same(shape_of(scalar(2.5)), vector({})));
  EXPECT_TRUE(same(size(scalar(2.5)), scalar(Integer{1})));
  EXPECT_TRUE(same(size(consecutive({3, 0})), scalar(Integer{0})));
}

TEST(Structure, CellsAtIndicesOfEveryLength) {
  const Array a = consecutive({2, 3, 5});
  EXPECT_TRUE(same(psi({}, a), a));
  EXPECT_TRUE(same(psi({1, 2}, a), vector({25, 26, 27, 28, 29})));
  EXPECT_TRUE(same(psi({1, 2, 3}, a), scalar(Integer{28})));
  EXPECT_TRUE(same(psi({2}, psi({1}, a)), psi({1, 2}, a)));
  EXPECT_THROW(psi({2}, a), Violation);
  EXPECT_THROW(psi({-1}, a), Violation);
  EXPECT_THROW(psi({0, 0, 0, 0}, a), Violation);
}

TEST(Structure, IotaRavelReshape) {
  EXPECT_TRUE(same(iota(3), vector({0, 1, 2})));
  EXPECT_TRUE(same(iota(0), vector({})));
  EXPECT_THROW(iota(-1), Violation);
  const Array a = integers({2, 2}, {4, 3, 2, 1});
  EXPECT_TRUE(same(ravel(a), vector({4, 3, 2, 1})));
  EXPECT_TRUE(same(ravel(scalar(Integer{4})), vector({4})));
  EXPECT_TRUE(
      same(reshape(vector({1, 2, 3, 4, 5, 6}), {3, 2}), integers({3, 2}, {1, 2, 3, 4, 5, 6})));
  EXPECT_THROW(reshape(a, {3}), Violation);
  EXPECT_THROW(reshape(a, {-2, -2}), Violation);
}

TEST(Structure, ReversedTranspose) {
  EXPECT_TRUE(
      same(transpose(integers({2, 3}, {1, 2, 3, 4, 5, 6})), integers({3, 2}, {1, 4, 2, 5, 3, 6})));
  const Array a = transpose(consecutive({2, 3, 5}));
  EXPECT_EQ(a.shape, (Shape{5, 3, 2}));
  EXPECT_EQ(integer_of(element(a, {4, 1, 1})), 1 * 15 + 1 * 5 + 4);
}

// s'[t[k]] = s[k]: axis 0 goes to 2, axis 1 to 0, axis 2 to 1.
TEST(Structure, TransposeByAPermutationThatIsNotItsOwnInverse) {
  const Array a = consecutive({2, 3, 5});
  const Array moved = transpose(a, {2, 0, 1});
  EXPECT_EQ(moved.shape, (Shape{3, 5, 2}));
  EXPECT_EQ(integer_of(element(moved, {2, 4, 1})), 1 * 15 + 2 * 5 + 4);
  EXPECT_EQ(integer_of(element(moved, {1, 3, 0})), 0 * 15 + 1 * 5 + 3);
  EXPECT_TRUE(same(transpose(transpose(a, {2, 0, 1}), {1, 2, 0}), a));
  EXPECT_TRUE(same(transpose(a, {2, 1, 0}), transpose(a)));
  EXPECT_THROW(transpose(a, {0, 1, 1}), Violation);
  EXPECT_THROW(transpose(a, {0, 1}), Violation);
}

TEST(Structure, DiagonalsKeepTheFirstAxisThatIsNamed) {
  const Array a = consecutive({2, 3, 2});
  EXPECT_TRUE(same(diagonal(a, 0, 2), integers({2, 3}, {0, 2, 4, 7, 9, 11})));
  EXPECT_TRUE(same(diagonal(a, 2, 0), integers({3, 2}, {0, 7, 2, 9, 4, 11})));
  EXPECT_THROW(diagonal(a, 0, 1), Violation);
  EXPECT_THROW(diagonal(a, 0, 0), Violation);
  EXPECT_TRUE(same(trace(consecutive({3, 3})), scalar(Integer{12})));
  EXPECT_TRUE(same(contract(a, 0, 2), vector({7, 11, 15})));
  EXPECT_TRUE(same(contract(a, 2, 0), vector({7, 11, 15})));
  EXPECT_TRUE(same(trace(consecutive({0, 0})), scalar(Integer{0})));
}

TEST(Structure, OffsetsAndIndicesAreInverse) {
  EXPECT_EQ(gamma({1, 2, 3}, {2, 3, 5}), 28);
  EXPECT_EQ(gamma({}, {}), 0);
  EXPECT_EQ(gamma_inverse(28, {2, 3, 5}), (Shape{1, 2, 3}));
  for (const Shape& shape : {Shape{2, 3, 5}, Shape{4}, Shape{}, Shape{1, 3, 1, 2}}) {
    for (const Shape& index : indices_below(shape)) {
      EXPECT_EQ(gamma_inverse(gamma(index, shape), shape), index);
    }
    for (Integer offset = 0; offset < product(shape); ++offset) {
      EXPECT_EQ(gamma(gamma_inverse(offset, shape), shape), offset);
    }
  }
  EXPECT_THROW(gamma_inverse(30, {2, 3, 5}), Violation);
  EXPECT_THROW(gamma_inverse(0, {2, 0}), Violation);
}

TEST(Structure, NamedProductsOfNothing) {
  EXPECT_EQ(product({}), 1);
  EXPECT_EQ(product({3, 0, 4}), 0);
}

}  // namespace
}  // namespace rhopsi::oracle
