// Normal forms of expressions over the library, lowered.
#include "engine/lower/normal_form.hpp"

#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::lower {
namespace {

using moa::test::Input;
using onf::Scalar;

const Input A{"A", {2, 3}};
const Input B{"B", {2, 4}};
const Input C{"C", {4, 6}};
const Input v{"v", {5}};
const Input m{"m", {5}, Scalar::boolean};
const Input f{"f", {4}, Scalar::float64};
const Input s{"s", {4}, Scalar::int32};
const Input u{"u", {std::nullopt, 3}};
const Input w{"w", {std::nullopt, 3}};
const Input places{"places", {std::nullopt}};

// The function's body as text, behind what the verifier says of it.
std::string lowered(const moa::NormalForm& form) {
  onf::Module module = module_of_forms("forms");
  const auto id = lower(form, "f", module);
  if (!id) return id.error().code + ": " + id.error().message + "\n";
  std::string found;
  for (const onf::Problem& problem : onf::verify(module)) {
    found += problem.code + ": " + problem.message + "\n";
  }
  const std::string all = onf::to_string(term::Store(), module);
  return found + all.substr(all.find('\n', all.find("function")) + 1);
}

std::string lowered(const std::string& text) {
  const auto form = moa::test::expressions().reduce(text, {A, B, C, v, m, f, s, u, w, places});
  if (!form) return form.error().code + ": " + form.error().message + "\n";
  return lowered(*form);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LowerForm, APieceIsANestOverItsBox) {
  EXPECT_EQ(lowered("cat(B, drop(drop(C, 0, 1), 1, 2), 0)"),
            "  allocate result: int64 [5, 4]\n"
            "  nest nested (i, j) in [0, 2) x [0, 4) of 32 bits \"f: result, box 1\"\n"
            "    result[i, j] := B[i, j]\n"
            "  nest nested (i, j) in [2, 5) x [0, 4) of 32 bits \"f: result, box 2\"\n"
            "    result[i, j] := C[subtract(i, 1), add(j, 2)]\n"
            "  return result\n");
}

TEST(LowerForm, RankZeroAndEmptyResults) {
  EXPECT_EQ(lowered("2.5"),
            "  allocate result: float64 []\n"
            "  nest nested () \"f: result\"\n"
            "    result[] := 2.5\n"
            "  return result\n");
  EXPECT_EQ(lowered("take(A, 0, 0)"), "  allocate result: int64 [0, 3]\n  return result\n");
}

TEST(LowerForm, FoldsStandBeforeTheElement) {
  EXPECT_EQ(lowered("matmul(A, transpose(A))"),
            "  allocate result: int64 [2, 2]\n"
            "  nest nested (i, j) in [0, 2) x [0, 2) of 32 bits \"f: result\"\n"
            "    let x1 = fold add (k < 3)\n"
            "      multiply(A[i, k], A[j, k])\n"
            "    result[i, j] := x1\n"
            "  return result\n");
}

TEST(LowerForm, WhatNoIndexChangesIsComputedBeforeTheNest) {
  EXPECT_EQ(lowered("f / sum(f, 0)"),
            "  let x1 = fold add (k < 4)\n"
            "    f[k]\n"
            "  allocate result: float64 [4]\n"
            "  nest nested (i) in [0, 4) of 32 bits \"f: result\"\n"
            "    result[i] := divide(f[i], x1)\n"
            "  return result\n");
  // The inner sum is the same in each round of the outer one.
  const std::string text = lowered("matmul(A, transpose(A) / sum(1.5 * v, 0))");
  EXPECT_LT(text.find("fold add (k < 5)"), text.find("nest")) << text;
}

TEST(LowerForm, CommonSubexpressionsAreNamed) {
  EXPECT_EQ(lowered("(v * v + 1) * sqrt(v * v + 1)"),
            "  allocate result: float64 [5]\n"
            "  nest nested (i) in [0, 5) of 32 bits \"f: result\"\n"
            "    let x1: int64 = v[i]\n"
            "    let x2: float64 = convert(add(multiply(x1, x1), 1))\n"
            "    result[i] := multiply(x2, sqrt(x2))\n"
            "  return result\n");
}

TEST(LowerForm, WhatCanFailIsTestedWhereItStands) {
  EXPECT_TRUE(has(lowered("10 / v"), "    check not_equal(x1, 0) \"division by zero\"\n"));
  EXPECT_FALSE(has(lowered("v / 3"), "check"));
  EXPECT_FALSE(has(lowered("f / 0"), "check"));
  EXPECT_FALSE(has(lowered("real(s)"), "check"));
  EXPECT_TRUE(has(lowered("integer(f)"), "check and(less_equal(-9223372036854775808.0, x1)"));
  EXPECT_TRUE(has(lowered("gather(f, 0, v)"),
                  "    check and(less_equal(0, x1), less(x1, 4)) \"an index outside of f on axis "
                  "0\"\n    result[i] := f[x1]\n"))
      << lowered("gather(f, 0, v)");
}

TEST(LowerForm, BranchesThatTakeStatementsAreBranchesOfStatements) {
  // The condition says that the division is safe.
  EXPECT_TRUE(has(lowered("select(v > 0, 12 / v, 0 - v)"),
                  "    result[i] := if less(0, x1) then divide(12, x1) else negate(x1)\n"));
  EXPECT_EQ(lowered("select(m, 12 / v, 1)"),
            "  allocate result: int64 [5]\n"
            "  nest nested (i) in [0, 5) of 32 bits \"f: result\"\n"
            "    var x2: int64\n"
            "    if m[i]\n"
            "      let x1: int64 = v[i]\n"
            "      check not_equal(x1, 0) \"division by zero\"\n"
            "      x2 = divide(12, x1)\n"
            "    else\n"
            "      x2 = 1\n"
            "    result[i] := x2\n"
            "  return result\n");
}

TEST(LowerForm, WhatOneOfSeveralBranchesMayNeedIsLazy) {
  // One side certainly needs it, the other one perhaps.
  EXPECT_EQ(lowered("select(m, select(v > 3, 12 / v, 3), 12 / v * 2)"),
            "  allocate result: int64 [5]\n"
            "  nest nested (i) in [0, 5) of 32 bits \"f: result\"\n"
            "    let x1: int64 = v[i]\n"
            "    lazy x2: int64\n"
            "      check not_equal(x1, 0) \"division by zero\"\n"
            "      divide(12, x1)\n"
            "    result[i] := if m[i] then if less(3, x1) then x2 else 3 else multiply(x2, 2)\n"
            "  return result\n");
  // Both sides certainly: no need to be lazy.
  EXPECT_FALSE(has(lowered("select(m, 12 / v, 12 / v * 2)"), "lazy"));
}

TEST(LowerForm, ShapesThatDependOnValues) {
  const std::string text = lowered("compress(f, 0, f > 2)");
  EXPECT_LT(text.find("let n0: int64 = "), text.find("allocate result: float64 [n0]")) << text;
  EXPECT_TRUE(has(text, "in [0, n0)")) << text;
  EXPECT_LT(text.find("check "), text.find("let n0")) << text;  // assumptions come first
}

// So that it can be said which one violates them.
TEST(LowerForm, ConditionsOnAllIndicesAreTestedOneByOne) {
  const std::string text = lowered("gather(v, 0, places)");
  const std::size_t loop = text.find("  for m1 in 0 .. length(places, 0)\n");
  ASSERT_NE(loop, std::string::npos) << text;
  EXPECT_EQ(text.find("E05"), std::string::npos) << text;
  EXPECT_LT(text.find("    check less_equal(0, places[m1])"),
            text.find("    check less(places[m1], 5)"));
  EXPECT_FALSE(has(text, "fold")) << text;
}

TEST(LowerForm, LengthsThatAreNotKnown) {
  EXPECT_EQ(lowered("cat(u, u, 0)"),
            "  let n0: int64 = multiply(length(u, 0), 2)\n"
            "  allocate result: int64 [n0, 3]\n"
            "  nest nested (i, j) in [0, length(u, 0)) x [0, 3) of 32 bits where multiply(n0, 3), "
            "multiply(length(u, 0), 3) fit \"f: result, box 1\"\n"
            "    result[i, j] := u[i, j]\n"
            "  nest nested (i, j) in [length(u, 0), n0) x [0, 3) of 32 bits where multiply(n0, 3), "
            "multiply(length(u, 0), 3), length(u, 0) fit \"f: result, box 2\"\n"
            "    result[i, j] := u[subtract(i, length(u, 0)), j]\n"
            "  return result\n");
  EXPECT_TRUE(has(lowered("u + w"), "  check "));
}

TEST(LowerForm, ElementTypesNarrowerThanIntegersAreConverted) {
  EXPECT_TRUE(has(lowered("s + 1"), "add(convert(s[i]), 1)"));
  EXPECT_TRUE(has(lowered("m + m"), "multiply(convert(m[i]), 2)"));
}

TEST(LowerForm, MoreThanSixAxesAreRefused) {
  EXPECT_EQ(lowered("outer_add(outer_add(outer_add(A, A), A), v)"),
            "E0513: the result has 7 axes; compiled programs have arrays of at most 6\n");
}

// As a tree this has more than 2^100 nodes.
TEST(LowerForm, SharedExpressionsAreNotExpanded) {
  moa::NormalForm form;
  form.expressions = std::make_shared<moa::Expressions>();
  moa::Expressions& x = *form.expressions;
  form.leaves = {{"v", Scalar::int64, {5}, {}}};
  form.indices = {x.make_variable("i")};
  form.shape = {x.integer(5)};
  form.element = Scalar::int64;
  const moa::Vector index{x.variable(form.indices[0])};
  moa::ExprId element = x.load(moa::LeafId{0}, Scalar::int64, index);
  for (int k = 0; k < 100; ++k) {
    const moa::ExprId positive = x.apply(onf::ScalarFunction::less, {x.integer(k), element});
    const moa::ExprId quotient = x.apply(onf::ScalarFunction::divide, {x.integer(k), element});
    // Each level is used under two conditions, and may fail.
    element = x.select(
        positive,
        x.select(x.apply(onf::ScalarFunction::less, {element, quotient}), quotient, x.integer(7)),
        x.apply(onf::ScalarFunction::maximum, {quotient, element}));
  }
  form.pieces = {{{{x.integer(0), x.integer(5)}}, element}};
  const std::string text = lowered(form);
  EXPECT_LT(text.size(), 100000u);
  EXPECT_FALSE(has(text, "E05")) << text.substr(0, 500);
}

// What a sum computes for each of its elements does not depend on the other sum's variable of the
// same name.
TEST(LowerForm, ACopyOfAFoldMayStandInsideOfIt) {
  moa::NormalForm form;
  form.expressions = std::make_shared<moa::Expressions>();
  moa::Expressions& x = *form.expressions;
  form.leaves = {{"v", Scalar::int64, {5}, {}}};
  form.element = Scalar::int64;
  const moa::VariableId k = x.make_variable("k");
  const moa::Vector index{x.variable(k)};
  const moa::ExprId load = x.load(moa::LeafId{0}, Scalar::int64, index);
  const moa::ExprId inner = x.fold(onf::ScalarFunction::add, k, x.variable(k), load);
  form.pieces = {{{}, x.fold(onf::ScalarFunction::add, k, x.integer(5), x.multiply(inner, load))}};
  EXPECT_EQ(lowered(form),
            "  let x1 = fold add (k < 5)\n"
            "    let x2 = fold add (k1 < k)\n"
            "      v[k1]\n"
            "    multiply(v[k], x2)\n"
            "  allocate result: int64 []\n"
            "  nest nested () \"f: result\"\n"
            "    result[] := x1\n"
            "  return result\n");
}

}  // namespace
}  // namespace rhopsi::lower
