// Normal forms over lengths that are not known.
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa::test {
namespace {

const std::vector<Input> of_unknown_lengths{{"S", {std::nullopt}, real},
                                            {"M", {std::nullopt, std::nullopt}, real},
                                            {"N", {std::nullopt, std::nullopt}, real}};

std::string symbolic_form(const std::string& text) {
  return expressions().form(text, of_unknown_lengths);
}

TEST(Symbolic, ConditionsBecomeAssumptions) {
  EXPECT_EQ(symbolic_form("take(S, 0, 2)"), "shape: 2\nneeds 2 <= shape(S)[0]\n[0, 2): S[i]\n");
  EXPECT_EQ(symbolic_form("matmul(M, N)"),
            "shape: shape(M)[0] shape(N)[1]\n"
            "needs shape(M)[1] == shape(N)[0]\n"
            "[0, shape(M)[0]) x [0, shape(N)[1]): "
            "fold _+_ (k < shape(N)[0]) (M[i, k] * N[k, j])\n");
}

// A sum over no elements asks nothing of them.
TEST(Symbolic, FoldsThatConditionsLeaveEmpty) {
  EXPECT_EQ(symbolic_form("matmul(omega_ravel(reshape(take(M, 0, 0), [2, 0, 5]), 2), N)"),
            "shape: 2 shape(N)[1]\n"
            "needs 0 == shape(N)[0]\n"
            "[0, 2) x [0, shape(N)[1]): 0.0\n");
}

TEST(Symbolic, ModuloIsSplitAtTheLength) {
  EXPECT_EQ(symbolic_form("rotate(S, 0, 1)"),
            "shape: shape(S)[0]\n"
            "needs 0 < shape(S)[0]\n"
            "[0, shape(S)[0] - 1): S[i + 1]\n"
            "[shape(S)[0] - 1, shape(S)[0]): S[i - shape(S)[0] + 1]\n");
}

// Nothing says that the array has more than two elements, so an offset of 2 may go round twice.
TEST(Symbolic, ModuloStaysWhereTheOffsetMayExceedTheLength) {
  EXPECT_EQ(symbolic_form("rotate(S, 0, 2)"),
            "shape: shape(S)[0]\n"
            "needs 0 < shape(S)[0]\n"
            "[0, shape(S)[0]): S[(i + 2) % shape(S)[0]]\n");
}

TEST(Symbolic, BoxesAreClamped) {
  EXPECT_EQ(symbolic_form("cat(M, N, 1)"),
            "shape: shape(M)[0] (shape(M)[1] + shape(N)[1])\n"
            "needs shape(M)[0] == shape(N)[0]\n"
            "[0, shape(M)[0]) x [0, shape(M)[1]): M[i, j]\n"
            "[0, shape(M)[0]) x [shape(M)[1], shape(M)[1] + shape(N)[1]): "
            "N[i, j - shape(M)[1]]\n");
  EXPECT_EQ(symbolic_form("pad_constant(S, 0, 1, 1, 0)"),
            "shape: (shape(S)[0] + 2)\n"
            "[0, 1): 0.0\n"
            "[1, shape(S)[0] + 1): S[i - 1]\n"
            "[shape(S)[0] + 1, shape(S)[0] + 2): 0.0\n");
}

// The first box ends where the array does, which may be at 0.
TEST(Symbolic, BoxesOfArraysThatMayBeEmpty) {
  EXPECT_EQ(symbolic_form("drop(rotate(S, 0, 1), 0, 3)"),
            "shape: (shape(S)[0] - 3)\n"
            "needs 0 < shape(S)[0]\n"
            "needs 3 <= shape(S)[0]\n"
            "[0, shape(S)[0] - 4): S[i + 4]\n"
            "[max(shape(S)[0] - 4, 0), shape(S)[0] - 3): S[i - shape(S)[0] + 4]\n");
}

// Which of them is the least is a condition of the one box: every order of six lengths would be
// 720.
TEST(Symbolic, OrdersOfLengthsAreNoBoxes) {
  const Input X{"X", std::vector<std::optional<std::int64_t>>(6)};
  const auto found = expressions().reduce("grade_up(shape(X))", {X});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pieces.size(), 1u);
  EXPECT_LT(found->expressions->count(), 2000u);
}

TEST(Symbolic, ShapesMayDependOnValues) {
  const Input m{"m", {2}, Scalar::int64};
  EXPECT_EQ(expressions().form("compress(S, 0, m)", {of_unknown_lengths[0], m}),
            "shape: (int64(m[0] != 0) + int64(m[1] != 0))\n"
            "needs 2 == shape(S)[0]\n"
            "needs m[0] == 0 || m[0] == 1\n"
            "needs m[1] == 0 || m[1] == 1\n"
            "[0, int64(m[0] != 0) + int64(m[1] != 0)): S[int64(int64(m[0] != 0) <= i)]\n");
}

}  // namespace
}  // namespace rhopsi::moa::test
