// Normal forms of an expression and of the subterms that it stores, lowered to one function.
#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::lower {
namespace {

using moa::test::Input;
using onf::Scalar;

constexpr Scalar real = Scalar::float64;

moa::Limits everything() {
  moa::Limits limits;
  limits.allocation = -1e15;
  return limits;
}

// The function's body as text, behind what the verifier says of it.
std::string lowered(const std::string& text, const std::vector<Input>& inputs,
                    const moa::Limits& limits = everything()) {
  const auto plan = moa::test::expressions().plan(text, inputs, limits);
  if (!plan) return plan.error().code + ": " + plan.error().message + "\n";
  onf::Module module = module_of_forms("forms");
  const auto id = lower(*plan, "f", module);
  if (!id) return id.error().code + ": " + id.error().message + "\n";
  std::string found;
  for (const onf::Problem& problem : onf::verify(module)) {
    found += problem.code + ": " + problem.message + "\n";
  }
  const std::string all = onf::to_string(term::Store(), module);
  return found + all.substr(all.find('\n', all.find("function")) + 1);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(LowerPlan, EachStageIsAnArrayWithItsNests) {
  EXPECT_EQ(lowered("matmul(matmul(A, B), C)",
                    {{"A", {2, 3}, real}, {"B", {3, 4}, real}, {"C", {4, 2}, real}}),
            "  allocate t1: float64 [2, 4]\n"
            "  nest nested (i, j) in [0, 2) x [0, 4) of 32 bits \"f: t1\"\n"
            "    let x1 = fold add (k < 3)\n"
            "      multiply(A[i, k], B[k, j])\n"
            "    t1[i, j] := x1\n"
            "  allocate result: float64 [2, 2]\n"
            "  nest nested (i, j) in [0, 2) x [0, 2) of 32 bits \"f: result\"\n"
            "    let x2 = fold add (k1 < 4)\n"
            "      multiply(t1[i, k1], C[k1, j])\n"
            "    result[i, j] := x2\n"
            "  return result\n");
}

TEST(LowerPlan, LengthsAreNamedOnceForAllStages) {
  EXPECT_EQ(lowered("cumsum(cat(u * 2, v, 0), 0)", {{"u", {std::nullopt}}, {"v", {3}}}),
            "  allocate t1: int64 [length(u, 0)]\n"
            "  nest nested (i) in [0, length(u, 0)) of 32 bits where length(u, 0) fits \"f: t1\"\n"
            "    t1[i] := multiply(u[i], 2)\n"
            "  let n0: int64 = add(length(u, 0), 3)\n"
            "  allocate t2: int64 [n0]\n"
            "  nest nested (i) in [0, length(u, 0)) of 32 bits where n0, length(u, 0) fit \"f: t2, "
            "box 1\"\n"
            "    t2[i] := t1[i]\n"
            "  nest nested (i) in [length(u, 0), n0) of 32 bits where n0, length(u, 0) fit \"f: "
            "t2, box 2\"\n"
            "    t2[i] := v[subtract(i, length(u, 0))]\n"
            "  allocate result: int64 [n0]\n"
            "  nest nested (i) in [0, n0) of 32 bits where n0, add(n0, 1) fit \"f: result\"\n"
            "    let x1: int64 = add(i, 1)\n"
            "    let x2 = fold add (k < x1)\n"
            "      t2[k]\n"
            "    result[i] := x2\n"
            "  return result\n");
}

TEST(LowerPlan, StencilsOfUnknownLengths) {
  std::string u = "u";
  for (int k = 0; k < 2; ++k) {
    u = "((rotate(" + u + ", 0, 1) + 2 * " + u + " + rotate(" + u + ", 0, -1)) / 4)";
  }
  const std::string text = lowered(u, {{"u", {std::nullopt}, Scalar::float64}}, {});
  EXPECT_EQ(text.find("E05"), std::string::npos) << text;
  EXPECT_EQ(count(text, ": float64 [length(u, 0)]\n"), 2U) << text;
  EXPECT_EQ(count(text, "\"f: t1, box "), 4U) << text;
  EXPECT_EQ(count(text, "\"f: result, box "), 4U) << text;
  // As if it were an expression of the stored array alone.
  const std::string second = text.substr(text.find("allocate result"));
  EXPECT_EQ(count(second, "u["), 0U) << second;
}

TEST(LowerPlan, AllAssumptionsAreTestedFirst) {
  const std::string text =
      lowered("gather(a, 0, v) * cumsum(cumsum(a, 0), 0)", {{"a", {9}}, {"v", {9}}});
  EXPECT_LT(text.find("check "), text.find("allocate t1")) << text;
  EXPECT_LT(text.find("allocate t1"), text.find("allocate result")) << text;
}

TEST(LowerPlan, SmallerElementsAreStoredAsTheyAre) {
  const std::string text = lowered("sum(a < 3, 0) + sum(2 * (a < 3), 0)", {{"a", {9}}});
  EXPECT_NE(text.find("allocate t1: bool [9]"), std::string::npos) << text;
}

}  // namespace
}  // namespace rhopsi::lower
