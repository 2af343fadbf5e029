// Statements over arrays that have shapes of their own: what becomes of them.
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

// What is known of one value of a choice is known where it is chosen.
TEST_F(Shaped, WhatBoundsOneValueOfAChoiceDoesNotBoundTheOther) {
  const std::string text = form_of(
      "  procedure p(upd x: Array, obs v: Array, obs d: Int)\n"
      "    guard dim(x) == 1 && dim(v) == 1 && d <= at(shape(v), 0) {\n"
      "    x = forall (p < shape(x)) (psi(p, x) + psi([if 0 < d then at(p, 0) % d else -d], v));\n"
      "  }\n");
  EXPECT_NE(text.find("an index outside of v"), std::string::npos) << text;
}

TEST_F(Shaped, RanksFollowFromTheGuard) {
  ASSERT_TRUE(
      load("  procedure p(obs a: Array, obs b: Array, out c: Array)\n"
           "    guard dim(a) == 2 && dim(b) == dim(a) - 1 { c = a; }\n"));
  const auto module = shaped();
  ASSERT_TRUE(module) << messages();
  const onf::Function& p = module->functions[0];
  std::vector<std::size_t> ranks;
  for (const onf::Argument& argument : p.arguments) {
    const onf::View& view = p.views[onf::number(*argument.view)];
    ranks.push_back(p.blocks[onf::number(view.block)].extents->size());
  }
  EXPECT_EQ(ranks, (std::vector<std::size_t>{2, 1, 2}));
}

TEST_F(Shaped, RanksThatTheGuardLeavesOpenAreGiven) {
  const std::string text =
      "  procedure p(upd u: Array, obs v: Array) guard dim(v): Int == dim(u) && 0 < dim(u) {\n"
      "    u = u + v;\n"
      "  }\n";
  ASSERT_TRUE(load(text));
  EXPECT_EQ(form("p"),
            "unit.mg:5: E0514: the number of axes of u and v, which p takes, is not known\n");
  // One of them tells the other.
  EXPECT_TRUE(says(form("p", {{"u", 2}}), "allocate u1: float64 [length(u, 0), length(u, 1)]"));
  EXPECT_TRUE(says(form("p", {{"v", 1}}), "allocate u1: float64 [length(u, 0)]"));
  EXPECT_TRUE(says(form("p", {{"u", 0}, {"v", 0}}),
                   "E0608: p needs `0 < dim(u)`: 0 and 0, where u has 0 axes"));
}

TEST_F(Shaped, WhatTheGuardSaysGoesBeforeWhatIsGiven) {
  EXPECT_TRUE(
      says(form_of("  procedure p(upd u: Array) guard dim(u) == 1 { u = u + u; }\n", {{"u", 2}}),
           "allocate u1: float64 [length(u, 0)]"));
}

TEST_F(Shaped, OpenProceduresAreLeftOutWhereOthersAreNot) {
  ASSERT_TRUE(
      load("  procedure open(upd u: Array) { u = u + u; };\n"
           "  procedure p(upd u: Array) guard dim(u) == 1 { call open(u); }\n"));
  const auto module = shaped();
  ASSERT_TRUE(module) << messages();
  ASSERT_EQ(module->functions.size(), 1U);
  EXPECT_EQ(module->functions[0].name, "p");
  EXPECT_FALSE(shaped({"open"}));
  EXPECT_TRUE(has("E0514")) << messages();
}

TEST_F(Shaped, AnAliasCopiesNothing) {
  EXPECT_EQ(form_of("  procedure p(obs u: Array, out v: Array) guard dim(u) == 1 {\n"
                    "    var w = u; v = w;\n"
                    "  }\n"),
            "  v = share u\n");
}

TEST_F(Shaped, ShapesChangeFromLineToLine) {
  EXPECT_EQ(form_of("  procedure p(obs w: Array, out u: Array) guard dim(w) == 2 {\n"
                    "    u = sum(w, 0); u = cat(u, u, 0);\n"
                    "  }\n"),
            "  allocate u1: float64 [length(w, 1)]  # unit.mg:6\n"
            "  nest nested (i) in [0, length(w, 1)) of 32 bits where length(w, 1), length(w, 0), "
            "multiply(length(w, 0), length(w, 1)) fit \"p: u1\"  # unit.mg:6\n"
            "    let x1 = fold add (k < length(w, 0))  # unit.mg:6\n"
            "      w[k, i]  # unit.mg:6\n"
            "    u1[i] := x1\n"
            "  let n0: int64 = multiply(length(w, 1), 2)  # unit.mg:6\n"
            "  allocate u2: float64 [n0]  # unit.mg:6\n"
            "  nest nested (i) in [0, length(w, 1)) of 32 bits where n0, length(w, 1) fit \"p: u2, "
            "box 1\"  # unit.mg:6\n"
            "    u2[i] := u1[i]\n"
            "  nest nested (i) in [length(w, 1), n0) of 32 bits where n0, length(w, 1) fit \"p: "
            "u2, box 2\"  # unit.mg:6\n"
            "    u2[i] := u1[subtract(i, length(w, 1))]\n"
            "  u = share u2\n");
}

// A quotient by what is tested not to be 0 is a place like any other: two boxes, and no condition
// in their elements.
TEST_F(Shaped, QuotientsOfLengthsAreEndsOfBoxes) {
  const std::string text = form_of(
      "  procedure p(obs u: Array, obs k: Int, out r: Array) guard dim(u) == 1 {\n"
      "    r = cat(sum(lift(u, 0, k), 1), u, 0);\n"
      "  }\n");
  EXPECT_TRUE(says(text, "[0, divide(length(u, 0), k))")) << text;
  EXPECT_TRUE(says(text, "[divide(length(u, 0), k), n0)")) << text;
  EXPECT_FALSE(says(text, "minimum(")) << text;
  EXPECT_FALSE(says(text, "    if ")) << text;
}

TEST_F(Shaped, ElementsThatAreIntegersAreRealsInArrays) {
  const std::string text = form_of(
      "  procedure p(obs u: Array, out r: Array) guard dim(u) == 1 {\n"
      "    r = forall (j < [3]) (at(j, 0));\n"
      "  }\n");
  EXPECT_TRUE(says(text, "allocate r1: float64 [3]")) << text;
  EXPECT_TRUE(says(text, "r1[i] := convert(i)")) << text;
}

TEST_F(Shaped, LengthsThatTheGuardTellsAreNumbers) {
  const std::string text = form_of(
      "  procedure p(upd u: Array) guard dim(u) == 1 && 3 == at(shape(u), 0) {\n"
      "    u = cat(u, u, 0);\n"
      "  }\n");
  EXPECT_TRUE(says(text, "  check equal(3, length(u, 0)) ")) << text;
  EXPECT_TRUE(says(text, "  allocate u1: float64 [6]  # unit.mg:6\n")) << text;
}

TEST_F(Shaped, ALoopThatKeepsTheShape) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
                    "    for k in 0 .. n { u = 2 * u; };\n"
                    "    u = u + u;\n"
                    "  }\n"),
            "  array u2 = share u  # unit.mg:6\n"
            "  for k in 0 .. n  # unit.mg:6\n"
            "    allocate u1: float64 [length(u, 0)]  # unit.mg:6\n"
            "    nest nested (i) in [0, length(u, 0)) of 32 bits where length(u, 0) fits \"p: u1\" "
            " # unit.mg:6\n"
            "      u1[i] := multiply(2.0, u2[i])\n"
            "    u2 = share u1\n"
            "  allocate u3: float64 [length(u, 0)]  # unit.mg:7\n"
            "  nest nested (i) in [0, length(u, 0)) of 32 bits where length(u, 0) fits \"p: u3\"  "
            "# unit.mg:7\n"
            "    let x1: float64 = u2[i]  # unit.mg:7\n"
            "    u3[i] := add(x1, x1)\n"
            "  u = share u3\n");
}

TEST_F(Shaped, ALoopThatChangesTheShape) {
  const std::string text = form_of(
      "  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
      "    for k in 0 .. n { u = cat(u, u, 0); };\n"
      "  }\n");
  // The lengths of a round are those of what the round before has made, and nothing is left of
  // the attempt with those of before the loop.
  EXPECT_EQ(count(text, "allocate"), 1U) << text;
  EXPECT_TRUE(says(text, "multiply(length(u3, 0), 2)")) << text;
  EXPECT_FALSE(says(text, "length(u, 0)")) << text;
}

// A loop that certainly has no rounds is nothing, whatever stands in it.
TEST_F(Shaped, LoopsWithoutRounds) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array) guard shape(u) == [8] {\n"
                    "    for i in 0 .. 0 { u = u + take(u, 0, 5); };\n"
                    "    for i in 3 .. at(shape(u), 0) - 5 { u = u + take(u, 0, 5); };\n"
                    "    while at(shape(u), 0) < 5 bound 9 { u = u + take(u, 0, 5); };\n"
                    "  }\n"),
            form_of("  procedure p(upd u: Array) guard shape(u) == [8] { skip; }\n"));
}

TEST_F(Shaped, RanksDoNotChangeInLoopsAndBranches) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array) guard dim(u) == 2 {\n"
                    "    for k in 0 .. 2 { u = sum(u, 0); };\n"
                    "  }\n"),
            "unit.mg:6: E0515: u has 2 axes before a round of this loop and 1 after it\n");
  EXPECT_EQ(form_of("  procedure p(upd u: Array, obs n: Int) guard dim(u) == 3 {\n"
                    "    if 0 < n then { u = sum(u, 0); } else skip;\n"
                    "  }\n"),
            "unit.mg:6: E0515: u has 2 axes on one way and 3 on the other\n");
  // A branch that is certain is none.
  EXPECT_TRUE(says(form_of("  procedure p(obs w: Array, out u: Array) guard dim(w) == 2 {\n"
                           "    u = w; if dim(w) == 2 then { u = sum(w, 0); } else skip;\n"
                           "  }\n"),
                   "[length(w, 1)]"));
  // The caller's array keeps its rank.
  EXPECT_EQ(form_of("  procedure p(upd u: Array) guard dim(u) == 2 { u = ravel(u); }\n"),
            "unit.mg:5: E0515: u comes with 2 axes and leaves with 1\n");
  EXPECT_TRUE(says(form_of("  procedure p(upd u: Array) guard dim(u) == 2 {\n"
                           "    u = ravel(u); u = lift(u, 0, 1);\n"
                           "  }\n"),
                   "u = share"));
}

TEST_F(Shaped, ASwapInALoop) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array, upd v: Array, obs n: Int)\n"
                    "    guard dim(u) == 1 && dim(v) == 1 {\n"
                    "    for k in 0 .. n { var t = u; u = v; v = t; };\n"
                    "  }\n"),
            "  array u3 = share u  # unit.mg:7\n"
            "  array v3 = share v  # unit.mg:7\n"
            "  for k2 in 0 .. n  # unit.mg:7\n"
            "    array v32 = share v3  # unit.mg:7\n"
            "    array u32 = share u3  # unit.mg:7\n"
            "    u3 = share v32\n"
            "    v3 = share u32\n"
            "  u = share u3\n"
            "  v = share v3\n");
}

TEST_F(Shaped, ASwapOfArguments) {
  const std::string exchanged =
      "  array v2 = share v  # unit.mg:6\n"
      "  array u2 = share u  # unit.mg:6\n"
      "  u = share v2\n"
      "  v = share u2\n";
  ASSERT_TRUE(
      load("  procedure exchange(upd a: Array, upd b: Array) { var t = a; a = b; b = t; };\n"
           "  procedure p(upd u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
           "    call exchange(v, u);\n"
           "  }\n"));
  EXPECT_EQ(form("p"), exchanged);
}

TEST_F(Shaped, LoopsInLoops) {
  const std::string text = form_of(
      "  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
      "    for k in 0 .. n {\n"
      "      u = u + u;\n"
      "      for j in 0 .. k { u = cat(u, u, 0); };\n"
      "    };\n"
      "  }\n");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(count(text, "  for "), 2U) << text;
  EXPECT_EQ(count(text, "allocate"), 2U) << text;
  EXPECT_FALSE(says(text, "length(u, 0)")) << text;
}

TEST_F(Shaped, BranchesMeetInOneArray) {
  const std::string text = form_of(
      "  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
      "    if 0 < n then { u = cat(u, u, 0); } else skip;\n"
      "    u = 2 * u;\n"
      "  }\n");
  EXPECT_TRUE(says(text, "  declare u2  # unit.mg:6\n  if less(0, n)")) << text;
  EXPECT_TRUE(says(text, "    u2 = share u1  # unit.mg:6\n  else\n    u2 = share u  # unit.mg:6\n"))
      << text;
  EXPECT_TRUE(says(text, "  allocate u3: float64 [length(u2, 0)]  # unit.mg:7\n")) << text;
}

// An element of the nest shows that no length is 0, which the quotients of the fold need. Without
// one the fold is not asked for.
TEST_F(Shaped, WhatEveryElementNeedsIsComputedOnceWhereThereIsOne) {
  EXPECT_EQ(
      form_of("  procedure p(upd u: Array) guard dim(u) == 2 { u = u - sum(ravel(u), 0); }\n"),
      "  var x1: float64  # unit.mg:5\n"
      "  if and(less(0, length(u, 0)), less(0, length(u, 1)))  # unit.mg:5\n"
      "    let x2: int64 = multiply(length(u, 0), length(u, 1))  # unit.mg:5\n"
      "    let x3 = fold add (k < x2)  # unit.mg:5\n"
      "      u[modulo(divide(k, length(u, 1)), length(u, 0)), modulo(k, length(u, 1))]  # "
      "unit.mg:5\n"
      "    x1 = x3  # unit.mg:5\n"
      "  else\n"
      "    x1 = 0.0  # unit.mg:5\n"
      "  allocate u1: float64 [length(u, 0), length(u, 1)]  # unit.mg:5\n"
      "  nest nested (i, j) in [0, length(u, 0)) x [0, length(u, 1)) of 32 bits where "
      "multiply(length(u, 0), length(u, 1)) fits \"p: u1\"  # unit.mg:5\n"
      "    u1[i, j] := subtract(u[i, j], x1)\n"
      "  u = share u1\n");
}

// In a branch too, if an element shows that it cannot fail.
TEST_F(Shaped, WhatSomeElementsNeedIsComputedOnceWhereItCannotFail) {
  const std::string text = form_of(
      "  procedure p(upd u: Array) guard dim(u) == 2 {\n"
      "    u = select(u > 0, u - sum(ravel(u), 0), u);\n"
      "  }\n");
  EXPECT_LT(text.find("fold add"), text.find("nest nested")) << text;
  EXPECT_TRUE(says(text, "    u1[i, j] := if greater(x4, 0.0) then subtract(x4, x1) else x4\n"))
      << text;
  // A quotient of elements can fail: it is for the elements that ask for it.
  const std::string fallible = form_of(
      "  procedure p(upd u: Array, obs m: Int) guard dim(u) == 1 {\n"
      "    u = select(u > 0, u - sum(real(10 / integer(u)), 0), u);\n"
      "  }\n");
  EXPECT_LT(fallible.find("nest nested"), fallible.find("fold add")) << fallible;
}

TEST_F(Shaped, ConditionsThatFoldElementsAreComputedWhereTheElementsAre) {
  EXPECT_EQ(form_of("  procedure p(upd u: Array) guard dim(u) == 1 {\n"
                    "    while psi([], sum(u, 0)) < 10.0 bound 5 { u = u + u; };\n"
                    "  }\n"),
            "  array u2 = share u  # unit.mg:6\n"
            "  while x1[] bound 5  # unit.mg:6\n"
            "    let x2 = fold add (k < length(u, 0))  # unit.mg:6\n"
            "      u2[k]  # unit.mg:6\n"
            "    let x3: bool = less(x2, 10.0)  # unit.mg:6\n"
            "    allocate x1: bool []  # unit.mg:6\n"
            "    nest nested () \"p: x1\"  # unit.mg:6\n"
            "      x1[] := x3\n"
            "    allocate u1: float64 [length(u, 0)]  # unit.mg:6\n"
            "    nest nested (i) in [0, length(u, 0)) of 32 bits where length(u, 0) fits \"p: u1\" "
            " # unit.mg:6\n"
            "      let x4: float64 = u2[i]  # unit.mg:6\n"
            "      u1[i] := add(x4, x4)\n"
            "    u2 = share u1\n"
            "  u = share u2\n");
}

TEST_F(Shaped, NumbersAreReadAgainAfterLoopsAndBranches) {
  const std::string text = form_of(
      "  procedure p(obs u: Array, obs m: Int, out v: Array) guard dim(u) == 1 {\n"
      "    var n: Int = 0;\n"
      "    v = take(u, 0, n);\n"
      "    for k in 0 .. m { n = n + 1; };\n"
      "    if 3 < m then n = 1 else skip;\n"
      "    v = take(u, 0, n);\n"
      "  }\n");
  EXPECT_TRUE(says(text, "allocate v1: float64 [0]")) << text;
  EXPECT_TRUE(says(text, "check less_equal(absolute(n), length(u, 0))")) << text;
}

// The length of an array does not change with the number that it was made from.
TEST_F(Shaped, LengthsKeepTheirNumbers) {
  const std::string text = form_of(
      "  procedure p(obs u: Array, obs m: Int, out w: Array) guard dim(u) == 1 {\n"
      "    var n: Int = m;\n"
      "    for k in 0 .. 2 { n = n + 1; };\n"
      "    var v = take(u, 0, n);\n"
      "    n = 0;\n"
      "    for k in 0 .. m { v = v + v; };\n"
      "    w = v;\n"
      "  }\n");
  EXPECT_TRUE(says(
      text, "let n0: int64 = absolute(n)  # unit.mg:8\n  allocate v: float64 [n0]  # unit.mg:8\n"))
      << text;
  EXPECT_TRUE(says(text, "allocate v1: float64 [length(v, 0)]  # unit.mg:10\n")) << text;
}

TEST_F(Shaped, IndexVectorsHaveAVariablePerComponent) {
  const std::string text = form_of(
      "  procedure p(obs u: Array, out v: Array, obs n: Int) guard dim(u) == 2 {\n"
      "    var s = shape(u): Index;\n"
      "    for k in 0 .. n { s = [at(s, 1), at(s, 0)]; };\n"
      "    v = reshape(u, s);\n"
      "  }\n");
  // Both are read before one is changed.
  EXPECT_TRUE(says(text,
                   "    let s5: int64 = s2  # unit.mg:7\n    let s6: int64 = s  # unit.mg:7\n"
                   "    s = s5  # unit.mg:7\n    s2 = s6  # unit.mg:7\n"))
      << text;
  EXPECT_EQ(form_of("  procedure p(obs u: Array, out v: Array) guard dim(u) == 2 {\n"
                    "    var s = shape(u): Index;\n"
                    "    s = [1];\n"
                    "    v = reshape(u, s);\n"
                    "  }\n"),
            "unit.mg:7: E0515: s has 2 components and gets 1\n");
}

TEST_F(Shaped, BoundsAreThoseOfTheBeginning) {
  ASSERT_TRUE(
      load("  procedure step(upd u: Array, upd n: Int) { u = u + u; n = n - 1; };\n"
           "  procedure p(upd u: Array, upd n: Int) guard dim(u) == 1 {\n"
           "    for k in 0 .. n { u = u + u; n = n + 1; };\n"
           "  };\n"
           "  procedure q(upd u: Array, upd n: Int) guard dim(u) == 1 {\n"
           "    iterate n step(u, n);\n"
           "  }\n"));
  EXPECT_TRUE(says(form("p"), "  let high: int64 = n  # unit.mg:7\n")) << form("p");
  EXPECT_TRUE(says(form("p"), "  for k in 0 .. high  # unit.mg:7\n")) << form("p");
  const std::string q = form("q");
  EXPECT_TRUE(says(q, "  let count: int64 = n  # unit.mg:10\n")) << q;
  EXPECT_TRUE(says(q, "  iterate count  # unit.mg:10\n")) << q;
}

TEST_F(Shaped, ParametersOfTheRun) {
  const std::filesystem::path file = folder / "unit.mg";
  std::ofstream(file) << "package unit imports moa.library;\n"
                         "implementation Steps = external Kokkos parameters {\n"
                         "  require type Int;\n"
                         "  function steps(): Int;\n"
                         "};\n"
                         "program P = implement Expressions in {\n"
                         "  use Expressions;\n"
                         "  use Steps;\n"
                         "  procedure p(upd u: Array) guard dim(u) == 1 && 0 <= steps() {\n"
                         "    for k in 0 .. steps() { u = u + u; };\n"
                         "    u = take(u, 0, steps());\n"
                         "  }\n"
                         "};\n";
  theory = program(file.string(), "P");
  ASSERT_TRUE(theory);
  const std::string text = form("p");
  EXPECT_TRUE(says(text, "for k in 0 .. steps")) << text;
  EXPECT_TRUE(says(text, "check less_equal(steps, length(u, 0))")) << text;
  EXPECT_TRUE(
      says(text, "let n0: int64 = steps  # unit.mg:11\n  allocate u3: float64 [n0]  # unit.mg:11"))
      << text;
}

// Where an operation is what its axioms say, these read parameters too.
TEST_F(Shaped, AnEntryHasTheParametersThatItLeadsTo) {
  const std::filesystem::path file = folder / "unit.mg";
  std::ofstream(file)
      << "package unit imports moa.library;\n"
         "implementation Weights = external Kokkos parameters {\n"
         "  require type Number; function w(): Number; function z(): Number;\n"
         "};\n"
         "concept Weighted = {\n"
         "  use Expressions;\n"
         "  function w(): Number; function z(): Number;\n"
         "  function weighed(A: Array): Array;\n"
         "  axiom weighedShape(A: Array) { assert shape(weighed(A)) == shape(A); }\n"
         "  axiom weighedElement(p: Index, A: Array) {\n"
         "    assert psi(p, weighed(A)) == w() * (psi(p, A): Number);\n"
         "  }\n"
         "  function twice(A: Array): Array;\n"
         "  axiom twiceIs(A: Array) { assert twice(A) == array(z()) * weighed(A); }\n"
         "};\n"
         "program P = implement Weighted in {\n"
         "  use Weighted;\n"
         "  use Weights;\n"
         "  procedure none(upd u: Array) guard dim(u) == 1 { u = u + u; };\n"
         "  procedure one(upd u: Array) guard dim(u) == 1 { u = weighed(u); };\n"
         "  procedure both(upd u: Array) guard dim(u) == 1 { u = twice(u); };\n"
         "};\n";
  theory = program(file.string(), "P");
  ASSERT_TRUE(theory);
  const auto names = [&](const std::string& entry) {
    const auto module = shaped({entry});
    EXPECT_TRUE(module) << messages();
    std::string all;
    if (module) {
      for (const onf::Parameter& parameter : module->parameters) all += parameter.name;
    }
    return all;
  };
  EXPECT_EQ(names("none"), "");
  EXPECT_EQ(names("one"), "w");
  EXPECT_EQ(names("both"), "wz");
}

TEST_F(Shaped, AnAssertionIsKnownFromThereOn) {
  EXPECT_EQ(
      form_of("  procedure p(upd u: Array, obs n: Int) guard dim(u) == 1 {\n"
              "    assert n <= at(shape(u), 0) && 0 <= n;\n"
              "    u = take(u, 0, n);\n"
              "  }\n"),
      "  check and(less_equal(n, length(u, 0)), less_equal(0, n)) \"assertion at unit.mg:6 "
      "does not hold\"  # unit.mg:6\n"
      "  allocate u1: float64 [n]  # unit.mg:7\n"
      "  nest nested (i) in [0, n) of 32 bits where n, length(u, 0) fit \"p: u1\"  # unit.mg:7\n"
      "    u1[i] := u[i]\n"
      "  u = share u1\n");
}

TEST_F(Shaped, WhatIsCertainlyViolatedIsSaidWithItsNumbers) {
  EXPECT_EQ(
      form_of("  procedure p(upd u: Array, obs v: Array) guard dim(u) == 2 && dim(v) == 2 &&\n"
              "    at(shape(u), 1) == 3 && at(shape(v), 1) == 4 {\n"
              "    u = cat(u, v, 0);\n"
              "  }\n"),
      "unit.mg:7: E0608: cat on axis 0 needs equal lengths on axis 1: 3 and 4\n");
  EXPECT_EQ(form_of("  procedure needs(obs u: Array) guard at(shape(u), 0) == 2 { skip; };\n"
                    "  procedure p(upd u: Array) guard dim(u) == 1 && at(shape(u), 0) == 3 {\n"
                    "    call needs(u);\n"
                    "  }\n"),
            "unit.mg:7: E0608: needs needs `at(shape(u), 0) == 2`: 3 and 2\n");
  EXPECT_TRUE(says(form_of("  procedure p(upd u: Array) guard dim(u) == 1 {\n"
                           "    u = cat(u, u, 0) + drop(cat(u, u, 0), 0, 1);\n"
                           "  }\n"),
                   "unit.mg:6: E0608: _+_ needs equal lengths on axis 0: "));
}

}  // namespace
}  // namespace rhopsi
