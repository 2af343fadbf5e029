// Folds beside each other in the elements of a nest: what becomes of them, and what stays.
#include "engine/onf/nests.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

// Folds of the rows of A.
const std::string row = "(psi([at(p, 0), k], A) : Number)";
const std::string along = "(k < at(shape(A), 1)) ";
const std::string sum_along_row = "(fold _+_ " + along + row + ")";
const std::string squares_of_row = "(fold _+_ " + along + row + " * " + row + ")";
const std::string result_like_a = "out y: Array) guard dim(A) == 2";
const std::string greatest_of_row = "(fold max " + along + row + ")";

class SeparateFolds : public Shaped {
 protected:
  // The nests of a procedure with this body, one a line, those with a tile marked; behind what the
  // verifier finds.
  std::string nests_of(const std::string& body, const std::string& arguments = result_like_a,
                       const std::string& before = "") {
    if (!load(before + "  procedure p(obs A: Array, " + arguments + " &&\n" +
              "    0 < at(shape(A), 1) {\n    " + body + "\n  };\n")) {
      return "no program";
    }
    module = shaped({"p"});
    if (!module) return messages();
    told = schedule::describe(schedule::tile_folds(*module, schedule::standard_machine()));
    return remarks() + nests();
  }
  // The same of an array of one axis, which has an element for each row.
  std::string rows(const std::string& element, const std::string& arguments = result_like_a,
                   const std::string& before = "") {
    return nests_of("y = forall (p < [at(shape(A), 0)]) " + element + ";", arguments, before);
  }
  std::string remarks() const {
    std::string said;
    for (const onf::Problem& problem : onf::verify(*module)) {
      said += problem.code + ": " + problem.message + "\n";
    }
    return said;
  }
  std::string nests() const {
    std::string text;
    for (const onf::Function& function : module->functions) {
      onf::each_nest(function.body, [&](const onf::Nest& nest, const onf::Pipeline*) {
        text += nest.tile ? "tile " : "none ";
        text += text_of(*module, function, nest.body);
        text += function.views[onf::number(nest.target)].name + " := ";
        text += onf::to_string(*module, function, nest.element) + "\n";
      });
    }
    return text;
  }
  std::optional<onf::Module> module;
  std::string told;
};

TEST_F(SeparateFolds, TheLastOneStaysWhereItIs) {
  EXPECT_EQ(rows("2 * " + sum_along_row + " + " + greatest_of_row),
            "tile x1 = add k { A[i, k] }; y1_1 := x1\n"
            "tile x2 = maximum k1 { A[i, k1] }; y1 := add(multiply(2.0, y1_1[i]), x2)\n");
  EXPECT_NE(told.find("tile at p: y1_1 in p: folds along rows"), std::string::npos) << told;
  EXPECT_NE(told.find("tile at p: y1 in p: folds along rows"), std::string::npos) << told;
  EXPECT_EQ(rows(sum_along_row + " + " + greatest_of_row + " * " + squares_of_row),
            "tile x1 = add k { A[i, k] }; y1_1 := x1\n"
            "tile x2 = maximum k1 { A[i, k1] }; y1_2 := x2\n"
            "tile x3 = add k2 { x4 = A[i, k2]; multiply(x4, x4) }; "
            "y1 := add(y1_1[i], multiply(y1_2[i], x3))\n");
}

TEST_F(SeparateFolds, ArraysAreAsLongAsTheTarget) {
  ASSERT_EQ(count(rows(sum_along_row + " + " + greatest_of_row), "tile"), 2u);
  const onf::Function& p = module->functions.back();
  const auto block = [&](const std::string& name) -> const onf::Block& {
    const auto view = std::ranges::find(p.views, name, &onf::View::name);
    EXPECT_TRUE(view != p.views.end() && (name == "y1" || view->temporary)) << name;
    return p.blocks[onf::number(view->block)];
  };
  const onf::Expr& extent = (*block("y1_1").extents)[0];
  EXPECT_EQ(onf::to_string(*module, p, extent), "length(A, 0)");
  EXPECT_EQ(block("y1_1").extents->size(), block("y1").extents->size());
  std::vector<const onf::Nest*> all;
  onf::each_nest(p.body,
                 [&](const onf::Nest& nest, const onf::Pipeline*) { all.push_back(&nest); });
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]->width.narrow, all[1]->width.narrow);
  EXPECT_NE(all[0]->indices, all[1]->indices);
}

// Products over panels go in blocks only where the element is the fold itself, so that the last
// fold has an array too.
TEST_F(SeparateFolds, TheLastOneGoesWhereItsTileIsAnother) {
  const auto fold = [](const std::string& function, const std::string& operation) {
    return "(fold " + function + " (k < at(shape(A), 1)) (psi([at(p, 0), k], A) : Number " +
           operation + " psi([k, at(p, 1)], B) : Number))";
  };
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0), at(shape(B), 1)]) " + fold("_+_", "*") +
                         " * " + fold("max", "-") + ";",
                     "obs B: Array, out y: Array) guard dim(A) == 2 && dim(B) == 2 && "
                     "at(shape(B), 0) == at(shape(A), 1)"),
            "tile x1 = add k { multiply(A[i, k], B[k, j]) }; y1_1 := x1\n"
            "tile x2 = maximum k1 { subtract(A[i, k1], B[k1, j]) }; y1_2 := x2\n"
            "none y1 := multiply(y1_1[i, j], y1_2[i, j])\n");
}

TEST_F(SeparateFolds, SameFoldsAreOne) {
  EXPECT_EQ(rows(squares_of_row + " - " + sum_along_row + " * " + sum_along_row),
            "tile x1 = add k { x2 = A[i, k]; multiply(x2, x2) }; y1_1 := x1\n"
            "tile x3 = add k1 { A[i, k1] }; y1 := subtract(y1_1[i], multiply(x3, x3))\n");
  // One is left, and no array is needed.
  EXPECT_EQ(rows(sum_along_row + " * " + sum_along_row),
            "tile x1 = add k { A[i, k] }; y1 := multiply(x1, x1)\n");
}

const std::string functions =
    "  function mean(A: Array, i: Int): Number\n"
    "    guard dim(A) == 2 && 0 < at(shape(A), 1) && 0 <= i && i < at(shape(A), 0) =\n"
    "    (fold _+_ (l < at(shape(A), 1)) (psi([i, l], A) : Number)) / convert(at(shape(A), 1));\n"
    "  function greatest(A: Array, i: Int): Number\n"
    "    guard dim(A) == 2 && 0 < at(shape(A), 1) && 0 <= i && i < at(shape(A), 0) =\n"
    "    fold max (l < at(shape(A), 1)) (psi([i, l], A) : Number);\n"
    "  function square(x: Number): Number = x * x;\n";

// The quotient is computed once for each element, as it was.
TEST_F(SeparateFolds, FoldsOfFoldsReadTheirArrays) {
  EXPECT_EQ(rows("fold _+_ " + along + "square(" + row + " - mean(A, at(p, 0)))", result_like_a,
                 functions),
            "tile x2 = add l { A[i, l] }; y1_1 := divide(x2, convert(length(A, 1)))\n"
            "tile x3 = add k { x4 = subtract(A[i, k], y1_1[i]); multiply(x4, x4) }; y1 := x3\n");
  EXPECT_EQ(rows("fold _+_ " + along + "exp(" + row + " - greatest(A, at(p, 0)))", result_like_a,
                 functions),
            "tile x2 = maximum l { A[i, l] }; y1_1 := x2\n"
            "tile x1 = y1_1[i]; x3 = add k { exp(subtract(A[i, k], x1)) }; y1 := x3\n");
  // Where the element needs the sum besides, it has an array of its own.
  EXPECT_EQ(rows(sum_along_row + " * fold _+_ " + along + "square(" + row + " - mean(A, at(p, 0)))",
                 result_like_a, functions),
            "tile x1 = add k { A[i, k] }; y1_1 := x1\n"
            "none y1_2 := divide(y1_1[i], convert(length(A, 1)))\n"
            "tile x4 = add k1 { x5 = subtract(A[i, k1], y1_2[i]); multiply(x5, x5) }; "
            "y1 := multiply(y1_1[i], x4)\n");
}

TEST_F(SeparateFolds, WhatSomeElementsReadAloneStays) {
  EXPECT_EQ(rows("fold _+_ " + along + "(if 3 < k then " + row + " else mean(A, at(p, 0)))",
                 result_like_a, functions),
            "none ...; x3 = add k { if less(k, 4) then x1 else A[i, k] }; y1 := x3\n");
  EXPECT_EQ(rows("if at(p, 0) % 2 == 0 then " + sum_along_row + " else " + greatest_of_row),
            "none x3; ...; y1 := x3\n");
}

// A fold of few steps costs less than its array.
TEST_F(SeparateFolds, FewStepsStay) {
  const auto few = [](const std::string& function, int steps) {
    return "(fold " + function + " (k < " + std::to_string(steps) +
           ") (convert(k) * psi([at(p, 0), 0], A) : Number))";
  };
  EXPECT_EQ(rows(few("_+_", 7) + " + " + few("max", 7)),
            "none x1 = add k { multiply(convert(k), A[i, 0]) }; "
            "x2 = maximum k1 { multiply(convert(k1), A[i, 0]) }; y1 := add(x1, x2)\n");
  EXPECT_EQ(rows(few("_+_", 7) + " + " + few("max", 8)),
            "tile x2 = maximum k1 { multiply(convert(k1), A[i, 0]) }; y1_1 := x2\n"
            "tile x1 = add k { multiply(convert(k), A[i, 0]) }; y1 := add(x1, y1_1[i])\n");
}

TEST_F(SeparateFolds, WhatIsInPlaceIsWrittenBehindThem) {
  EXPECT_EQ(nests_of("y = forall (p < shape(y)) psi(p, y) : Number * " + sum_along_row + " + " +
                         greatest_of_row + ";",
                     "upd y: Array) guard dim(A) == 2 && shape(y) == [at(shape(A), 0)]"),
            "tile x1 = add k { A[i, k] }; y1_1 := x1\n"
            "tile x2 = maximum k1 { A[i, k1] }; y1 := add(multiply(y[i], y1_1[i]), x2)\n");
}

// Of lengths that differ, and with a test that may be an error.
TEST_F(SeparateFolds, WhatHasNoTileStays) {
  EXPECT_EQ(rows("(fold _+_ (k < at(p, 0)) (convert(k) * psi([at(p, 0), 0], A) : Number)) + " +
                 sum_along_row),
            "tile x2 = add k1 { A[i, k1] }; y1_1 := x2\n"
            "none x1 = add k { multiply(convert(k), A[i, 0]) }; y1 := add(x1, y1_1[i])\n");
  const std::string checked =
      rows("(fold _+_ " + along + "convert(1000 / (at(p, 0) - k))) + " + sum_along_row);
  EXPECT_EQ(count(checked, "none "), 1u) << checked;
  EXPECT_EQ(count(checked, "tile "), 0u) << checked;
}

}  // namespace
}  // namespace rhopsi
