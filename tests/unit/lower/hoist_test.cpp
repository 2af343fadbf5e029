// What elements of a nest have in common: what becomes of it, and what stays.
#include "engine/schedule/hoist.hpp"

#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

const std::string of_row = "(psi([at(p, 0), k], A) : Number)";
const std::string sum_of_row = "(fold _+_ (k < at(shape(A), 1)) " + of_row + ")";
const std::string own = "psi(p, A) : Number";
const std::string result = "out y: Array) guard dim(A) == 2";

class Hoist : public Shaped {
 protected:
  // The nests of a procedure with this body, one a line, in front of them what the verifier finds.
  std::string nests_of(const std::string& body, const std::string& arguments = result,
                       const std::string& before = "") {
    if (!load(before + "  procedure p(obs A: Array, " + arguments + " {\n    " + body + "\n  };\n"))
      return "no program";
    module = shaped({"p"});
    if (!module) return messages();
    told.clear();
    for (const schedule::Step& step : schedule::hoist(*module)) told += to_string(step) + "\n";
    return nests_text(*module);
  }
  std::string element(const std::string& text, const std::string& arguments = result,
                      const std::string& before = "") {
    return nests_of("y = forall (p < shape(A)) " + text + ";", arguments, before);
  }
  std::optional<onf::Module> module;
  std::string told;
};

TEST_F(Hoist, AFoldHasAnArrayOverWhatItDependsOn) {
  EXPECT_EQ(element(own + " / " + sum_of_row),
            "y1_i[i] := x1 = add k { A[i, k] }; x1\n"
            "y1[i, j] := x1 = y1_i[i]; divide(A[i, j], x1)\n");
  EXPECT_EQ(told,
            "hoist at p: y1: the fold x1 for each j => an array over i; "
            "it is the same for all j (form)\n");
  EXPECT_EQ(element(own + " - " + sum_of_row +
                    " - (fold _+_ (k < at(shape(A), 0)) (psi([k, at(p, 1)], A) : Number))"),
            "y1_i[i] := x1 = add k { A[i, k] }; x1\n"
            "y1_j[j] := x2 = add k1 { A[k1, j] }; x2\n"
            "y1[i, j] := x1 = y1_i[i]; x2 = y1_j[j]; "
            "subtract(subtract(A[i, j], x1), x2)\n");
}

TEST_F(Hoist, ItsArrayIsAsLongAsTheLoops) {
  ASSERT_EQ(count(element(own + " / " + sum_of_row), "\n"), 2u);
  const onf::Function& p = module->functions.back();
  const auto view = std::ranges::find(p.views, "y1_i", &onf::View::name);
  ASSERT_NE(view, p.views.end());
  const auto& extents = p.blocks[onf::number(view->block)].extents;
  ASSERT_TRUE(view->temporary && extents && extents->size() == 1);
  EXPECT_EQ(onf::to_string(*module, p, extents->front()), "length(A, 0)");
}

TEST_F(Hoist, FoldsWithinFoldsDependOnTheirSteps) {
  const std::string two =
      "obs B: Array, obs x: Array, out y: Array) guard dim(A) == 2 && dim(B) == 2 && "
      "dim(x) == 1 && at(shape(A), 1) == at(shape(B), 0) && at(shape(B), 1) == at(shape(x), 0)";
  EXPECT_EQ(
      nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (k < at(shape(A), 1)) (" + of_row +
                   " * (fold _+_ (l < at(shape(x), 0)) (psi([k, l], B) : Number * "
                   "psi([l], x) : Number)));",
               two),
      "y1_k[k] := x2 = add l { multiply(B[k, l], x[l]) }; x2\n"
      "y1[i] := x1 = add k { x2 = y1_k[k]; multiply(A[i, k], x2) }; x1\n");
}

// The greatest element of a row, and with it a sum: each reads the one before.
TEST_F(Hoist, OneAfterTheOther) {
  const std::string functions =
      "  function greatest(A: Array, i: Int): Number\n"
      "    guard dim(A) == 2 && 0 < at(shape(A), 1) && 0 <= i && i < at(shape(A), 0) =\n"
      "    fold max (l < at(shape(A), 1)) (psi([i, l], A) : Number);\n"
      "  function total(A: Array, i: Int): Number\n"
      "    guard dim(A) == 2 && 0 < at(shape(A), 1) && 0 <= i && i < at(shape(A), 0) =\n"
      "    fold _+_ (l < at(shape(A), 1)) exp(psi([i, l], A) : Number - greatest(A, i));\n";
  EXPECT_EQ(element("exp(" + own + " - greatest(A, at(p, 0))) / total(A, at(p, 0))",
                    result + " && 0 < at(shape(A), 1)", functions),
            "y1_i[i] := x1 = maximum l { A[i, l] }; x1\n"
            "y1_i_2[i] := x1 = y1_i[i]; "
            "x3 = add l2 { exp(subtract(A[i, l2], x1)) }; x3\n"
            "y1[i, j] := x1 = y1_i[i]; x3 = y1_i_2[i]; "
            "divide(exp(subtract(A[i, j], x1)), x3)\n");
}

TEST_F(Hoist, FunctionsOfStepsAndOfColumns) {
  const std::string other =
      "obs x: Array, obs z: Array, out y: Array) guard dim(A) == 2 && "
      "shape(x) == [at(shape(A), 0)] && shape(z) == [at(shape(A), 1)]";
  // That of x is in front of the loop along rows.
  EXPECT_EQ(element("sin(psi([at(p, 0)], x) : Number) * exp(psi([at(p, 1)], z) : Number)", other),
            "y1_j[j] := exp(z[j])\n"
            "y1[i, j] := multiply(sin(x[i]), y1_j[j])\n");
  EXPECT_EQ(told,
            "hoist at p: y1: `exp(z[j])` for each i => an array over j; "
            "it is the same for all i (form)\n");
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (k < at(shape(A), 1)) (" +
                         of_row + " * exp(psi([k], z) : Number));",
                     other),
            "y1_k[k] := exp(z[k])\n"
            "y1[i] := x1 = add k { multiply(A[i, k], y1_k[k]) }; x1\n");
  // Weights of a few places, of no array.
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (k < 9) "
                     "(psi([at(p, 0)], x) : Number * exp(convert(k)));",
                     other),
            "y1_k[k] := exp(convert(k))\n"
            "y1[i] := x1 = add k { multiply(x[i], y1_k[k]) }; x1\n");
}

// Operands of products, which tiles have in panels.
TEST_F(Hoist, WhatATileComputesOnceStays) {
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0), at(shape(B), 1)]) "
                     "fold _+_ (k < at(shape(A), 1)) "
                     "(exp" +
                         of_row + " * psi([k, at(p, 1)], B) : Number);",
                     "obs B: Array, out y: Array) guard dim(A) == 2 && dim(B) == 2 && "
                     "at(shape(A), 1) == at(shape(B), 0)"),
            "y1[i, j] := x1 = add k { multiply(exp(A[i, k]), B[k, j]) }; x1\n");
  EXPECT_EQ(told, "");
}

TEST_F(Hoist, FewStepsAreTakenAgain) {
  EXPECT_EQ(element(own + " * (fold _+_ (k < 7) (convert(k) + psi([at(p, 0), 0], A) : Number))",
                    result + " && 0 < at(shape(A), 1)"),
            "y1[i, j] := x1 = add k { add(convert(k), A[i, 0]) }; multiply(A[i, j], x1)\n");
}

TEST_F(Hoist, NoArrayIsLargerThanAllThatThereAre) {
  const std::string text = nests_of(
      "y = forall (p < [at(shape(A), 0), at(shape(C), 1)]) fold _+_ (k < at(shape(A), 1)) (" +
          of_row +
          " * (fold _+_ (l < at(shape(C), 0)) (psi([k, l], B) : Number * "
          "psi([l, at(p, 1)], C) : Number)));",
      "obs B: Array, obs C: Array, out y: Array) guard dim(A) == 2 && dim(B) == 2 && "
      "dim(C) == 2 && at(shape(A), 1) == at(shape(B), 0) && at(shape(B), 1) == at(shape(C), 0)");
  EXPECT_EQ(count(text, "\n"), 1u) << text;
  EXPECT_EQ(told,
            "hoist at p: y1: refused, the fold x2 for each i stays; it is the same for all i, but "
            "an array over j, k may be larger than all that there are (form)\n");
}

TEST_F(Hoist, WhatMayFailStays) {
  EXPECT_EQ(
      count(element(own + " * convert(fold _+_ (k < at(shape(A), 1)) (100 / (k - at(p, 0))))"),
            "\n"),
      1u);
  EXPECT_TRUE(told.empty() || says(told, "refused")) << told;
}

// What only some elements read is computed for these.
TEST_F(Hoist, WhatSomeElementsReadAloneStays) {
  EXPECT_EQ(count(element("if at(p, 1) % 2 == 0 then " + sum_of_row + " else " + own), "\n"), 1u);
  EXPECT_EQ(told, "");
  EXPECT_EQ(
      count(element("if at(p, 0) < at(p, 1) then exp(psi([0, at(p, 1)], A) : Number) else " + own),
            "\n"),
      1u);
  EXPECT_EQ(told, "");
}

// How many steps there are depends on an index that the value has, too.
TEST_F(Hoist, FoldsOfSeveralLengths) {
  EXPECT_EQ(element(own + " - (fold _+_ (k < at(p, 0)) (psi([k, 0], A) : Number))",
                    result + " && 0 < at(shape(A), 1)"),
            "y1_i[i] := x1 = add k { A[k, 0] }; x1\n"
            "y1[i, j] := x1 = y1_i[i]; subtract(A[i, j], x1)\n");
}

}  // namespace
}  // namespace rhopsi
