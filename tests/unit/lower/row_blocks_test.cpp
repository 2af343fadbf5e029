// Sweeps that go through their rows by turns: which may, and what the verifier refuses.
#include "engine/onf/row_blocks.hpp"

#include "tests/unit/lower/own_schedule.hpp"

namespace rhopsi {
namespace {

const std::vector<schedule::RecipeStep> turns = {{StepKind::in_place}, {StepKind::pipeline}};

const std::string centred =
    "  procedure p(upd x: Array) guard dim(x) == 2 {\n"
    "    var m = sum(x, 1);\n"
    "    var d: Array = forall (p < shape(x)) (psi(p, x) - psi(take(p, 1), m));\n"
    "    var v = sum(d * d, 1);\n"
    "    x = forall (p < shape(x)) (psi(p, d) * psi(take(p, 1), v) - psi(take(p, 1), m));\n"
    "  }\n";

// The nests of the module's function, each with "by turns" where it goes with the one before.
std::string turns_of(const std::string& text) {
  std::string found;
  for (std::size_t at = text.find("nest nested"); at != std::string::npos;
       at = text.find("nest nested", at + 1))
    found += text.compare(at + 11, 9, " by turns") == 0 ? "-" : "|";
  return found;
}

class RowBlocks : public OwnSchedule {
 protected:
  std::string turns_in(const std::string& operations) {
    return turns_of(text_of(scheduled(operations, turns)));
  }
};

TEST_F(RowBlocks, WhatIsReadRowByRowGoesByTurns) {
  const onf::Module module = scheduled(centred, turns);
  const std::string text = text_of(module);
  EXPECT_EQ(turns_of(text), "|---") << text;
  // Nothing is allocated meanwhile, so the argument may be overwritten.
  EXPECT_LT(text.find("allocate v"), text.find("nest nested")) << text;
  EXPECT_TRUE(says(text, "in place of x")) << text;
  EXPECT_TRUE(says(steps(),
                   "pipeline at p: m: m, d, v, x4: all rows of each => some rows of each by turns; "
                   "each reads the others' rows at its own index alone"))
      << steps();
}

TEST_F(RowBlocks, OtherRowsKeepSweepsApart) {
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && shape(a) == [4, 4] {\n"
                     "    c = 2.0 * a; d = transpose(c) + c; }\n"),
            "||");
  EXPECT_TRUE(says(steps(), "; other rows of c1 are read for d1")) << steps();
  // A matrix that every row needs is gone through once for all of them.
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, obs b: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && shape(a) == [4, 4] && shape(b) == [4, 4] {\n"
                     "    c = a * 2.0; d = matmul(c, b); }\n"),
            "||");
  EXPECT_TRUE(says(steps(), "; other rows of b are read for d1")) << steps();
  // Of a vector whose elements all rows need none is made meanwhile.
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && shape(a) == [4, 4] {\n"
                     "    c = sum(a, 1);\n"
                     "    d = forall (p < shape(a)) (psi(p, a) * psi(drop(p, 1), c)); }\n"),
            "||");
  EXPECT_TRUE(says(steps(), "; other rows of c1 are read for d1")) << steps();
}

TEST_F(RowBlocks, VectorsThatAreThereMayBeReadWhole) {
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, obs w: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && shape(a) == [4, 5] && shape(w) == [5] {\n"
                     "    c = sum(a, 1);\n"
                     "    d = forall (p < shape(a))\n"
                     "      (psi(p, a) * psi(drop(p, 1), w) + psi(take(p, 1), c)); }\n"),
            "|-");
}

TEST_F(RowBlocks, WhatHasNothingInCommonStaysApart) {
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, obs b: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && dim(b) == 2 && shape(a) == shape(b) {\n"
                     "    c = sum(a, 1); d = sum(b, 1); }\n"),
            "||");
  EXPECT_EQ(steps().find("pipeline"), std::string::npos) << steps();
}

TEST_F(RowBlocks, OtherNumbersOfRowsStayApart) {
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 2 && 2 <= at(shape(a), 0) {\n"
                     "    c = 2.0 * a; d = take(c, 0, 2); }\n"),
            "||");
  EXPECT_TRUE(says(steps(), "; their rows are not known to be the same")) << steps();
}

TEST_F(RowBlocks, WhatMayBeAnErrorIsFoundInItsOrder) {
  EXPECT_EQ(turns_in("  procedure p(obs a: Array, obs k: Array, out c: Array, out d: Array)\n"
                     "    guard dim(a) == 1 && shape(k) == shape(a) {\n"
                     "    c = 2 * a;\n"
                     "    d = forall (p < shape(a)) (psi(p, c) + convert(1 / at(p, 0))); }\n"),
            "||");
  EXPECT_TRUE(says(steps(), "; an element of d1 may be an error")) << steps();
}

// `d` has a box for each end of the last axis.
TEST_F(RowBlocks, ArraysOfSeveralBoxesStayApart) {
  const onf::Module module = scheduled(
      "  procedure p(obs a: Array, out c: Array, out d: Array)\n"
      "    guard dim(a) == 2 && 2 <= at(shape(a), 1) {\n"
      "    c = 2.0 * a; d = rotate(c, 1, 1) + c; }\n",
      {{StepKind::bind}, {StepKind::pipeline}});
  EXPECT_TRUE(says(text_of(module), "nest nested joined")) << text_of(module);
  EXPECT_EQ(turns_of(text_of(module)).find('-'), std::string::npos) << text_of(module);
}

// They lie in memory that all threads ask for.
TEST_F(RowBlocks, WhatIsComputedFromPanelsStaysApart) {
  onf::Module module = scheduled(centred, turns);
  std::vector<onf::Nest*> nests;
  onf::each_nest(body(module),
                 [&](onf::Nest& nest, const onf::Pipeline*) { nests.push_back(&nest); });
  nests[2]->tile = onf::Tile{};
  nests[2]->tile->packs = true;
  const std::vector<const onf::Nest*> all(nests.begin(), nests.end());
  const auto obstacle = onf::row_block_obstacle(module.functions[0], all);
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->what, "the panels of v are shared");
}

// How many rows there are at a time follows from the threads and the caches, and values must not.
TEST_F(RowBlocks, FoldsThatAreRegroupedAsThereAreRowsStayApart) {
  onf::Module module = scheduled(centred, turns);
  std::vector<onf::Nest*> nests;
  onf::each_nest(body(module),
                 [&](onf::Nest& nest, const onf::Pipeline*) { nests.push_back(&nest); });
  const std::vector<const onf::Nest*> all(nests.begin(), nests.end());
  nests[2]->tile = onf::Tile{};
  nests[2]->tile->regrouping = onf::Regrouping{};
  EXPECT_FALSE(onf::row_block_obstacle(module.functions[0], all));
  nests[2]->tile->regrouping->few = true;
  const auto obstacle = onf::row_block_obstacle(module.functions[0], all);
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->what, "v is folded in blocks where it has few elements");
  EXPECT_EQ(
      turns_in("  procedure p(upd x: Array) guard dim(x) == 2 {\n"
               "    var m: Array = forall (p < take(shape(x), 1))\n"
               "      (fold _+_ (k < min(at(p, 0), at(shape(x), 1))) psi([at(p, 0), k], x));\n"
               "    x = forall (p < shape(x)) (psi(p, x) - psi(take(p, 1), m)); }\n"),
      "||");
  EXPECT_TRUE(says(steps(), "; how long the folds of m are may depend on the row")) << steps();
}

TEST_F(RowBlocks, AreForHosts) {
  around.device = true;
  EXPECT_EQ(turns_in(centred), "||||");
  EXPECT_TRUE(says(steps(), "a device computes all at once")) << steps();
}

TEST_F(RowBlocks, TheVerifierRefusesOthers) {
  const onf::Module right = scheduled(centred, turns);
  onf::Module first = right;
  first_nest(first).row_blocks = true;
  EXPECT_TRUE(codes(first).contains("E0525"));
  // d[i, j] = x[i, j] - m[j]
  onf::Module across = right;
  std::vector<onf::Nest*> nests;
  onf::each_nest(body(across),
                 [&](onf::Nest& nest, const onf::Pipeline*) { nests.push_back(&nest); });
  ASSERT_EQ(nests.size(), 4u);
  onf::Expr& load = nests[1]->element.operands[1];
  ASSERT_EQ(load.kind, onf::Expr::Kind::load);
  load.operands[0].variable = nests[1]->indices[1];
  EXPECT_TRUE(codes(across).contains("E0525"));
  // The rows of another nest begin elsewhere.
  onf::Module later = right;
  nests.clear();
  onf::each_nest(body(later),
                 [&](onf::Nest& nest, const onf::Pipeline*) { nests.push_back(&nest); });
  nests[3]->box->front().low.integer = 1;
  EXPECT_TRUE(codes(later).contains("E0525"));
}

}  // namespace
}  // namespace rhopsi
