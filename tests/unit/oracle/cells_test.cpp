// Operations on cells.
#include "tests/unit/oracle/arrays.hpp"

namespace rhopsi::oracle {
namespace {

Array plus(const Array& a, const Array& b) { return pointwise(Binary::add, a, b); }

// An operation along axis j is one along axis 0 of cells of rank n - j.
TEST(Cells, OperationsAlongAnAxisAreOperationsOnCells) {
  const Array a = consecutive({2, 3, 4});
  for (Integer axis = 0; axis < 3; ++axis) {
    const auto cells = [&](const UnaryOperation& operation) {
      return on_cells(operation, 3 - axis, a);
    };
    EXPECT_TRUE(same(cells([](const Array& c) { return reverse(c, 0); }), reverse(a, axis)));
    EXPECT_TRUE(same(cells([](const Array& c) { return rotate(c, 0, 1); }), rotate(a, axis, 1)));
    EXPECT_TRUE(same(cells([](const Array& c) { return reduce(Binary::add, c, 0); }),
                     reduce(Binary::add, a, axis)));
  }
}

// Rows of a matrix plus a vector: the frames are <2> and <>.
TEST(Cells, TheShortFrameIsUsedForEachIndexOfTheOther) {
  const Array matrix = integers({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(same(on_cells(plus, 1, 1, matrix, vector({10, 20, 30})),
                   integers({2, 3}, {11, 22, 33, 14, 25, 36})));
  EXPECT_TRUE(
      same(on_cells(plus, 0, 0, vector({1, 2, 3}), matrix), integers({2, 3}, {2, 4, 6, 5, 7, 9})));
  EXPECT_TRUE(same(on_cells(plus, 1, 0, vector({1, 2}), vector({10, 20, 30})),
                   integers({3, 2}, {11, 12, 21, 22, 31, 32})));
  EXPECT_THROW(on_cells(plus, 0, 0, vector({1, 2}), matrix), Violation);
  EXPECT_THROW(on_cells(plus, 2, 0, vector({1, 2}), matrix), Violation);
}

TEST(Cells, WithoutCellsTheShapeIsThatOfTheResultOnZeros) {
  EXPECT_TRUE(
      same(on_cells([](const Array& c) { return transpose(c); }, 2, integers({0, 2, 3}, {})),
           integers({0, 3, 2}, {})));
  EXPECT_TRUE(same(on_cells(plus, 1, 0, integers({0, 3}, {}), reals({0}, {})), reals({0, 3}, {})));
}

TEST(Cells, FramesMatchAtTheirInnerEnds) {
  const Array a = consecutive({2, 3, 4});
  const Array b = integers({3}, {100, 200, 300});
  const Array sums = on_cells(plus, 1, 0, a, b);
  for (const Shape& p : indices_below({2, 3, 4})) {
    const Integer expected = p[0] * 12 + p[1] * 4 + p[2] + 100 * (p[1] + 1);
    EXPECT_EQ(integer_of(element(sums, p)), expected);
  }
}

}  // namespace
}  // namespace rhopsi::oracle
