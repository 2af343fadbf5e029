// Guards as tests of the operational form.
#include "tests/unit/lower/fixture.hpp"

namespace rhopsi {
namespace {

class LowerGuards : public Lowering {
 protected:
  // A program over vectors of reals; its declarations begin at line 5.
  std::string form(const std::string& declarations, bool checked, const std::string& modules = "") {
    const auto theory = program(text("program P = {\n"
                                     "  use Arrays;\n"
                                     "  use FlatSchedule[E => Real];\n" +
                                     declarations +
                                     "  function run(a: Array): Array = schedule(a);\n"
                                     "};\n" +
                                     modules),
                                "P");
    if (!theory) return {};
    const auto module = lowered(*theory, 1, {"run"}, checked);
    if (!module) {
      ADD_FAILURE() << messages();
      return {};
    }
    emitted = kokkos::emit(store, *module, {})[0].text;
    return onf::to_string(store, *module);
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }
  std::string emitted;
};

const std::string guarded =
    "  function half(x: Real): Real guard 0.0 <= x = x / 2.0;\n"
    "  function element(a: Array, ix: Index): Real guard inside(ix) = half(psi(ix, a));\n";

TEST_F(LowerGuards, KernelsTestThemInCheckedBuildsOnly) {
  std::string text = form(guarded, false);
  EXPECT_EQ(count(text, "check "), 0U) << text;
  text = form(guarded, true);
  const std::size_t half = text.find("function half");
  const std::size_t nest = text.find("nest flat");
  ASSERT_NE(half, std::string::npos) << text;
  EXPECT_LT(text.find("check less_equal(0.0, x)"), text.find("return divide(x, 2.0)", half))
      << text;
  EXPECT_LT(nest, text.find("check library inside(ix)", nest)) << text;
  EXPECT_LT(text.find("check library inside(ix)", nest), text.find("[ix] :=", nest)) << text;
  EXPECT_NE(emitted.find("rhopsi::unmet(\"E0608\", \"guard of half at unit.mg:5 does not hold\");"),
            std::string::npos)
      << emitted;
  EXPECT_NE(
      emitted.find("rhopsi::unmet(\"E0608\", \"guard of element at unit.mg:6 does not hold\");"),
      std::string::npos)
      << emitted;
}

TEST_F(LowerGuards, ABranchTestsOnlyWhatItCalls) {
  const std::string text = form(
      "  function sqrt(a: Real): Real guard 0.0 <= a;\n"
      "  function element(a: Array, ix: Index): Real =\n"
      "    if psi(ix, a) < 1.0 then 0.0 else sqrt(psi(ix, a));\n",
      true);
  EXPECT_LT(text.find("else"), text.find("check less_equal(0.0, given)")) << text;
  EXPECT_EQ(count(text, "check "), 1U) << text;
}

TEST_F(LowerGuards, ExternalOperationsInKernels) {
  const std::string declarations =
      "  use Mine;\n"
      "  function twice(x: Real): Real guard small(x);\n"
      "  function element(a: Array, ix: Index): Real = twice(1.0 + psi(ix, a));\n";
  const std::string mine =
      "implementation Mine = external C++ mine.functions {\n"
      "  require type Real;\n"
      "  predicate small(x: Real);\n"
      "  function twice(x: Real): Real;\n"
      "};\n";
  EXPECT_EQ(count(form(declarations, false, mine), "check "), 0U);
  const std::string text = form(declarations, true, mine);
  EXPECT_NE(text.find("check functions::small(given)"), std::string::npos) << text;
  EXPECT_NE(text.find("functions::twice(given)"), std::string::npos) << text;
}

TEST_F(LowerGuards, WhatAKernelCannotEvaluateIsLeftOut) {
  const std::string text = form(
      "  predicate even(a: Array, ix: Index) = psi(ix, a + rotate(a, 0, 1)) < 2.0;\n"
      "  function element(a: Array, ix: Index): Real guard even(a, ix) = psi(ix, a);\n",
      true);
  EXPECT_NE(text.find("nest flat"), std::string::npos) << text;
  EXPECT_EQ(count(text, "check "), 0U) << text;
}

TEST_F(LowerGuards, WhatIsSaidOfAllElementsIsLeftOut) {
  const std::string text = form(
      "  function run(a: Array): Array guard (forall (ix < [3]) 0.0 < psi(ix, a));\n"
      "  function element(a: Array, ix: Index): Real = psi(ix, a);\n",
      true);
  EXPECT_EQ(count(text, "check "), 0U) << text;
}

TEST_F(LowerGuards, WhatMayTrapStaysBehindTheTest) {
  const std::string element =
      "  use Integers;\n"
      "  use Count;\n"
      "  predicate many(n: Int) = 1 < 12 / n;\n"
      "  function element(a: Array, ix: Index): Real guard 0 < count() =\n"
      "    select(many(count()), psi(ix, a), 0.0);\n";
  const std::string parameter =
      "implementation Count = external Kokkos parameters {\n"
      "  require type Int;\n"
      "  function count(): Int;\n"
      "};\n";
  form(element, false, parameter);
  EXPECT_NE(emitted.find("const bool c0 = many(count);"), std::string::npos) << emitted;
  form(element, true, parameter);
  EXPECT_NE(emitted.find("self.many(count)"), std::string::npos) << emitted;
}

TEST_F(LowerGuards, WholeArrayOperationsNameTheirPlace) {
  const auto theory = program(text("program P = {\n"
                                   "  use Arrays;\n"
                                   "  function run(a: Array): Array =\n"
                                   "    rotate(log(a), 0, 1);\n"
                                   "};\n"),
                              "P");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 1);
  ASSERT_TRUE(module) << messages();
  const std::string text = joined(kokkos::emit(store, *module, {})[0].text);
  EXPECT_NE(text.find(joined("RHOPSI_LABEL(\"run: t = log(...)\", \"unit.mg:5\")")),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(joined("RHOPSI_LABEL(\"run: result = rotate(...)\", \"unit.mg:5\")")),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace rhopsi
