// Copies in another order of axes for nests that go across their arrays: which nests get them,
// where they lie in blocks, and what the verifier says of such arrays that are made by hand.
#include "engine/schedule/own_layout.hpp"

#include <algorithm>
#include <functional>

#include "engine/schedule/tile_folds.hpp"
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {
namespace {

const std::string of_a = "(psi([at(p, 0), d], A) : Number)";
const std::string of_b = "(psi([j, d], B) : Number)";
const std::string arguments =
    "procedure p(obs A: Array, obs B: Array, obs x: Array, out y: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) && dim(x) == 1";
const std::string distance = "fold _+_ (d < at(shape(A), 1)) (" + of_a + " - " + of_b + ")";
const std::string nearest =
    "y = forall (p < [at(shape(A), 0)]) fold min (j < at(shape(B), 0)) (" + distance + ");";

class OwnLayout : public Shaped {
 protected:
  schedule::Recipe recipe(std::optional<std::int64_t> bound = {}) const {
    return {"r", {{schedule::StepKind::layout, bound}}, {}};
  }
  // The nests of a procedure with this body behind the step.
  std::string nests_of(const std::string& body, const std::string& head = arguments,
                       const schedule::Surroundings& around = {},
                       std::optional<std::int64_t> bound = {}) {
    if (!load("  " + head + " {\n    " + body + "\n  };\n")) return "no program";
    module = shaped({"p"});
    if (!module) return messages();
    told.clear();
    for (const schedule::Step& step : schedule::lay_out(*module, recipe(bound), around))
      told += to_string(step) + "\n";
    return nests_text(*module);
  }
  onf::Function& function() { return module->functions.back(); }
  onf::Block& block_of(const std::string& name) {
    const auto view = std::ranges::find(function().views, name, &onf::View::name);
    EXPECT_NE(view, function().views.end()) << name;
    return function().blocks[onf::number(view->block)];
  }
  std::string problems_now() const {
    std::string text;
    for (const onf::Problem& problem : onf::verify(*module))
      text += problem.code + ": " + problem.message + "\n";
    return text;
  }
  std::optional<onf::Module> module;
  std::string told;
};

TEST_F(OwnLayout, WhatIsReadAcrossAndAgainIsCopied) {
  EXPECT_EQ(nests_of(nearest),
            "A_di[d, i] := A[i, d]\n"
            "y1[i] := x1 = minimum j { x2 = add d { subtract(A_di[d, i], B[j, d]) }; x2 }; x1\n"
            "y1[i] := x1 = minimum j { x2 = add d { subtract(A[i, d], B[j, d]) }; x2 }; x1\n");
  EXPECT_EQ(told,
            "layout at p: y1: A[i, d], from row to row along i => A_di, in rows along i; it is "
            "read again for all j (strides)\n");
}

// Two reads of the same part have one copy, and columns of an array have lines.
TEST_F(OwnLayout, EachPartIsCopiedOnce) {
  EXPECT_EQ(
      nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (j < at(shape(B), 0)) "
               "((fold _+_ (d < at(shape(A), 1)) (" +
                   of_a + " * " + of_b + " - " + of_a + ")) * (psi([at(p, 0), 0], A) : Number));",
               arguments + " && at(shape(A), 1) > 0"),
      "A_di[d, i] := A[i, d]\n"
      "A_i[i] := A[i, 0]\n"
      "y1[i] := x1 = add j { x2 = add d { x3 = A_di[d, i]; "
      "subtract(multiply(x3, B[j, d]), x3) }; multiply(x2, A_i[i]) }; x1\n"
      "y1[i] := x1 = add j { x2 = add d { x3 = A[i, d]; "
      "subtract(multiply(x3, B[j, d]), x3) }; multiply(x2, A[i, 0]) }; x1\n");
}

TEST_F(OwnLayout, WhatIsReadOnceOrAlongRowsStays) {
  const std::string once =
      "y = forall (p < [at(shape(A), 0)]) fold _+_ (d < at(shape(A), 1)) (" + of_a + " * 2.0);";
  EXPECT_EQ(nests_of(once), "y1[i] := x1 = add d { multiply(A[i, d], 2.0) }; x1\n");
  EXPECT_EQ(told,
            "layout at p: y1: refused, arrays in their rows stays; what is read from row to row "
            "along i is copied to rows, but it is read again for fewer than 16 elements or steps "
            "(strides)\n");
  // For a few steps alone.
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (j < 15) (" +
                     std::string("fold _+_ (d < at(shape(A), 1)) (") + of_a + " * convert(j)));"),
            "y1[i] := x1 = add j { x2 = add d { multiply(A[i, d], convert(j)) }; x2 }; x1\n");
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 1)]) fold _+_ (j < at(shape(B), 0)) "
                     "(fold _+_ (d < at(shape(A), 0)) ((psi([d, at(p, 0)], A) : Number) - "
                     "(psi([j, 0], B) : Number)));",
                     arguments + " && at(shape(B), 1) > 0"),
            "y1[i] := x1 = add j { x2 = add d { subtract(A[d, i], B[j, 0]) }; x2 }; x1\n");
}

// All of it or nothing, where lengths are not known before.
TEST_F(OwnLayout, LengthsDecideWhereTheProgramRuns) {
  nests_of(nearest);
  const std::string text = onf::to_string(store, *module);
  EXPECT_NE(text.find("let i_across: int64 = minimum(length(A, 0), maximum(0, "
                      "multiply(minimum(subtract(length(A, 0), 15), "
                      "subtract(length(B, 0), 15)), length(A, 0))))"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(i) in [0, i_across)"), std::string::npos) << text;
  EXPECT_NE(text.find("(i) in [i_across, length(A, 0))"), std::string::npos) << text;
  // So few lanes are not worth it.
  EXPECT_EQ(count(nests_of(nearest, arguments + " && at(shape(A), 0) == 15"), "\n"), 1u);
  // What is known to be long needs no second nest.
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (j < 16) (fold _+_ "
                     "(d < at(shape(A), 1)) (" +
                         of_a + " * convert(j)));",
                     arguments + " && at(shape(A), 0) == 70"),
            "A_di[d, i] := A[i, d]\n"
            "y1[i] := x1 = add j { x2 = add d { multiply(A_di[d, i], convert(j)) }; x2 }; x1\n");
}

// A fold without a tile, since each element has as many steps as its index says, and one whose
// other load goes down where the lanes go up, are no vectors with a copy either.
TEST_F(OwnLayout, WhatHasNoLanesStays) {
  const std::string square = arguments + " && at(shape(x), 0) == at(shape(A), 0)";
  EXPECT_EQ(count(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (j < at(p, 0)) (fold _+_ "
                           "(d < at(shape(A), 1)) (" +
                               of_a + " * (psi([j, d], A) : Number)));",
                           square),
                  "\n"),
            1u);
  EXPECT_EQ(count(nests_of("y = forall (p < [at(shape(A), 0)]) fold _+_ (j < 99) (fold _+_ "
                           "(d < at(shape(A), 1)) (" +
                               of_a +
                               " * (psi([at(shape(A), 0) - 1 - at(p, 0), d], A) : Number) * "
                               "convert(j)));",
                           square),
                  "\n"),
            1u);
  EXPECT_NE(told.find("nothing is that is a part of an array, or its folds have no lanes even so"),
            std::string::npos)
      << told;
}

// Their tiles have panels.
TEST_F(OwnLayout, ProductsOfMatricesStay) {
  EXPECT_EQ(nests_of("y = forall (p < [at(shape(B), 0), at(shape(A), 0)]) fold _+_ "
                     "(d < at(shape(A), 1)) ((psi([at(p, 0), d], B) : Number) * "
                     "(psi([at(p, 1), d], A) : Number));"),
            "y1[i, j] := x1 = add d { multiply(B[i, d], A[j, d]) }; x1\n");
  EXPECT_NE(told.find("but panels are made for it"), std::string::npos) << told;
}

// A diagonal has one index on two axes; what two indices choose may be many elements of one array,
// and what is chosen by an element is anywhere.
TEST_F(OwnLayout, OnlyPartsOfWhichEachAxisHasOneIndexAreCopied) {
  const auto of = [&](const std::string& index, const std::string& guard) {
    return nests_of(
        "y = forall (p < [at(shape(x), 0)]) fold _+_ (j < at(shape(B), 0)) "
        "((psi(" +
            index + ", A) : Number) * (psi([j, 0], B) : Number));",
        arguments + " && at(shape(B), 1) > 0 && " + guard);
  };
  EXPECT_EQ(count(of("[at(p, 0), at(p, 0)]",
                     "at(shape(x), 0) <= at(shape(A), 0) && at(shape(x), 0) <= at(shape(A), 1)"),
                  "\n"),
            1u);
  EXPECT_EQ(count(of("[at(p, 0) + j, 0]",
                     "at(shape(x), 0) + at(shape(B), 0) <= at(shape(A), 0) && at(shape(A), 1) > 0"),
                  "\n"),
            1u);
  EXPECT_EQ(
      of("[at(p, 0) + 2, 1]", "at(shape(x), 0) + 2 <= at(shape(A), 0) && at(shape(A), 1) > 1"),
      "A_i[i] := A[add(i, 2), 1]\n"
      "y1[i] := x1 = add j { multiply(A_i[i], B[j, 0]) }; x1\n"
      "y1[i] := x1 = add j { multiply(A[add(i, 2), 1], B[j, 0]) }; x1\n");
}

TEST_F(OwnLayout, ShortRowsBecomeShortColumns) {
  const std::string pull =
      "y = forall (p < shape(A)) fold _+_ (j < at(shape(A), 0)) (((psi([j, at(p, 1)], A) : Number) "
      "- (psi(p, A) : Number)) * (fold _+_ (d < 3) ((psi([j, d], A) : Number) - " +
      of_a + ")));";
  EXPECT_EQ(nests_of(pull, arguments + " && at(shape(A), 1) == 3"),
            "A_di[d, i] := A[i, d]\n"
            "y1_ji[j, i] := x1 = add j1 { x2 = add d { subtract(A[j1, d], A_di[d, i]) }; "
            "multiply(subtract(A[j1, j], A_di[j, i]), x2) }; x1\n"
            "y1[i, j] := y1_ji[j, i]\n"
            "y1[i, j] := x1 = add j1 { x2 = add d { subtract(A[j1, d], A[i, d]) }; "
            "multiply(subtract(A[j1, j], A[i, j]), x2) }; x1\n");
  EXPECT_NE(told.find("layout at p: y1: y1 in rows of 3 => y1_ji, and a copy; its folds take many "
                      "steps for each element, and rows of 3 are shorter than vectors (strides)"),
            std::string::npos)
      << told;
  // What all rows have in common is computed once for them.
  const auto tiles = schedule::tile_folds(*module, schedule::standard_machine());
  EXPECT_EQ(problems_now(), "");
  EXPECT_NE(schedule::describe(tiles).find(
                "tile at p: y1_ji in p: what a row of 3 folds is the same for all of them"),
            std::string::npos)
      << schedule::describe(tiles);
  // Of rows that are not known to be short nothing is.
  EXPECT_EQ(count(nests_of(pull, arguments + " && at(shape(A), 1) >= 3"), "y1_ji"), 0u);
  // Nor where folds are short themselves.
  EXPECT_EQ(count(nests_of("y = forall (p < [at(shape(A), 0), 3]) fold _+_ (d < 4) (convert(d) * "
                           "(psi([at(p, 0), 0], A) : Number));",
                           arguments + " && at(shape(A), 1) > 0"),
                  "\n"),
            1u);
}

TEST_F(OwnLayout, NothingIsTakenWhereItIsNotWanted) {
  schedule::Surroundings around;
  around.no_layout = "nobody wants it";
  EXPECT_EQ(count(nests_of(nearest, arguments, around), "\n"), 1u);
  EXPECT_NE(told.find("refused, A[i, d], from row to row along i stays; nobody wants it (target)"),
            std::string::npos)
      << told;
  EXPECT_EQ(count(nests_of(nearest, arguments, {}, 10), "\n"), 1u);
  EXPECT_NE(told.find("`order` is that of all arrays over one domain"), std::string::npos) << told;
  // Who changes what it reads has a copy of its own already, or none.
  EXPECT_EQ(count(nests_of("A = forall (p < shape(A)) fold _+_ (j < at(shape(B), 0)) "
                           "((psi(p, A) : Number) * (psi([j, 0], B) : Number));",
                           "procedure p(upd A: Array, obs B: Array) guard dim(A) == 2 && dim(B) == "
                           "2 && at(shape(B), 1) > 0"),
                  "\n"),
            1u);
}

// --- in blocks

class InBlocks : public OwnLayout {
 protected:
  void SetUp() override {
    nests_of(nearest);
    ASSERT_TRUE(module);
    tiles = schedule::describe(schedule::tile_folds(*module, schedule::standard_machine()));
    ASSERT_EQ(problems_now(), "");
    ASSERT_EQ(block_of("A_di").in_blocks, 8);
  }
  onf::Nest& nest(const std::string& label) {
    onf::Nest* found = nullptr;
    for (onf::Statement& statement : function().body) {
      auto* one = std::get_if<onf::Nest>(&statement.form);
      if (one != nullptr && one->label == label) found = one;
    }
    EXPECT_NE(found, nullptr) << label;
    return *found;
  }
  void expect(const std::string& why) {
    EXPECT_EQ(problems_now(), "E0525: A_di lies in blocks, " + why + "\n");
  }
  std::string tiles;
};

TEST_F(InBlocks, WhatATileReadsLiesInBlocksOfItsLanes) {
  EXPECT_NE(tiles.find("the folds of neighbours go on in registers, A_di in blocks of 8"),
            std::string::npos)
      << tiles;
  EXPECT_NE(onf::to_string(store, *module)
                .find("allocate A_di: float64 [length(A, 1), i_across] in blocks of 8"),
            std::string::npos);
}

TEST_F(InBlocks, OthersAreRefused) {
  block_of("A_di").in_blocks = 48;
  expect("which are no power of two up to 4096");
  block_of("A_di").in_blocks = 8192;
  expect("which are no power of two up to 4096");
  block_of("A_di").in_blocks = 4;  // lanes are 8
  expect("of which a tile reads vectors that go from one to the next");
  block_of("A_di").in_blocks = 16;
  EXPECT_EQ(problems_now(), "");
  nest("p: A_di").padded = true;
  expect("but is named by what sees rows");
  nest("p: A_di").padded = false;
  // What is read beside the lanes begins elsewhere in a block.
  onf::Expr& read =
      std::get<onf::Fold>(std::get<onf::Fold>(nest("p: y1").body.front().form).body.front().form)
          .element.operands[0];
  ASSERT_EQ(read.kind, onf::Expr::Kind::load);
  onf::Expr one = read.operands[1], moved = read.operands[1];
  one.kind = onf::Expr::Kind::integer;
  one.integer = 0;
  moved.kind = onf::Expr::Kind::apply;
  moved.function = onf::ScalarFunction::add;
  moved.operands = {read.operands[1], one};
  read.operands[1] = moved;
  expect("of which a tile reads vectors that go from one to the next");
}

TEST_F(InBlocks, NothingElseKnowsOfThem) {
  const auto found = std::ranges::find(function().views, "A_di", &onf::View::name);
  const auto view = static_cast<onf::ViewId>(found - function().views.begin());
  const auto result = std::ranges::find(function().views, "y1", &onf::View::name);
  onf::Statement share{
      onf::Share{static_cast<onf::ViewId>(result - function().views.begin()), view}, {}};
  function().body.push_back(share);
  EXPECT_NE(problems_now().find("A_di lies in blocks, but is named by what sees rows"),
            std::string::npos)
      << problems_now();
  function().body.pop_back();
  block_of("A").in_blocks = 64;
  EXPECT_NE(problems_now().find("A lies in blocks, but others than the function know it"),
            std::string::npos)
      << problems_now();
  block_of("A").in_blocks = 0;
  block_of("y1").in_blocks = 64;
  EXPECT_NE(problems_now().find("y1 lies in blocks, but has no two axes of its own"),
            std::string::npos)
      << problems_now();
}

}  // namespace
}  // namespace rhopsi
