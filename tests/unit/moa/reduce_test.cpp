// Normal forms of expressions over the library, where all shapes are known.
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa::test {
namespace {

const Input A{"A", {2, 3}};
const Input B{"B", {2, 4}};
const Input C{"C", {4, 6}};
const Input v{"v", {5}};

std::string form(const std::string& text) { return expressions().form(text, {A, B, C, v}); }

TEST(Reduce, OneBox) {
  EXPECT_EQ(form("A"), "shape: 2 3\n[0, 2) x [0, 3): A[i, j]\n");
  EXPECT_EQ(form("transpose(A)"), "shape: 3 2\n[0, 3) x [0, 2): A[j, i]\n");
  EXPECT_EQ(form("psi([1], A)"), "shape: 3\n[0, 3): A[1, i]\n");
  EXPECT_EQ(form("psi([1, 2], A)"), "shape:\n[]: A[1, 2]\n");
  EXPECT_EQ(form("psi([], A)"), "shape: 2 3\n[0, 2) x [0, 3): A[i, j]\n");
  EXPECT_EQ(form("2.5"), "shape:\n[]: 2.5\n");
  EXPECT_EQ(form("size(A)"), "shape:\n[]: 6\n");
  EXPECT_EQ(form("iota(5)"), "shape: 5\n[0, 5): i\n");
  EXPECT_EQ(form("outer_mul(v, v)"), "shape: 5 5\n[0, 5) x [0, 5): v[i] * v[j]\n");
  EXPECT_EQ(form("take(reverse(v, 0), 0, 2)"), "shape: 2\n[0, 2): v[4 - i]\n");
  EXPECT_EQ(form("reverse(reverse(v, 0), 0)"), "shape: 5\n[0, 5): v[i]\n");
  EXPECT_EQ(form("lift(C, 0, 2)"), "shape: 2 2 6\n[0, 2) x [0, 2) x [0, 6): C[i * 2 + j, k]\n");
}

TEST(Reduce, FoldsStay) {
  EXPECT_EQ(form("sum(A, 0)"), "shape: 3\n[0, 3): fold _+_ (k < 2) A[k, i]\n");
  EXPECT_EQ(form("cumsum(v, 0)"), "shape: 5\n[0, 5): fold _+_ (k < i + 1) v[k]\n");
  EXPECT_EQ(form("matmul(A, transpose(A))"),
            "shape: 2 2\n[0, 2) x [0, 2): fold _+_ (k < 3) (A[i, k] * A[j, k])\n");
  EXPECT_EQ(form("minimum(A, 0)"), "shape: 3\n[0, 3): fold min (k < 2) A[k, i]\n");
}

// Each index has a name of its own, whatever the axioms call it.
TEST(Reduce, FoldsInsideFoldsAreToldApart) {
  EXPECT_EQ(form("trace(matmul(A, transpose(A)))"),
            "shape:\n[]: fold _+_ (k < 2) (fold _+_ (k2 < 3) (A[k, k2] * A[k, k2]))\n");
  EXPECT_EQ(form("outer_mul(A, sum(A, 0))"),
            "shape: 2 3 3\n[0, 2) x [0, 3) x [0, 3): A[i, j] * (fold _+_ (k2 < 2) A[k2, k])\n");
}

// Mullin and Thibault's example.
TEST(Reduce, ACatenationIsTwoBoxes) {
  EXPECT_EQ(form("cat(B, drop(drop(C, 0, 1), 1, 2), 0)"),
            "shape: 5 4\n"
            "[0, 2) x [0, 4): B[i, j]\n"
            "[2, 5) x [0, 4): C[i - 1, j + 2]\n");
}

TEST(Reduce, AModuloIsABoxPerPeriod) {
  EXPECT_EQ(form("rotate(v, 0, 1) + rotate(v, 0, -1)"),
            "shape: 5\n"
            "[0, 1): v[i + 1] + v[i + 4]\n"
            "[1, 4): v[i + 1] + v[i - 1]\n"
            "[4, 5): v[i - 1] + v[i - 4]\n");
  EXPECT_EQ(form("rotate(rotate(v, 0, 1), 0, 2)"),
            "shape: 5\n[0, 2): v[i + 3]\n[2, 5): v[i - 2]\n");
  EXPECT_EQ(form("rotate(v, 0, -5)"), "shape: 5\n[0, 5): v[i]\n");
  EXPECT_EQ(form("pad_circular(v, 0, 2, 2)"),
            "shape: 9\n[0, 2): v[i + 3]\n[2, 7): v[i - 2]\n[7, 9): v[i - 7]\n");
  EXPECT_EQ(form("ravel(A)"), "shape: 6\n[0, 3): A[0, i]\n[3, 6): A[1, i - 3]\n");
}

TEST(Reduce, ListsBecomeTheirElements) {
  EXPECT_EQ(form("[4, 7]"), "shape: 2\n[0, 1): 4\n[1, 2): 7\n");
  EXPECT_EQ(form("shape(A)"), "shape: 2\n[0, 1): 2\n[1, 2): 3\n");
  EXPECT_EQ(form("gather(v, 0, [1, 0])"), "shape: 2\n[0, 1): v[1]\n[1, 2): v[0]\n");
}

// Along an axis of length 1 there is one index, whatever else it is added to.
TEST(Reduce, TheOnlyIndexIsANumber) {
  EXPECT_EQ(form("reshape(v, [5, 1])"), "shape: 5 1\n[0, 5) x [0, 1): v[i]\n");
  EXPECT_EQ(expressions().form("D", {{"D", {1, 3}}}), "shape: 1 3\n[0, 1) x [0, 3): D[0, j]\n");
  EXPECT_EQ(form("rotate(reshape(v, [5, 1]), 0, 2)"),
            "shape: 5 1\n[0, 3) x [0, 1): v[i + 2]\n[3, 5) x [0, 1): v[i - 3]\n");
  EXPECT_EQ(form("rotate(cat(reshape(v, [5, 1]), reshape(v, [5, 1]), 1), 0, 1)"),
            "shape: 5 2\n"
            "[0, 4) x [0, 1): v[i + j + 1]\n"
            "[4, 5) x [0, 1): v[i + j - 4]\n"
            "[0, 4) x [1, 2): v[i + j]\n"
            "[4, 5) x [1, 2): v[i + j - 5]\n");
}

// A mask that is written out is known: so is where its ones are.
TEST(Reduce, MasksThatAreKnown) {
  EXPECT_EQ(form("compress(v, 0, [1, 0, 1, 0, 0])"), "shape: 2\n[0, 1): v[0]\n[1, 2): v[2]\n");
  EXPECT_EQ(form("expand(A, 0, [1, 0, 1])"),
            "shape: 3 3\n"
            "[0, 1) x [0, 3): A[0, j]\n"
            "[1, 2) x [0, 3): 0\n"
            "[2, 3) x [0, 3): A[1, j]\n");
  const auto boxes = [](const std::string& text) {
    const std::string all = expressions().form(text, {{"u", {10}}});
    return all.substr(std::min(all.find("[0, 1)"), all.size()));
  };
  EXPECT_EQ(boxes("compress(u, 0, [1, 0, 0, 0, 0, 0, 0, 0, 0, 1])"),
            "[0, 1): u[0]\n[1, 2): u[9]\n");
  EXPECT_EQ(boxes("expand(take(u, 0, 2), 0, [0, 1, 0, 0, 0, 0, 0, 0, 0, 1])"),
            "[0, 1): 0\n[1, 2): u[0]\n[2, 9): 0\n[9, 10): u[1]\n");
}

// Outside of a slice there is no remainder by its stride, and none inside where that is 1 or -1.
TEST(Reduce, SlicesAreBoxes) {
  const Input X{"X", {3}};
  const Input u{"u", {40}};
  const auto form = [&](const std::string& text) { return expressions().form(text, {u, X}); };
  EXPECT_EQ(form("update(u, [2], [3], [1], X)"),
            "shape: 40\n[0, 2): u[i]\n[2, 5): X[i - 2]\n[5, 40): u[i]\n");
  EXPECT_EQ(form("update(u, [9], [3], [-1], X)"),
            "shape: 40\n[0, 7): u[i]\n[7, 10): X[9 - i]\n[10, 40): u[i]\n");
  EXPECT_EQ(form("update(u, [1], [3], [12], X)"),
            "shape: 40\n[0, 1): u[i]\n[1, 2): X[0]\n[2, 13): u[i]\n[13, 14): X[1]\n"
            "[14, 25): u[i]\n[25, 26): X[2]\n[26, 40): u[i]\n");
  const Input Y{"Y", {9}};
  EXPECT_EQ(expressions().form("update(u, [1], [9], [2], Y)", {u, Y}),
            "shape: 40\n[0, 1): u[i]\n"
            "[1, 19): if (i + 1) % 2 == 0 then Y[(i - 1) / 2] else u[i]\n"
            "[19, 40): u[i]\n");
}

TEST(Reduce, ConditionsOnElementsStay) {
  EXPECT_EQ(form("select(A < 3, A, 0 - A)"),
            "shape: 2 3\n[0, 2) x [0, 3): if A[i, j] < 3 then A[i, j] else -A[i, j]\n");
}

// 64-bit integers wrap: what could is not cancelled.
TEST(Reduce, ElementsAreNotTakenForSmall) {
  EXPECT_EQ(form("A + 1 < A"), "shape: 2 3\n[0, 2) x [0, 3): A[i, j] + 1 < A[i, j]\n");
  EXPECT_EQ(form("(A * 7) % 7"), "shape: 2 3\n[0, 2) x [0, 3): A[i, j] * 7 % 7\n");
}

// A division by zero is an error even where its result does not matter.
TEST(Reduce, ErrorsAreNotSimplifiedAway) {
  EXPECT_EQ(form("v / v - v / v"), "shape: 5\n[0, 5): v[i] / v[i] * 0\n");
  EXPECT_EQ(form("0 * (1 / v)"), "shape: 5\n[0, 5): 1 / v[i] * 0\n");
}

TEST(Reduce, NumbersPromote) {
  const Input f{"f", {2}, Scalar::float64};
  const Input b{"b", {2}, Scalar::boolean};
  const auto text = [&](const std::string& expression) {
    return expressions().form(expression, {f, b});
  };
  EXPECT_EQ(text("f + 1"), "shape: 2\n[0, 2): f[i] + 1.0\n");
  EXPECT_EQ(text("sqrt(b)"), "shape: 2\n[0, 2): sqrt(float64(b[i]))\n");
  EXPECT_EQ(text("b + b"), "shape: 2\n[0, 2): int64(b[i]) * 2\n");
  EXPECT_EQ(text("f < b"), "shape: 2\n[0, 2): f[i] < float64(b[i])\n");
}

// Whichever branch an index takes: 7 / 2 is 3.5 where other elements are real.
TEST(Reduce, ElementsHaveTheTypeOfAllBranches) {
  const Input i{"i", {2}, Scalar::int64};
  const Input f{"f", {1}, Scalar::float64};
  const Input none{"none", {0}, Scalar::float64};
  const auto text = [&](const std::string& expression) {
    return expressions().form(expression, {i, f, none});
  };
  EXPECT_EQ(text("cat(i, f, 0) / 2"),
            "shape: 3\n"
            "[0, 2): float64(i[i]) / 2.0\n"
            "[2, 3): f[i - 2] / 2.0\n");
  EXPECT_EQ(text("cat(i, none, 0) / 2"), "shape: 2\n[0, 2): float64(i[i]) / 2.0\n");
  const auto element = [&](const std::string& expression) {
    const auto found = expressions().reduce(expression, {i, f, none});
    return found ? onf::to_string(found->element) : found.error().message;
  };
  EXPECT_EQ(element("cat(i, none, 0)"), "float64");
  EXPECT_EQ(element("take(f, 0, 0)"), "float64");
  EXPECT_EQ(element("none == 1"), "bool");
  EXPECT_EQ(element("take(i, 0, 0)"), "int64");
}

TEST(Reduce, FoldsOfNothing) {
  EXPECT_EQ(form("reshape(take(v, 0, 1), [])"), "shape:\n[]: v[0]\n");
  EXPECT_EQ(form("maximum(take(v, 0, 0), 0) <= 1"), "shape:\n[]: TRUE\n");
}

// Nine components are more than indices have.
TEST(Reduce, LongVectorsOfIntegers) {
  EXPECT_EQ(form("gamma([1, 0, 0, 0, 0, 0, 0, 0, 1], [2, 2, 2, 2, 2, 2, 2, 2, 2])"),
            "shape:\n[]: 257\n");
}

TEST(Reduce, SharedSubtermsAreNamed) {
  EXPECT_EQ(form("(v * v + v * 2 + 1) * sqrt(v * v + v * 2 + 1)"),
            "shape: 5\n"
            "[0, 5): \n"
            "  let x1 = float64(v[i] * 2 + v[i] * v[i] + 1)\n"
            "  x1 * sqrt(x1)\n");
}

TEST(Reduce, ViolatedConditionsNameTheNumbers) {
  EXPECT_EQ(form("cat(A, B, 0)"), "E0608: cat on axis 0 needs equal lengths on axis 1: 3 and 4\n");
  EXPECT_EQ(form("A + B"), "E0608: _+_ needs equal lengths on axis 1: 3 and 4\n");
  EXPECT_EQ(form("take(A, 2, 1)"), "E0608: take on axis 2 needs `axis < dim(A)`: 2 and 2\n");
  EXPECT_EQ(form("take(A, 1, -4)"),
            "E0608: take on axis 1 needs `abs(k) <= at(shape(A), axis)`: 4 and 3\n");
  EXPECT_EQ(form("gather(v, 0, [1, 7])"),
            "E0608: gather on axis 0 needs `entry(v, m) < at(shape(A), axis)`: 7 and 5, "
            "where m = 1\n");
}

TEST(Reduce, EmptyArraysHaveNoBoxes) {
  EXPECT_EQ(form("take(A, 0, 0)"), "shape: 0 3\n");
  EXPECT_EQ(form("sum(take(A, 0, 0), 0)"), "shape: 3\n[0, 3): 0\n");
}

TEST(Reduce, Accesses) {
  const auto accesses = [](const std::string& text) {
    return expressions().accesses(text, {A, B, C, v});
  };
  EXPECT_EQ(accesses("drop(drop(C, 0, 1), 1, 2)"), "C: start 8 strides 6 1 counts 3 4\n");
  EXPECT_EQ(accesses("transpose(A)"), "A: start 0 strides 1 3 counts 3 2\n");
  EXPECT_EQ(accesses("reverse(v, 0)"), "v: start 4 strides -1 counts 5\n");
  EXPECT_EQ(accesses("sum(A, 0)"), "A: start 0 strides 1 3 counts 3 2\n");
  EXPECT_EQ(accesses("reshape(A, [3, 2])"), "A: start 0 strides 2 1 counts 3 2\n");
  EXPECT_EQ(accesses("reshape(C, [3, 2, 4])"), "C: start 0 strides 8 4 1 counts 3 2 4\n");
  EXPECT_EQ(accesses("gather(v, 0, v)"), "v: not affine\nv: start 0 strides 1 counts 5\n");
  EXPECT_EQ(accesses("cumsum(A, 1)"), "A: start 0 strides 3 0 1 counts 2 3 (j + 1)\n");
}

// What is read where a condition holds is not said to be read everywhere.
TEST(Reduce, AccessesUnderConditions) {
  const auto accesses = [](const std::string& text) {
    return expressions().accesses(text, {A, B, C, v});
  };
  EXPECT_EQ(accesses("select(A < 3, A, transpose(reshape(A, [3, 2])))"),
            "A: start 0 strides 3 1 counts 2 3\n"
            "A: start 0 strides 1 2 counts 2 3, under a condition\n");
  EXPECT_EQ(accesses("select(v > 0 && reverse(v, 0) > 0, 1, gather(v, 0, v))"),
            "v: start 0 strides 1 counts 5\n"
            "v: start 4 strides -1 counts 5, under a condition\n"
            "v: not affine, under a condition\n");
  // Of a condition on one index alone what it leaves of the box is told.
  EXPECT_EQ(accesses("sum(cat(A, B, 1), 1)"),
            "A: start 0 strides 3 1 counts 2 3\nB: start 0 strides 4 1 counts 2 4\n");
}

}  // namespace
}  // namespace rhopsi::moa::test
