// Sweeps of a tile row by row, by turns: where they are, that results stay, wrong ones.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/tiles_by_hand.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

Recipe of_one_step() {
  Recipe recipe = standard_recipe();
  std::erase_if(recipe.steps, [](const RecipeStep& step) { return step.kind == StepKind::repeat; });
  return recipe;
}

Recipe with_rows(std::int64_t at_once) {
  Recipe recipe = standard_recipe();
  recipe.steps.push_back({StepKind::unroll, at_once});
  return recipe;
}

struct TwoByTurns {
  Offsets first, second;
  bool by_turns;
};

const std::vector<TwoByTurns> programs_of_two = {
    // Differences over faces, which are read at the point and in front of it.
    {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, true},
    {{{0, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, -1}}, true},
    {{{0, 3, -1}}, {{0, -2, 1}, {-2, 1, 0}, {-1, 3, 3}}, true},
    // A row that is not done,
    {{{0, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 1, 0}}, false},
    // or is overwritten.
    {{{0, 0, 0}, {0, -1, 0}}, {{0, 0, 0}, {0, 0, 1}}, false},
    // Planes apart.
    {{{0, 0, 0}, {-1, 0, 0}}, {{0, 0, 0}, {0, 0, 1}}, false},
};

TEST(Turns, AreOfWhatIsDoneAndNotOverwritten) {
  for (const TwoByTurns& program : programs_of_two) {
    onf::Module module = two_in_one(program.first, program.second);
    const Outcome outcome = apply(module, of_one_step());
    ASSERT_EQ(codes_of(module), std::vector<std::string>{});
    const onf::Pipeline& made = only_pipeline_of(module);
    ASSERT_EQ(made.stages.size(), 2u);
    EXPECT_FALSE(made.stages[0].by_turns);
    EXPECT_EQ(made.stages[1].by_turns, program.by_turns);
    const auto told = std::ranges::count_if(outcome.steps, [](const Step& step) {
      return step.name == "tile" && step.after == "by turns with it, row by row";
    });
    EXPECT_EQ(told, program.by_turns ? 1 : 0);
    term::Store store;
    EXPECT_EQ(
        onf::to_string(store, module).find("row by row with the stage before") != std::string::npos,
        program.by_turns);
  }
}

TEST(Turns, ComputeTheSameOverSidesOfAnyLength) {
  for (const std::int64_t pad : {0, 3}) {
    for (const TwoByTurns& program : programs_of_two) {
      const onf::Module before = two_in_one(program.first, program.second, pad);
      onf::Module after = before;
      apply(after);
      for (const std::int64_t n : {1, 2, 3, 5, 8, 19}) {
        for (unsigned seed = 0; seed < 6; ++seed) {
          const std::vector<std::int64_t> shape{1 + seed, n, 3};
          const Elements u = numbers(std::size_t(shape[0] * n * 3), seed);
          ASSERT_TRUE(equal_bits(FormRun(before, shape, 0).run({u})[0],
                                 FormRun(after, shape, seed).run({u})[0]))
              << "rows " << n << ", seed " << seed;
        }
      }
    }
  }
}

// What a recipe says of rows holds. Else two at once are worth less than turns.
TEST(Turns, AreOfOneRowAtATime) {
  const TwoByTurns& program = programs_of_two[0];
  onf::Module asked = two_in_one(program.first, program.second);
  apply(asked, with_rows(2));
  EXPECT_EQ(codes_of(asked), std::vector<std::string>{});
  EXPECT_EQ(only_pipeline_of(asked).stages[0].nest.rows_at_once, 2);
  EXPECT_FALSE(only_pipeline_of(asked).stages[1].by_turns);

  Recipe recipe = standard_recipe();
  recipe.steps.push_back({StepKind::unroll});
  onf::Module found = two_in_one(program.first, program.second);
  apply(found, recipe);
  EXPECT_EQ(only_pipeline_of(found).stages[0].nest.rows_at_once, 1);
  EXPECT_TRUE(only_pipeline_of(found).stages[1].by_turns);
}

// A sweep that does four takes no turns, so another one has its two.
TEST(Turns, AreNotWaitedForWhereTheOtherSweepHasMoreRows) {
  Offsets second;
  for (std::int64_t plane = -1; plane <= 0; ++plane) {
    for (std::int64_t row = -2; row <= 0; ++row) {
      for (std::int64_t k = -1; k <= 1; ++k) second.push_back({plane, row, k});
    }
  }
  Recipe recipe = of_one_step();
  recipe.steps.push_back({StepKind::unroll});
  onf::Module module = two_in_one({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, second);
  apply(module, recipe);
  ASSERT_EQ(codes_of(module), std::vector<std::string>{});
  const onf::Pipeline& made = only_pipeline_of(module);
  EXPECT_EQ(made.stages[0].nest.rows_at_once, 2);
  EXPECT_EQ(made.stages[1].nest.rows_at_once, 4);
  EXPECT_FALSE(made.stages[1].by_turns);
}

// --- forms made by hand

class WrongTurns : public TilesByHand {
 protected:
  WrongTurns() : ring(form.view("ring")) { made.rings = {{ring, 1, {}, 0}}; }
  // The second one by turns with the first, which stores to the ring; both read.
  void stages(onf::Expr first, onf::Expr second) {
    made.stages = {stage(ring, std::move(first)), stage(u, std::move(second))};
    made.stages[1].by_turns = true;
  }
  onf::ViewId ring;
};

using Codes = std::vector<std::string>;

TEST_F(WrongTurns, OneThatIsRight) {
  stages(form.load(w, {0, 1, 0}), form.load(ring, {0, -1, 0}));
  made.stages[0].rows = {1, 0};
  made.rings[0].kept = 1;
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(WrongTurns, ARowThatIsNotDone) {
  stages(form.load(w, {0, 0, 0}), form.load(ring, {0, 1, 0}));
  made.stages[0].rows = {0, 1};
  made.rings[0].kept = 1;
  EXPECT_EQ(codes(), Codes{"E0522"});
}

TEST_F(WrongTurns, ARowThatIsOverwritten) {
  stages(form.load(u, {0, -1, 0}), form.load(ring, {0, 0, 0}));
  made.seams = {{u, {}, {1, 0}, 1}};
  EXPECT_EQ(codes(), Codes{"E0527"});
}

// A stage between them, which takes part.
TEST_F(WrongTurns, ARowThatIsOverwrittenTwoStagesFurther) {
  stages(form.load(u, {0, -1, 0}), form.load(ring, {0, 0, 0}));
  const auto other = form.view("other");
  made.rings.push_back({other, 1, {}, 0});
  made.stages.insert(made.stages.begin() + 1, stage(other, form.load(w, {0, 0, 0})));
  made.stages[1].by_turns = true;
  made.seams = {{u, {}, {1, 0}, 1}};
  EXPECT_EQ(codes(), Codes{"E0527"});
}

TEST_F(WrongTurns, OfOtherPlanes) {
  stages(form.load(w, {0, 0, 0}), form.load(ring, {0, 0, 0}));
  made.stages[1].lag = 1;
  made.rings[0].planes = 2;
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTurns, OfSeveralRowsAtOnce) {
  stages(form.load(w, {0, 0, 0}), form.load(ring, {0, 0, 0}));
  made.stages[0].nest.rows_at_once = 2;
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTurns, WithoutTiles) {
  stages(form.load(w, {0, 0, 0}), form.load(ring, {0, 0, 0}));
  made.tiles.reset();
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTurns, OfTheFirstStage) {
  stages(form.load(w, {0, 0, 0}), form.load(ring, {0, 0, 0}));
  made.stages[0].by_turns = true;
  EXPECT_EQ(codes(), Codes{"E0525"});
}

}  // namespace
}  // namespace rhopsi::schedule
