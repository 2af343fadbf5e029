// What works along one axis, against numbers worked by hand.
#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

const Array matrix = integers({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Axes, TakeAndDropFromBothEnds) {
  EXPECT_TRUE(same(take(matrix, 1, 2), integers({2, 2}, {1, 2, 4, 5})));
  EXPECT_TRUE(same(take(matrix, 1, -2), integers({2, 2}, {2, 3, 5, 6})));
  EXPECT_TRUE(same(drop(matrix, 1, 2), integers({2, 1}, {3, 6})));
  EXPECT_TRUE(same(drop(matrix, 1, -2), integers({2, 1}, {1, 4})));
  EXPECT_TRUE(same(take(matrix, 0, 0), integers({0, 3}, {})));
  EXPECT_TRUE(same(drop(matrix, 0, 0), matrix));
  EXPECT_TRUE(same(drop(matrix, 0, -2), integers({0, 3}, {})));
  EXPECT_THROW(take(matrix, 0, 3), Violation);
  EXPECT_THROW(drop(matrix, 0, -3), Violation);
  EXPECT_THROW(take(matrix, 2, 0), Violation);
  EXPECT_THROW(take(matrix, -1, 0), Violation);
}

TEST(Axes, CatJoinsAndWidens) {
  EXPECT_TRUE(
      same(cat(matrix, take(matrix, 0, 1), 0), integers({3, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3})));
  EXPECT_TRUE(
      same(cat(matrix, integers({2, 1}, {8, 9}), 1), integers({2, 4}, {1, 2, 3, 8, 4, 5, 6, 9})));
  EXPECT_TRUE(same(cat(vector({1}), reals({1}, {0.5}), 0), reals({2}, {1, 0.5})));
  EXPECT_TRUE(same(cat(vector({}), reals({0}, {}), 0), reals({0}, {})));
  EXPECT_THROW(cat(matrix, integers({2, 1}, {8, 9}), 0), Violation);
  EXPECT_THROW(cat(matrix, vector({1, 2, 3}), 0), Violation);
}

// The boxes of B cat (<1 2> drop C).
TEST(Axes, TheExampleOfMullinAndThibault) {
  const Array b = consecutive({2, 4});
  const Array c = consecutive({4, 6});
  const Array a = cat(b, drop(drop(c, 0, 1), 1, 2), 0);
  EXPECT_EQ(a.shape, (Shape{5, 4}));
  for (const Shape& v : indices_below({2, 4})) EXPECT_EQ(element(a, v), element(b, v));
  for (const Shape& v : indices_below({3, 4})) {
    EXPECT_EQ(element(a, {v[0] + 2, v[1]}), element(c, {v[0] + 1, v[1] + 2}));
  }
}

TEST(Axes, Reverse) {
  EXPECT_TRUE(same(reverse(matrix, 0), integers({2, 3}, {4, 5, 6, 1, 2, 3})));
  EXPECT_TRUE(same(reverse(matrix, 1), integers({2, 3}, {3, 2, 1, 6, 5, 4})));
  EXPECT_TRUE(same(reverse(vector({}), 0), vector({})));
}

// rotate(A, j, 1)[i] is A[i + 1].
TEST(Axes, RotateTakesFromAhead) {
  EXPECT_TRUE(same(rotate(vector({1, 2, 3, 4}), 0, 1), vector({2, 3, 4, 1})));
  EXPECT_TRUE(same(rotate(vector({1, 2, 3, 4}), 0, -1), vector({4, 1, 2, 3})));
  EXPECT_TRUE(same(rotate(matrix, 1, 1), integers({2, 3}, {2, 3, 1, 5, 6, 4})));
  EXPECT_TRUE(same(rotate(matrix, 1, -7), rotate(matrix, 1, 2)));
  EXPECT_THROW(rotate(vector({}), 0, 1), Violation);
}

TEST(Axes, CircularPadsContinueOnBothSides) {
  EXPECT_TRUE(same(pad_circular(vector({1, 2, 3}), 0, 1, 2), vector({3, 1, 2, 3, 1, 2})));
  EXPECT_TRUE(
      same(pad_circular(vector({1, 2, 3}), 0, 4, 5), vector({3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2})));
  EXPECT_TRUE(same(pad_circular(matrix, 0, 0, 1), integers({3, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3})));
  EXPECT_THROW(pad_circular(matrix, 0, -1, 0), Violation);
  EXPECT_THROW(pad_circular(vector({}), 0, 0, 0), Violation);
}

// cpad(A, j, l, r) = cat(take(A, j, -l), A, take(A, j, r)) for l, r up to the length.
TEST(Axes, CircularPadsAreCatsOfTakes) {
  for (const Shape& shape : {Shape{4}, Shape{2, 3}, Shape{3, 1, 2}}) {
    const Array a = consecutive(shape);
    for (Integer axis = 0; axis < a.rank(); ++axis) {
      for (Integer l = 0; l <= a.length(axis); ++l) {
        for (Integer r = 0; r <= a.length(axis); ++r) {
          EXPECT_TRUE(same(pad_circular(a, axis, l, r),
                           cat(cat(take(a, axis, -l), a, axis), take(a, axis, r), axis)));
        }
      }
    }
  }
}

TEST(Axes, ConstantPads) {
  EXPECT_TRUE(same(pad_constant(matrix, 1, 1, 2, scalar(Integer{9})),
                   integers({2, 6}, {9, 1, 2, 3, 9, 9, 9, 4, 5, 6, 9, 9})));
  EXPECT_TRUE(same(pad_constant(vector({}), 0, 1, 1, scalar(0.5)), reals({2}, {0.5, 0.5})));
  EXPECT_THROW(pad_constant(matrix, 1, 1, 2, vector({9})), Violation);
}

TEST(Axes, EdgesAndMirrorImages) {
  EXPECT_TRUE(same(pad_edge(vector({1, 2, 3}), 0, 1, 2), vector({1, 1, 2, 3, 3, 3})));
  EXPECT_TRUE(same(pad_edge(matrix, 0, 1, 0), integers({3, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(same(pad_reflect(vector({1, 2, 3}), 0, 1, 2), vector({2, 1, 2, 3, 2, 1})));
  EXPECT_TRUE(same(pad_reflect(matrix, 1, 2, 0), integers({2, 5}, {3, 2, 1, 2, 3, 6, 5, 4, 5, 6})));
  EXPECT_THROW(pad_edge(vector({}), 0, 1, 0), Violation);
  EXPECT_THROW(pad_edge(matrix, 0, -1, 0), Violation);
  EXPECT_THROW(pad_reflect(matrix, 0, 2, 0), Violation);
  EXPECT_THROW(pad_reflect(matrix, 0, 0, 2), Violation);
}

TEST(Axes, LiftAndUnlift) {
  const Array a = consecutive({2, 6});
  const Array lifted = lift(a, 1, 3);
  EXPECT_EQ(lifted.shape, (Shape{2, 2, 3}));
  for (const Shape& p : indices_below(lifted.shape)) {
    EXPECT_EQ(element(lifted, p), element(a, {p[0], p[1] * 3 + p[2]}));
  }
  EXPECT_TRUE(same(unlift(lifted, 1), a));
  EXPECT_EQ(unlift(lifted, 0).shape, (Shape{4, 3}));
  EXPECT_EQ(lift(consecutive({0}), 0, 3).shape, (Shape{0, 3}));
  EXPECT_THROW(lift(a, 1, 4), Violation);
  EXPECT_THROW(lift(a, 1, 0), Violation);
  EXPECT_THROW(unlift(a, 1), Violation);
}

TEST(Axes, GatherAndGrade) {
  EXPECT_TRUE(
      same(gather(matrix, 1, vector({2, 0, 0, 1})), integers({2, 4}, {3, 1, 1, 2, 6, 4, 4, 5})));
  EXPECT_TRUE(same(gather(matrix, 0, vector({})), integers({0, 3}, {})));
  EXPECT_THROW(gather(matrix, 0, vector({2})), Violation);
  EXPECT_THROW(gather(matrix, 0, vector({-1})), Violation);
  EXPECT_TRUE(same(grade_up(vector({30, 10, 20, 10})), vector({1, 3, 2, 0})));
  EXPECT_TRUE(same(grade_up(reals({3}, {0.5, -1, 0.25})), vector({1, 2, 0})));
  const Array v = vector({3, 1, 2, 1});
  EXPECT_TRUE(same(gather(v, 0, grade_up(v)), vector({1, 1, 2, 3})));
}

TEST(Axes, CompressAndExpand) {
  EXPECT_TRUE(same(compress(matrix, 1, vector({1, 0, 1})), integers({2, 2}, {1, 3, 4, 6})));
  EXPECT_TRUE(same(compress(matrix, 0, truths({0, 0})), integers({0, 3}, {})));
  EXPECT_TRUE(same(expand(matrix, 1, vector({1, 0, 1, 0, 1})),
                   integers({2, 5}, {1, 0, 2, 0, 3, 4, 0, 5, 0, 6})));
  EXPECT_TRUE(same(expand(vector({}), 0, vector({0, 0})), vector({0, 0})));
  EXPECT_THROW(compress(matrix, 1, vector({1, 0})), Violation);
  EXPECT_THROW(compress(matrix, 1, vector({1, 0, 2})), Violation);
  EXPECT_THROW(expand(matrix, 1, vector({1, 1})), Violation);
}

TEST(Axes, UpdateWritesASlice) {
  const Array x = vector({7, 8});
  EXPECT_TRUE(same(update(vector({0, 1, 2, 3, 4}), {1}, {2}, {2}, x), vector({0, 7, 2, 8, 4})));
  EXPECT_TRUE(same(update(vector({0, 1, 2, 3, 4}), {3}, {2}, {-2}, x), vector({0, 8, 2, 7, 4})));
  EXPECT_TRUE(same(update(matrix, {1, 0}, {1, 2}, {1, 2}, integers({1, 2}, {8, 9})),
                   integers({2, 3}, {1, 2, 3, 8, 5, 9})));
  EXPECT_TRUE(same(update(vector({1}), {0}, {1}, {0}, reals({1}, {0.5})), reals({1}, {0.5})));
  EXPECT_THROW(update(vector({0, 1, 2}), {2}, {2}, {1}, x), Violation);
  EXPECT_THROW(update(vector({0, 1, 2}), {0}, {2}, {0}, x), Violation);
  EXPECT_THROW(update(vector({0, 1, 2}), {0}, {3}, {1}, x), Violation);
}

}  // namespace
}  // namespace rhopsi::oracle
