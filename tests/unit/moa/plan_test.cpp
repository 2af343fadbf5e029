// Which subterms are stored, and what is said of it.
#include "engine/moa/plan.hpp"

#include "engine/moa/cost.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa {
namespace {

using test::Input;
using test::real;

const Input A{"A", {20, 20}, real};
const Input B{"B", {20, 20}, real};
const Input C{"C", {20, 20}, real};
const Input u{"u", {400}, real};
const Input v{"v", {400}};
const Input w{"w", {400}};
const Input x{"x", {std::nullopt, std::nullopt}, real};
const Input y{"y", {std::nullopt, std::nullopt}, real};
const Input z{"z", {std::nullopt, std::nullopt}, real};
const Input l{"l", {std::nullopt}, real};
const std::vector<Input> inputs{A, B, C, u, v, w, x, y, z, l};

Plan plan(const std::string& text, const Limits& limits = {}) {
  return test::planned(text, inputs, limits);
}

std::size_t stored(const std::string& text, const Limits& limits = {}) {
  return plan(text, limits).stages.size() - 1;
}

std::string printed(const std::string& text) { return to_string(plan(text)); }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Limits everything() {
  Limits limits;
  limits.allocation = -1e15;
  return limits;
}

std::string line(const std::string& a) {
  return "((rotate(" + a + ", 0, 1) + 2 * " + a + " + rotate(" + a + ", 0, -1)) / 4)";
}

std::string plane(const std::string& a) {
  return "((rotate(" + a + ", 0, 1) + rotate(" + a + ", 0, -1) + rotate(" + a +
         ", 1, 1) + rotate(" + a + ", 1, -1)) * 0.25)";
}

Cost cost(const std::string& text) {
  const auto form = test::expressions().reduce(text, inputs);
  EXPECT_TRUE(form) << text;
  return form ? cost_of(*form) : Cost();
}

// --- cost

TEST(Cost, IsThatOfEachElementTimesTheirNumber) {
  EXPECT_EQ(cost("u + 1").operations, 400);
  EXPECT_EQ(cost("u + 1").loads, 400);
  EXPECT_EQ(cost("u * u + u").operations, 800);
  EXPECT_EQ(cost("u * u + u").loads, 400);
  // An index is part of the address; but what is computed from indices is computed.
  EXPECT_EQ(cost("reverse(u, 0)").operations, 0);
  EXPECT_EQ(cost("3 * iota(400) + 1").operations, 800);
}

TEST(Cost, WhatIsUsedTwiceCountsOnce) {
  EXPECT_EQ(cost("sqrt(u + 1) * (u + 1)").operations, 3 * 400);
  EXPECT_EQ(cost("matmul(A, B)").operations, 400 * 20 * 2);
}

TEST(Cost, WhatALoopDoesNotChangeCountsOnce) {
  EXPECT_EQ(cost("u * sum(u * u, 0)").operations, 400 + 400 * 2);
  // Of the inner sum for each row, not for each element of the outer one.
  EXPECT_EQ(cost("sum(A * 2, 1)").operations, 20 * 20 * 2);
}

TEST(Cost, ABranchThatMayBeTakenCountsHalf) {
  EXPECT_EQ(cost("select(u > 0, sqrt(u), u)").operations, 400 * (1 + 1 + 0.5));
}

TEST(Cost, BoxesCountWhatTheyHold) {
  EXPECT_EQ(cost("cat(u + 1, u * u * u, 0)").operations, 400 + 2 * 400);
  // In the middle 200.5 of them, whose number is computed.
  EXPECT_EQ(cost("cumsum(u, 0)").operations, 400 * (1 + 200.5));
}

TEST(Cost, FoldsSideBySideWeighMore) {
  EXPECT_EQ(cost("sum(A, 0)").in_chains, 0);
  // A sum and a load, and a product besides.
  EXPECT_EQ(cost("sum(A, 0) - sum(A * A, 0)").in_chains, 20 * 20 * (2 + 3));
  // Neither one within another nor a few steps.
  EXPECT_EQ(cost("sum(sum(A, 1), 0)").in_chains, 0);
  EXPECT_EQ(cost("sum(take(A, 0, 4), 0) - sum(take(B, 0, 4), 0)").in_chains, 0);
}

TEST(Cost, UnknownLengthsAreNominal) {
  EXPECT_EQ(cost("l + 1").operations, nominal_length);
  EXPECT_EQ(cost("x * 2").operations, nominal_length * nominal_length);
}

// --- the choice

TEST(Plan, AChainOfMatricesIsMultipliedAsItIsWritten) {
  EXPECT_EQ(printed("matmul(matmul(A, B), C)"),
            "let t1: stored, 16 000 operations and 400 stores; recomputed it would be 320 000 "
            "operations\n"
            "  shape: 20 20\n"
            "  [0, 20) x [0, 20): fold _+_ (k < 20) (A[i, k] * B[k, j])\n"
            "shape: 20 20\n"
            "[0, 20) x [0, 20): fold _+_ (k < 20) (t1[i, k] * C[k, j])\n");
  const std::string text = printed("matmul(A, matmul(B, C))");
  EXPECT_NE(text.find("(A[i, k] * t1[k, j])"), std::string::npos) << text;
}

TEST(Plan, StackedStencilsAreStoredOneByOne) {
  EXPECT_EQ(first_line(printed(line(line("u")))),
            "let t1: stored, 1 600 operations and 400 stores; recomputed it would be 4 800 "
            "operations");
  const Plan three = plan(line(line(line("u"))));
  ASSERT_EQ(three.stages.size(), 3U);
  EXPECT_EQ(three.stages[1].name, "t2");
  for (const Stage& stage : three.stages) EXPECT_EQ(stage.form.pieces.size(), 3U);
  EXPECT_EQ(stored(plane(plane("A"))), 1U);
  EXPECT_EQ(stored(plane("A")), 0U);
}

TEST(Plan, EqualSubtermsAreOneArray) {
  const Plan found = plan("matmul(cumsum(A, 0), cumsum(A, 0))");
  ASSERT_EQ(found.stages.size(), 2U);
  EXPECT_NE(to_string(found).find("t1[i, k] * t1[k, j]"), std::string::npos) << to_string(found);
}

TEST(Plan, OfFoldsSideBySideOneStaysWhereItIs) {
  EXPECT_EQ(stored("sum(x * x, 0) - sum(x, 0)"), 1U);
  EXPECT_EQ(stored("sum(x * x, 1) / 3 - sum(x, 1) * sum(x, 1)"), 1U);
  EXPECT_EQ(stored("sum(x, 0)"), 0U);
  EXPECT_EQ(stored("sum(u * u, 0) - sum(u, 0)"), 0U);  // numbers
}

TEST(Plan, WhatIsComputedOnceStaysWhereItIs) {
  EXPECT_EQ(stored("sqrt(u * u + 1) * 3 - u / 2"), 0U);
  EXPECT_EQ(stored("transpose(rotate(A, 0, 3)) + reverse(A, 1)"), 0U);
  EXPECT_EQ(stored("u / sum(u * u, 0)"), 0U);
  EXPECT_EQ(stored("sum(matmul(A, B), 0)"), 0U);
  EXPECT_EQ(stored("cat(u * u + 1, u * 2, 0)"), 0U);
  EXPECT_EQ(to_string(plan("u * 2")), to_string(*test::expressions().reduce("u * 2", inputs)));
}

TEST(Plan, SmallArraysAreNotWorthAnAllocation) {
  EXPECT_EQ(stored("matmul(matmul(take(A, 0, 3), B), take(C, 1, 2))"), 1U);
  const std::string small =
      "matmul(matmul(take(take(A, 0, 3), 1, 3), take(take(B, 0, 3), 1, 3)), "
      "take(take(C, 0, 3), 1, 3))";
  EXPECT_EQ(stored(small), 0U);
  EXPECT_GT(stored(small, everything()), 0U);
}

TEST(Plan, WhatMayFailIsComputedWhereItIsAskedFor) {
  EXPECT_EQ(stored("cumsum(cumsum(v / 3, 0), 0)"), 2U);
  // Division by an element, conversion of one.
  EXPECT_EQ(stored("cumsum(cumsum(3 / v, 0), 0)"), 0U);
  EXPECT_EQ(stored("cumsum(cumsum(integer(u), 0), 0)"), 0U);
  for (const std::string text : {"sum(gather(3 / v, 0, iota(300)), 0) + 3 / v", "3 / v + 3 % v"}) {
    EXPECT_EQ(stored(text, everything()), 0U) << text;
  }
}

TEST(Plan, AllIsTestedFirst) {
  const std::string text = "matmul(cumsum(gather(A, 0, take(v, 0, 20)), 0), cumsum(B, 0))";
  const auto form = test::expressions().reduce(text, inputs);
  ASSERT_TRUE(form);
  ASSERT_EQ(form->assumptions.size(), 1U);
  const Plan found = plan(text, everything());
  ASSERT_GT(found.stages.size(), 1U);
  ASSERT_EQ(found.stages[0].form.assumptions.size(), 1U);
  EXPECT_EQ(found.stages[0].form.assumptions[0].message, form->assumptions[0].message);
  for (std::size_t k = 1; k < found.stages.size(); ++k) {
    EXPECT_TRUE(found.stages[k].form.assumptions.empty());
  }
}

TEST(Plan, LengthsThatAreNotKnownAreThoseOfTheInputs) {
  const Plan product = plan("matmul(matmul(x, y), z)");
  ASSERT_EQ(product.stages.size(), 2U);
  EXPECT_EQ(to_string(product.result()),
            "shape: shape(x)[0] shape(z)[1]\n"
            "[0, shape(x)[0]) x [0, shape(z)[1]): fold _+_ (k < shape(z)[0]) (t1[i, k] * z[k, "
            "j])\n");
  EXPECT_EQ(product.stages[0].form.assumptions.size(), 2U);
  EXPECT_EQ(product.leaves().size(), inputs.size());
  EXPECT_EQ(product.result().leaves.size(), inputs.size() + 1);
  // Each has its own few boxes.
  const Plan stencils = plan(plane(plane("x")));
  ASSERT_EQ(stencils.stages.size(), 2U);
  const auto plain = test::expressions().reduce(plane(plane("x")), inputs);
  EXPECT_LT(stencils.result().pieces.size(), plain->pieces.size() / 2);
}

// One more array of the size of those that are there, but no table of all pairs.
TEST(Plan, NothingLargerThanWhatIsThereIsStored) {
  const std::string text = "sum(cumsum(outer_mul(l, l), 0), 0)";
  const auto found = test::expressions().plan(text, {l});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stages.size(), 1U) << to_string(*found);
  EXPECT_EQ(stored(text), 1U);  // beside other arrays of two axes
}

TEST(Plan, NamesAreNotThoseOfInputs) {
  const Input t1{"t1", {20, 20}, real};
  const auto found = test::expressions().plan("matmul(matmul(t1, A), A)", {t1, A});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->stages.size(), 2U);
  EXPECT_EQ(found->stages[0].name, "t2");
}

TEST(Plan, NothingIsTriedWhereThatIsNotAllowed) {
  Limits limits;
  limits.trials = 0;
  EXPECT_EQ(stored("matmul(matmul(A, B), C)", limits), 0U);
}

TEST(Plan, AccessesOfAllStages) {
  EXPECT_EQ(accesses_to_string(plan("matmul(matmul(A, B), C)")),
            "let t1:\n"
            "  A: start 0 strides 20 0 1 counts 20 20 20\n"
            "  B: start 0 strides 0 1 20 counts 20 20 20\n"
            "t1: start 0 strides 20 0 1 counts 20 20 20\n"
            "C: start 0 strides 0 1 20 counts 20 20 20\n");
}

}  // namespace
}  // namespace rhopsi::moa
