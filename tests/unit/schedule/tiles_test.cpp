// Pipelines in tiles: what is computed again and kept, wrong ones that the verifier refuses, and
// tiles of any number over sides of any length.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/tiles_by_hand.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

onf::Pipeline* tiles_of(onf::Module& module) {
  for (onf::Statement& statement : module.functions[0].body) {
    auto* found = std::get_if<onf::Pipeline>(&statement.form);
    if (found != nullptr && found->tiles) return found;
  }
  return nullptr;
}

TEST(Tiles, WhatIsReadBesideThemIsKeptOrComputedAgain) {
  onf::Module module = two_in_one(cross, {{0, -2, 0}, {1, 1, 0}});
  const Outcome outcome = apply(module);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  const onf::Pipeline* made = tiles_of(module);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->stages[0].rows, (onf::Margin{2, 1}));
  EXPECT_EQ(made->stages[1].rows, onf::Margin{});
  ASSERT_EQ(made->seams.size(), 1u);
  EXPECT_EQ(made->seams[0].rows, (onf::Margin{3, 2}));
  EXPECT_EQ(made->seams[0].next, 0);
  ASSERT_EQ(made->rings.size(), 1u);
  EXPECT_EQ(made->rings[0].kept,
            3);  // the last that a tile does is one behind it, the first two in front
  // u from one plane behind to one further, and v: as many planes as its ring has.
  EXPECT_EQ(made->tiles->bytes, 8 * (3 + made->rings[0].planes));
  EXPECT_FALSE(made->tiles->most);
  const auto step = std::ranges::find(outcome.steps, std::string("tile"), &Step::name);
  ASSERT_NE(step, outcome.steps.end());
  EXPECT_EQ(to_string(*step),
            "tile at f: v: whole planes => tiles of rows, 3 of a plane are computed again; what a "
            "tile reads of the one before is kept, and what goes beyond the ends of the axis is "
            "computed again or kept before it is overwritten (offsets)");
  term::Store store;
  const std::string text = onf::to_string(store, module);
  for (const std::string& part :
       {"tiles of rows, " + std::to_string(made->tiles->bytes) + " bytes for each element\n",
        std::string(", keeps 3 rows\n"),
        std::string("seam u [1+2], rows [3+2], 0 for the next tile\n"),
        std::string("beyond [0+1], rows [2+1]\n")}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Tiles, TheirRowsCanBeBounded) {
  onf::Module module = two_in_one(cross, cross);
  Recipe recipe = standard_recipe();
  for (RecipeStep& step : recipe.steps) {
    if (step.kind == StepKind::tile) step.bound = 16;
  }
  apply(module, recipe);
  ASSERT_NE(tiles_of(module), nullptr);
  EXPECT_EQ(tiles_of(module)->tiles->most, 16);
  term::Store store;
  EXPECT_NE(onf::to_string(store, module).find(" for each element, at most 16 rows\n"),
            std::string::npos);
}

// A sweep alone: of several planes that it reads a tile has the rows at hand.
TEST(Tiles, ASweepAloneGoesThroughItsPlanesInThem) {
  FormBuilder form(3, 1);
  const auto u = form.argument("u", term::Mode::obs), w = form.argument("w", term::Mode::out);
  form.assign(w,
              sum(sum(form.load(u, {-1, 0, 0}), form.load(u, {1, 0, 0})), form.load(u, {0, 1, 0})));
  onf::Module module = form.finish();
  const onf::Module before = module;
  const auto nest_of = [](onf::Module& of) -> onf::Nest& {
    return *std::get_if<onf::Nest>(
        &std::ranges::find_if(of.functions[0].body, [](const onf::Statement& statement) {
           return std::holds_alternative<onf::Nest>(statement.form);
         })->form);
  };
  const Outcome outcome = apply(module);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  const auto step = std::ranges::find(outcome.steps, std::string("tile"), &Step::name);
  ASSERT_NE(step, outcome.steps.end());
  EXPECT_EQ(to_string(*step),
            "tile at f: w: whole planes => tiles of rows; no element needs another one of the "
            "pass, and each reads u on 3 planes (offsets)");
  ASSERT_TRUE(nest_of(module).plane_tiles);
  EXPECT_EQ(nest_of(module).plane_tiles->bytes, 8 * (3 + 1));
  term::Store store;
  EXPECT_NE(onf::to_string(store, module).find(" in tiles of rows, 32 bytes for each element \""),
            std::string::npos);
  const Elements numbers_of_u = numbers(4 * 5 * 3, 1);
  EXPECT_TRUE(equal_bits(FormRun(before, {4, 5, 3}, 0).run({numbers_of_u, numbers_of_u})[1],
                         FormRun(module, {4, 5, 3}, 0).run({numbers_of_u, numbers_of_u})[1]));
  // Not where loops are nested, and no form that has no rows of planes.
  onf::Module nested = before;
  Recipe recipe = standard_recipe();
  std::erase_if(recipe.steps, [](const RecipeStep& s) { return s.kind == StepKind::bind; });
  const Outcome told = apply(nested, recipe);
  EXPECT_FALSE(nest_of(nested).plane_tiles);
  const auto refusal = std::ranges::find(told.steps, std::string("tile"), &Step::name);
  ASSERT_NE(refusal, told.steps.end());
  EXPECT_FALSE(refusal->holds);
  EXPECT_EQ(refusal->condition, "a tile has rows side by side, but the pass has one loop per axis");
  nest_of(nested).plane_tiles = onf::CacheTile{8, {}};
  EXPECT_EQ(codes_of(nested), std::vector<std::string>{"E0525"});
  nest_of(module).plane_tiles->most = 0;
  EXPECT_EQ(codes_of(module), std::vector<std::string>{"E0525"});
}

// Rows of any length of axis 1, fewer than those that are read beside a tile and more; in place,
// with no block besides that of u.
TEST(Tiles, ComputeTheSameOverSidesOfAnyLength) {
  int several = 0;
  const std::vector<std::pair<Offsets, Offsets>> programs = {
      {cross, cross},
      {{{0, 1, 0}, {-1, 2, 1}}, {{1, -3, 0}, {0, 0, -1}}},
      {{{0, -3, 0}, {0, 0, 2}}, {{0, -3, 1}}},
      {{{2, 0, 0}, {0, 0, 0}}, {{0, 2, 0}, {0, 1, 0}}}};
  for (const std::int64_t pad : {0, 3}) {
    for (const auto& [first, second] : programs) {
      const onf::Module before = two_in_one(first, second, pad);
      onf::Module after = before;
      apply(after);
      ASSERT_EQ(codes_of(after), std::vector<std::string>{});
      const onf::Pipeline* made = tiles_of(after);
      ASSERT_NE(made, nullptr);
      ASSERT_EQ(made->seams.size(), 1u);
      const onf::Margin kept = made->seams[0].rows;
      for (const std::int64_t n : {1, 2, 3, 5, 7, 8, 12, 19, 40}) {
        if (n >= 2 * std::max(kept.low, kept.high)) ++several;
        for (unsigned seed = 0; seed < 6; ++seed) {
          const std::vector<std::int64_t> shape{1 + seed, n, 3};
          const Elements u = numbers(std::size_t(shape[0] * n * 3), seed);
          FormRun machine(after, shape, seed);
          ASSERT_TRUE(equal_bits(FormRun(before, shape, 0).run({u})[0], machine.run({u})[0]))
              << "rows " << n << ", seed " << seed;
          EXPECT_EQ(machine.blocks(), 1u);
        }
      }
    }
  }
  EXPECT_GT(several, 30);  // of these lengths allow more than one tile
}

// One row less of any that is computed again, or kept, is refused.
TEST(Tiles, NothingOfThemCanBeLess) {
  for (std::int64_t first = 1; first <= 3; ++first) {
    for (std::int64_t second = 1; second <= 3; ++second) {
      const onf::Module module = [&] {
        onf::Module made = two_in_one({{-1, 0, 0}, {1, 0, 0}, {0, -first, 0}, {0, first, 0}},
                                      {{-1, 0, 0}, {1, 0, 0}, {0, -second, 0}, {0, second, 1}});
        apply(made);
        return made;
      }();
      ASSERT_EQ(codes_of(module), std::vector<std::string>{});
      const auto changed = [&](const auto& change) {
        onf::Module wrong = module;
        change(*tiles_of(wrong));
        return codes_of(wrong);
      };
      using Codes = std::vector<std::string>;
      const auto all = [](const Codes& codes, const std::string& code) {
        return !codes.empty() && std::ranges::count(codes, code) == std::ssize(codes);
      };
      EXPECT_TRUE(all(changed([](auto& p) { --p.stages[0].rows.low; }), "E0522"));
      // With fewer rows behind the tile those that u is overwritten by are further, too.
      EXPECT_GT(std::ranges::count(changed([](auto& p) { --p.stages[0].rows.high; }),
                                   std::string("E0522")),
                0);
      EXPECT_TRUE(all(changed([](auto& p) { --p.rings[0].kept; }), "E0522"));
      EXPECT_TRUE(all(changed([](auto& p) { --p.seams[0].rows.low; }), "E0527"));
      EXPECT_TRUE(all(changed([](auto& p) { --p.seams[0].rows.high; }), "E0527"));
      EXPECT_TRUE(all(changed([](auto& p) { --p.seams[0].planes.low; }), "E0527"));
      EXPECT_FALSE(changed([](auto& p) { --p.stages[1].lag; }).empty());
      EXPECT_TRUE(all(changed([](auto& p) { p.rings[0].halo.axes[2].high = 0; }), "E0521"));
      // Rows of the stage that writes are in seams, too.
      EXPECT_FALSE(changed([](auto& p) { ++p.stages[1].rows.low; }).empty());
    }
  }
}

TEST(Tiles, AreForThreeAxesAtLeast) {
  onf::Module module = two_in_one({{-1, 0}, {1, 0}}, {{0, 1}, {1, 0}});
  const Outcome outcome = apply(module);
  const auto step = std::ranges::find(outcome.steps, std::string("tile"), &Step::name);
  ASSERT_NE(step, outcome.steps.end());
  EXPECT_FALSE(step->holds);
  EXPECT_NE(step->condition.find("are one row"), std::string::npos);
  EXPECT_EQ(tiles_of(module), nullptr);
}

// --- forms made by hand

using WrongTiles = TilesByHand;
using Codes = std::vector<std::string>;

TEST_F(WrongTiles, OneThatIsRight) {
  made.stages = {stage(u, form.load(w, {5, -4, 0}))};  // rows are circular, however far
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(WrongTiles, RowsBesideTheOwnThatAreOverwritten) {
  made.stages = {stage(u, form.load(u, {1, 1, 0}))};
  made.seams = {{u, {0, 1}, {0, 0}}};
  EXPECT_EQ(codes(), Codes{"E0527"});
}

TEST_F(WrongTiles, TheSameWithASeam) {
  made.stages = {stage(u, form.load(u, {1, 1, 0}))};
  made.seams = {{u, {0, 1}, {0, 1}}};
  EXPECT_EQ(codes(), Codes{});
}

// These rows may have been written by then.
TEST_F(WrongTiles, RowsOfTheOwnPlaneThatTheStageWrites) {
  made.stages = {stage(u, form.load(u, {0, -1, 0}))};
  made.seams = {{u, {0, 0}, {1, 0}, 1}};
  EXPECT_EQ(codes(), Codes{"E0527"});
}

// A stage that goes further than the tile leaves more rows overwritten in front of the next one.
TEST_F(WrongTiles, OverwrittenRowsThatAreNotKeptForTheNextTile) {
  made.stages = {stage(u, form.load(u, {1, -1, 0}))};
  made.seams = {{u, {0, 1}, {1, 0}, 0}};
  EXPECT_EQ(codes(), Codes{"E0527"});
}

TEST_F(WrongTiles, TheSameKept) {
  made.stages = {stage(u, form.load(u, {1, -1, 0}))};
  made.seams = {{u, {0, 1}, {1, 0}, 1}};
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(WrongTiles, RowsOfARingThatAreNotKeptForTheNextTile) {
  const auto ring = form.view("ring");
  made.rings = {{ring, 1, {}, 1}};
  made.stages = {stage(ring, form.load(w, {0, 0, 0})), stage(u, form.load(ring, {0, 0, 0}))};
  made.stages[0].rows = {0, 2};
  EXPECT_EQ(codes(), Codes{"E0522"});
}

TEST_F(WrongTiles, ARingThatKeepsThem) {
  const auto ring = form.view("ring");
  made.rings = {{ring, 1, {}, 2}};
  made.stages = {stage(ring, form.load(w, {0, 0, 0})), stage(u, form.load(ring, {0, 0, 0}))};
  made.stages[0].rows = {0, 2};
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(WrongTiles, ARingWithPadsBesideItsRows) {
  const auto ring = form.view("ring");
  made.rings = {{ring, 1, {{{0, 0}, {1, 0}, {0, 0}}, false}}};
  made.stages = {stage(ring, form.load(w, {0, 0, 0})), stage(u, form.load(ring, {0, 0, 0}))};
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTiles, ARowThatIsNotStored) {
  const auto ring = form.view("ring");
  made.rings = {{ring, 1, {}}};
  made.stages = {stage(ring, form.load(w, {0, 0, 0})), stage(u, form.load(ring, {0, 1, 0}))};
  EXPECT_EQ(codes(), Codes{"E0522"});
}

TEST_F(WrongTiles, ARowAtNoConstantDistance) {
  onf::Expr load = form.load(w, {0, 0, 0});
  load.operands[1] = integer(0);
  made.stages = {stage(u, load)};
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTiles, RowsWithoutTiles) {
  made.tiles.reset();
  made.stages = {stage(u, form.load(w, {0, 0, 0}))};
  made.stages[0].rows = {1, 0};
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTiles, WithoutRoom) {
  made.tiles->bytes = 0;
  made.stages = {stage(u, form.load(w, {0, 0, 0}))};
  EXPECT_EQ(codes(), Codes{"E0525"});
}

TEST_F(WrongTiles, AStalePadOfTheLastAxis) {
  made.stages = {stage(u, form.load(w, {0, 1, 1}))};
  EXPECT_EQ(codes(), Codes{"E0521"});
}

}  // namespace
}  // namespace rhopsi::schedule
