// Rows of rings have pads where those of arrays are peeled.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/circular.hpp"
#include "engine/onf/pads.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

Recipe peeled(bool tiled = true) {
  Recipe recipe = standard_recipe();
  std::erase_if(recipe.steps, [&](const RecipeStep& step) {
    return step.kind == StepKind::repeat || step.kind == StepKind::boundary ||
           (step.kind == StepKind::tile && !tiled);
  });
  recipe.steps.push_back({StepKind::boundary, static_cast<std::int64_t>(Boundary::peel)});
  return recipe;
}

// The pads of the rows of an array.
onf::Margin along_rows(const onf::Module& module, onf::ViewId view) {
  const onf::Function& function = module.functions[0];
  const onf::Block& block = function.blocks[onf::number(function.views[onf::number(view)].block)];
  return onf::pads_of(module, block, std::size_t(module.rank) - 1);
}

const std::vector<std::pair<Offsets, Offsets>> peeled_programs = {
    {{{0, 0, 0}, {0, 0, 2}, {1, 0, -1}}, {{0, 0, -1}, {-1, -1, 2}}},
    {cross, cross},
    {{{0, 1}, {1, -1}}, {{0, -2}, {-1, 1}}},
};

TEST(RingPads, AreAsWideAsRowsAreRead) {
  for (const auto& [first, second] : peeled_programs) {
    onf::Module module = two_in_one(first, second);
    const Outcome outcome = apply(module, peeled());
    ASSERT_EQ(codes_of(module), std::vector<std::string>{});
    const onf::Pipeline& made = only_pipeline_of(module);
    ASSERT_EQ(made.rings.size(), 1u);
    onf::Margin read;
    for (const auto& offset : second) {
      read.low = std::max(read.low, -offset.back());
      read.high = std::max(read.high, offset.back());
    }
    EXPECT_EQ(along_rows(module, made.rings[0].view), read);
    EXPECT_EQ(made.rings[0].halo.axes.back(), read);
    // No loop over what reads the ring has ends; u has no pads, and one that reads it has.
    EXPECT_EQ(onf::circular_reach(made.stages[1].nest).back(), onf::Margin{});
    EXPECT_NE(onf::circular_reach(made.stages[0].nest).back(), onf::Margin{});
    EXPECT_EQ(along_rows(module, made.stages[1].nest.target), onf::Margin{});
    const auto step = std::ranges::find(outcome.steps, std::string("boundary"), &Step::name);
    ASSERT_NE(step, outcome.steps.end());
    EXPECT_TRUE(step->after.ends_with(", of rings from pads")) << to_string(*step);
  }
}

TEST(RingPads, ComputeTheSame) {
  for (const auto& [first, second] : peeled_programs) {
    const onf::Module before = two_in_one(first, second);
    for (const bool tiled : {true, false}) {
      onf::Module after = before;
      apply(after, peeled(tiled));
      ASSERT_EQ(codes_of(after), std::vector<std::string>{});
      for (const std::int64_t n : {1, 2, 3, 5, 9}) {
        for (unsigned seed = 0; seed < 4; ++seed) {
          std::vector<std::int64_t> shape(first[0].size(), 1 + seed);
          shape[1] = shape.size() == 2 ? n : 4;
          shape.back() = n;
          std::size_t size = 1;
          for (const std::int64_t length : shape) size *= std::size_t(length);
          const Elements u = numbers(size, seed);
          ASSERT_TRUE(equal_bits(FormRun(before, shape, 0).run({u})[0],
                                 FormRun(after, shape, seed).run({u})[0]))
              << "rows of " << n << ", seed " << seed;
        }
      }
    }
  }
}

// A row is not read further than most_near of a pad, nor than pads are that a program states.
TEST(RingPads, ReadsThatGoFurtherGoAround) {
  onf::Module far = two_in_one({{0, 0}, {0, 1}}, {{0, 40}, {0, -3}});
  apply(far, peeled());
  ASSERT_EQ(codes_of(far), std::vector<std::string>{});
  EXPECT_EQ(along_rows(far, only_pipeline_of(far).rings[0].view), (onf::Margin{3, 0}));
  EXPECT_EQ(onf::circular_reach(only_pipeline_of(far).stages[1].nest).back(), (onf::Margin{0, 40}));

  onf::Module stated = two_in_one({{0, 0}, {0, 1}}, {{0, 2}, {0, -1}}, 1);
  apply(stated, peeled());
  ASSERT_EQ(codes_of(stated), std::vector<std::string>{});
  EXPECT_EQ(stated.pad, 1);
  EXPECT_EQ(onf::circular_reach(only_pipeline_of(stated).stages[1].nest).back(),
            (onf::Margin{0, 2}));
}

}  // namespace
}  // namespace rhopsi::schedule
