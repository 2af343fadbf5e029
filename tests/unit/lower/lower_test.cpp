#include "frontend/syntax/deep_stack.hpp"
#include "tests/unit/lower/fixture.hpp"

namespace rhopsi {
namespace {

using LowerProgram = Lowering;

TEST_F(LowerProgram, SmoothPrintsAsExpected) {
  const auto theory = program(spec("smooth/smooth.mg"), "DNF");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 1, {"step"});
  ASSERT_TRUE(module) << messages();
  const std::string text = onf::to_string(store, *module);
  EXPECT_NE(text.find("nest flat (ix) \"step: a = schedule(...)\""), std::string::npos) << text;
  EXPECT_NE(text.find("a_2[ix] := add(add(multiply(0.25, a[wrap(ix, 0, -1)]), "
                      "multiply(0.5, a[ix])), multiply(0.25, a[wrap(ix, 0, 1)]))"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a = take a_2"), std::string::npos) << text;
}

TEST_F(LowerProgram, BaseMakesOneArrayPerOperation) {
  const auto theory = program(spec("smooth/smooth.mg"), "Base");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 1, {"smooth"});
  ASSERT_TRUE(module) << messages();
  EXPECT_EQ(onf::to_string(store, *module),
            "module Base rank 1\n"
            "\n"
            "function smooth(a: array float32): array float32  # smooth.mg:6\n"
            "  array t = rotate(a, 0, -1)  # smooth.mg:7\n"
            "  array t_2 = pointwise multiply(0.25, t)  # smooth.mg:7\n"
            "  array t_3 = pointwise multiply(0.5, a)  # smooth.mg:7\n"
            "  array t_4 = pointwise add(t_2, t_3)  # smooth.mg:7\n"
            "  array t_5 = rotate(a, 0, 1)  # smooth.mg:7\n"
            "  array t_6 = pointwise multiply(0.25, t_5)  # smooth.mg:7\n"
            "  array result = pointwise add(t_4, t_6)  # smooth.mg:7\n"
            "  return result  # smooth.mg:7\n");
}

TEST_F(LowerProgram, WhatCallsItselfIsRefused) {
  const auto theory =
      program(text("program P = {\n"
                   "  use Arrays;\n"
                   "  function down(x: Real): Real = if x < 1.0 then x else down(x - 1.0);\n"
                   "  function even(x: Real): Real = if x < 1.0 then x else odd(x - 1.0);\n"
                   "  function odd(x: Real): Real = if x < 1.0 then 0.0 - x else even(x - 1.0);\n"
                   "  procedure again(upd u: Array) { u = u + u; call again(u); };\n"
                   "  procedure once(upd u: Array) { u = u + u; };\n"
                   "};\n"),
              "P");
  ASSERT_TRUE(theory);
  const auto refused = [&](const std::string& entry) {
    EXPECT_FALSE(lowered(*theory, 1, {entry}));
    return messages();
  };
  EXPECT_EQ(refused("down"), "unit.mg:4: E0508: down calls itself\n");
  EXPECT_EQ(refused("even"), "unit.mg:6: E0508: even calls itself, through odd\n");
  EXPECT_EQ(refused("again"), "unit.mg:7: E0508: again calls itself\n");
  EXPECT_TRUE(lowered(*theory, 1, {"once"})) << messages();
}

TEST_F(LowerProgram, LoopsComputeTheirBoundsOnce) {
  const auto theory = program(
      text("program P = {\n"
           "  use Arrays;\n"
           "  use Integers;\n"
           "  procedure less(upd u: Array, upd n: Int) { u = u + u; n = n - 1; };\n"
           "  procedure repeated(upd u: Array, upd n: Int) { iterate n less(u, n); };\n"
           "  procedure counted(upd u: Array, upd n: Int) {\n"
           "    for k in 0 .. n { u = u + u; n = n - 1; };\n"
           "  };\n"
           "  procedure fixed(upd u: Array, obs n: Int) { for k in 0 .. n { u = u + u; }; };\n"
           "};\n"),
      "P");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 1);
  ASSERT_TRUE(module) << messages();
  const std::string form = onf::to_string(store, *module);
  EXPECT_NE(form.find("  let bound: int64 = n  # unit.mg:6\n  iterate bound"), std::string::npos)
      << form;
  EXPECT_NE(form.find("  let bound: int64 = n  # unit.mg:8\n  for k in 0 .. bound"),
            std::string::npos)
      << form;
  EXPECT_NE(form.find("  for k in 0 .. n"), std::string::npos) << form;
}

TEST_F(LowerProgram, AllFormsOfTheSolverLower) {
  for (const char* name : {"Base", "MoA", "DNF", "Padded", "3D", "3DPadded"}) {
    const auto theory = program(spec("burgers/paper.mg"), name);
    ASSERT_TRUE(theory) << name;
    const auto module = lowered(*theory, 3);
    ASSERT_TRUE(module) << name << "\n" << messages();
    EXPECT_EQ(module->pad, std::string(name).find("Padded") == std::string::npos ? 0 : 1) << name;
  }
}

TEST_F(LowerProgram, ProgramWithoutArraysHasRankZeroAndTestsGuards) {
  const auto theory = program(spec("matrix_chain/matrix_chain.mg"), "DevProgram");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 0);
  ASSERT_TRUE(module) << messages();
  const std::string text = onf::to_string(store, *module);
  EXPECT_NE(text.find("external int_matrices in lib.hpp"), std::string::npos) << text;
  EXPECT_NE(text.find("check int_matrices::lhsNcolsIsRhsNrows(B, C)"), std::string::npos) << text;
}

TEST_F(LowerProgram, WholeArraysInsideAnElementAreComputedBeforeTheLoop) {
  const auto theory = program(text("program P = {\n"
                                   "  use Arrays;\n"
                                   "  function el(a: Array, ix: Index): Real =\n"
                                   "    psi(ix, a + rotate(a, 0, 1)) * psi(ix, a);\n"
                                   "  function run(a: Array): Array = schedule(a);\n"
                                   "  use FlatSchedule[element => el, E => Real];\n"
                                   "};\n"),
                              "P");
  ASSERT_TRUE(theory);
  const auto module = lowered(*theory, 1, {"run"});
  ASSERT_TRUE(module) << messages();
  const std::string text = onf::to_string(store, *module);
  EXPECT_LT(text.find("array t_2 = pointwise add(a, t)"), text.find("nest flat")) << text;
}

TEST_F(LowerProgram, UnknownEntryListsTheEntries) {
  const auto theory = program(spec("smooth/smooth.mg"), "Base");
  ASSERT_TRUE(theory);
  EXPECT_FALSE(lowered(*theory, 1, {"stepp"}));
  EXPECT_TRUE(has("E0503")) << messages();
  EXPECT_NE(problems.front().advice.find("smooth, step"), std::string::npos);
}

// Of parameters, types and headers too; the whole program has all of them.
TEST_F(LowerProgram, AnEntryHasWhatItLeadsToAlone) {
  const auto theory =
      program(text("implementation Set = external Kokkos parameters {\n"
                   "  require type Real; function c(): Real; function k(): Real;\n"
                   "};\n"
                   "implementation Seen = external C++ seen.matrices { type Matrix; };\n"
                   "implementation Used = external C++ used.numbers {\n"
                   "  require type Real; require type Matrix;\n"
                   "  function one(): Matrix; function of(m: Matrix): Real;\n"
                   "};\n"
                   "program P = {\n"
                   "  use Arrays; use Set; use Seen; use Used;\n"
                   "  procedure a(upd u: Array) { u = c() * u; };\n"
                   "  procedure b(upd u: Array) { var m = one(); u = k() * of(m) * u; };\n"
                   "};\n"),
              "P");
  ASSERT_TRUE(theory);
  const auto parts = [&](std::vector<std::string> entries) {
    const auto module = lowered(*theory, 1, std::move(entries));
    EXPECT_TRUE(module) << messages();
    std::string all;
    if (!module) return all;
    for (const onf::Parameter& parameter : module->parameters) all += parameter.name + " ";
    for (const onf::External& external : module->externals) all += external.header + " ";
    for (const onf::OpaqueType& type : module->types) all += type.name + " ";
    return all + std::to_string(module->functions.size());
  };
  EXPECT_EQ(parts({"a"}), "c 1");
  EXPECT_EQ(parts({"b"}), "k seen.hpp used.hpp Matrix 1");
  EXPECT_EQ(parts({}), "c k seen.hpp used.hpp Matrix 2");
}

TEST_F(LowerProgram, WrongRankIsSaid) {
  const auto theory = program(spec("burgers/paper.mg"), "3D");
  ASSERT_TRUE(theory);
  EXPECT_FALSE(lowered(*theory, 2));
  EXPECT_TRUE(has("E0509")) << messages();
}

TEST_F(LowerProgram, WhatIsNestedTooDeepIsSaid) {
  const auto lowers = [this](int operations) {
    std::string sum = "x";
    for (int i = 0; i < operations; ++i) sum += " + x";
    const auto theory = program(text("program P = {\n"
                                     "  use Reals;\n"
                                     "  function f(x: Real): Real = " +
                                     sum + ";\n};\n"),
                                "P");
    bool good = false;
    syntax::run_on_deep_stack([&] { good = theory && lowered(*theory, 0).has_value(); });
    return good;
  };
  EXPECT_TRUE(lowers(9990)) << messages();
  EXPECT_FALSE(lowers(20000));
  EXPECT_TRUE(has("E0512")) << messages();
}

}  // namespace
}  // namespace rhopsi
