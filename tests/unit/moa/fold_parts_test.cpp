// Folds whose elements are chosen at places of their index.
#include "backends/reference/normal_form.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa::test {
namespace {

const std::vector<Input> inputs{{"M", {6, 3}, real},
                                {"N", {2, 3}, real},
                                {"u", {7}, real},
                                {"S", {std::nullopt}, real},
                                {"T", {std::nullopt, 3}, real}};

std::string parts(const std::string& text) {
  const auto plan = expressions().plan(text, inputs);
  return plan ? to_string(*plan) : plan.error().code + ": " + plan.error().message + "\n";
}

TEST(FoldParts, AModuloIsAPartPerPeriod) {
  EXPECT_EQ(parts("sum(rotate(M, 0, 1), 0)"),
            "shape: 3\n"
            "[0, 3): fold _+_ (k < 6) (if k < 5 then M[k + 1, i] else M[k - 5, i])\n");
  EXPECT_EQ(parts("sum(ravel(N), 0)"),
            "shape:\n[]: fold _+_ (k < 6) (if k < 3 then N[0, k] else N[1, k - 3])\n");
  EXPECT_EQ(parts("cumsum(rotate(u, 0, 2), 0)"),
            "shape: 7\n"
            "[0, 7): fold _+_ (k < i + 1) (if k < 5 then u[k + 2] else u[k - 5])\n");
  EXPECT_EQ(parts("sum(rotate(T, 0, 1), 0)"),
            "shape: 3\n"
            "needs 0 < shape(T)[0]\n"
            "[0, 3): fold _+_ (k < shape(T)[0]) (if k < shape(T)[0] - 1 then T[k + 1, i] "
            "else T[k - shape(T)[0] + 1, i])\n");
}

TEST(FoldParts, AConditionIsChosenOnce) {
  EXPECT_EQ(parts("matmul(cat(N, N, 1), M)"),
            "shape: 2 3\n"
            "[0, 2) x [0, 3): fold _+_ (k < 6) (if k < 3 then N[i, k] * M[k, j] "
            "else N[i, k - 3] * M[k, j])\n");
  EXPECT_EQ(parts("sum(rotate(M, 0, 2) * rotate(M, 0, -1), 0)"),
            "shape: 3\n"
            "[0, 3): fold _+_ (k < 6) (if k < 1 then M[k + 2, i] * M[k + 5, i] "
            "else if k < 4 then M[k + 2, i] * M[k - 1, i] else M[k - 4, i] * M[k - 1, i])\n");
}

TEST(FoldParts, OfFoldsInFolds) {
  EXPECT_EQ(parts("sum(sum(rotate(cat(N, N, 1), 1, 2), 0), 0)"),
            "shape:\n"
            "[]: fold _+_ (k < 6) (if k < 4 then if k < 1 then fold _+_ (k2 < 2) N[k2, k + 2] "
            "else fold _+_ (k2 < 2) N[k2, k - 1] else fold _+_ (k2 < 2) N[k2, k - 4])\n");
}

// Many periods stay a remainder, and so does one of which nothing is known.
TEST(FoldParts, AreFew) {
  EXPECT_EQ(parts("sum(ravel(M), 0)"), "shape:\n[]: fold _+_ (k < 18) M[k / 3, k % 3]\n");
  EXPECT_EQ(parts("sum(rotate(S, 0, 2), 0)"),
            "shape:\n"
            "needs 0 < shape(S)[0]\n"
            "[]: fold _+_ (k < shape(S)[0]) S[(k + 2) % shape(S)[0]]\n");
}

// One fold is left, whose order is the one written: the same to the bit.
TEST(FoldParts, MeanTheSame) {
  std::vector<reference::Array> arrays;
  double next = 0.1;
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{6, 3}, {2, 3}, {7}, {5}, {4, 3}}) {
    std::int64_t count = 1;
    for (std::int64_t length : shape) count *= length;
    std::vector<double> elements;
    for (std::int64_t k = 0; k < count; ++k) {
      next = next * 3.7 * (1 - next);
      elements.push_back(next * (k % 3 == 0 ? 1e9 : 1e-3));
    }
    arrays.push_back(reference::make_array(shape, std::move(elements)));
  }
  const term::Store store;
  for (const char* text :
       {"sum(rotate(M, 0, 1), 0)", "sum(rotate(M, 0, 2) * rotate(M, 0, -1), 0)",
        "cumsum(rotate(u, 0, 2), 0)", "sum(rotate(T, 0, 1), 0)", "matmul(cat(N, N, 1), M)",
        "product(pad_reflect(u, 0, 2, 3), 0)", "minimum(rotate(S, 0, -1), 0)",
        "sum(sum(rotate(cat(N, N, 1), 1, 2), 0), 0)",
        "matmul(outer_mul(u, S), rotate(reshape(S, [size(S), 1]), 0, 1))"}) {
    const auto whole = expressions().reduce(text, inputs);
    const auto parts = expressions().plan(text, inputs);
    ASSERT_TRUE(whole && parts) << text;
    const auto expected = reference::evaluate(store, *whole, arrays);
    const auto found = reference::evaluate(store, *parts, arrays);
    ASSERT_TRUE(expected && found) << text;
    EXPECT_EQ(found->shape, expected->shape) << text;
    EXPECT_EQ(*found->elements, *expected->elements) << text;
  }
}

}  // namespace
}  // namespace rhopsi::moa::test
