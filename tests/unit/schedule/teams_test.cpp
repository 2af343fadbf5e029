// Pipelines of teams, for devices: what is computed again, rings and barriers that cannot be fewer,
// wrong ones that the verifier refuses and in which simulated threads race.
#include <algorithm>
#include <functional>
#include <iostream>

#include <gtest/gtest.h>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/pads.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/random_form.hpp"
#include "tests/unit/schedule/two_sweeps.hpp"

namespace rhopsi::schedule {
namespace {

const Surroundings device{"", true};

onf::Pipeline* teams_of(onf::Module& module) {
  for (onf::Statement& statement : module.functions[0].body) {
    auto* found = std::get_if<onf::Pipeline>(&statement.form);
    if (found != nullptr && found->teams) return found;
  }
  return nullptr;
}

std::size_t size_of(const std::vector<std::int64_t>& shape) {
  std::size_t size = 1;
  for (const std::int64_t n : shape) size *= std::size_t(n);
  return size;
}

TEST(Teams, ComputeBeyondTheirTilesWhatIsReadThere) {
  onf::Module module = two_in_one(cross, {{0, -2, 0}, {1, 0, 3}, {-1, 0, 0}});
  const Outcome outcome = apply(module, standard_recipe(), device);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  const onf::Pipeline* made = teams_of(module);
  ASSERT_NE(made, nullptr);
  ASSERT_EQ(made->stages.size(), 3u);
  const onf::Pipeline::Stage &fetch = made->stages[0], &first = made->stages[1],
                             &second = made->stages[2];
  EXPECT_TRUE(fetch.fetch && !first.fetch && !second.fetch);
  EXPECT_EQ(fetch.beyond, (onf::Margin{2, 2}));
  EXPECT_EQ(fetch.rows, (onf::Margin{3, 1}));
  EXPECT_EQ(fetch.further, (std::vector<onf::Margin>{{1, 4}}));
  EXPECT_EQ(first.beyond, (onf::Margin{1, 1}));
  EXPECT_EQ(first.rows, (onf::Margin{2, 0}));
  EXPECT_EQ(first.further, (std::vector<onf::Margin>{{0, 3}}));
  EXPECT_EQ(second.beyond, onf::Margin{});
  EXPECT_EQ(first.lag, 1);
  EXPECT_EQ(second.lag, 2);
  EXPECT_TRUE(made->seams.empty() && made->fills.empty());
  // Read when it is 0 to 2 moments old, beside an element's own row when it is 0 or 1: one plane
  // more than that, for which one barrier is enough, but one behind the sweep, too, of which rows
  // are read at the same moment.
  ASSERT_EQ(made->rings.size(), 2u);
  for (const onf::Pipeline::Ring& ring : made->rings) EXPECT_EQ(ring.planes, 3);
  EXPECT_TRUE(first.barrier);
  EXPECT_FALSE(second.barrier);
  // The result is no array that teams read.
  EXPECT_NE(second.nest.target, *module.functions[0].arguments[0].view);
  term::Store store;
  const std::string text = onf::to_string(store, module);
  EXPECT_NE(text.find(" threads of "), std::string::npos) << text;
  EXPECT_NE(text.find("stage 0 behind, beyond [2+2, 3+1, 1+4], fetched a moment before"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("stage 1 behind, beyond [1+1, 2+0, 0+3]"), std::string::npos) << text;
  EXPECT_NE(text.find("barrier\n"), std::string::npos) << text;
}

TEST(Teams, NothingIsReadOfPadsAndNothingRefilled) {
  for (const std::int64_t pad : {0, 1, 2}) {
    onf::Module module = two_in_one(cross, cross, pad);
    apply(module, standard_recipe(), device);
    EXPECT_EQ(errors_of(module), "");
    for (const onf::Statement& statement : module.functions[0].body) {
      EXPECT_FALSE(std::holds_alternative<onf::Refill>(statement.form));
    }
  }
}

// Planes of arrays of one axis have no tiles; and no pads are read either.
TEST(Teams, AreForTwoAxesAtLeast) {
  onf::Module module = two_in_one({{-1}, {1}}, {{-2}, {1}}, 2);
  Recipe recipe = standard_recipe();
  for (RecipeStep& step : recipe.steps) {
    if (step.kind == StepKind::boundary) step.bound = std::int64_t(Boundary::peel);
  }
  const Outcome outcome = apply(module, recipe, device);
  EXPECT_EQ(errors_of(module), "");
  EXPECT_EQ(teams_of(module), nullptr);
  for (const char* name : {"pipeline", "boundary"}) {
    const auto found = std::ranges::find_if(
        outcome.steps, [&](const Step& step) { return step.name == name && !step.holds; });
    ASSERT_NE(found, outcome.steps.end()) << name;
    EXPECT_EQ(found->decider, "target") << to_string(*found);
  }
}

// So on a device a padded program is the one without pads.
TEST(Teams, PaddedAndUnpaddedProgramsAreOne) {
  term::Store store;
  std::vector<std::string> bodies;
  for (const std::int64_t pad : {0, 2}) {
    onf::Module module = two_in_one(cross, cross, pad);
    apply(module, standard_recipe(), device);
    onf::narrow_pads(module);
    const std::string text = onf::to_string(store, module);
    const std::size_t begin = text.find("procedure");
    ASSERT_NE(begin, std::string::npos) << text;
    bodies.push_back(text.substr(begin));
  }
  // That it has none is told where the module has some.
  const std::string none = " pads [0+0, 0+0, 0+0]";
  for (auto at = bodies[1].find(none); at != std::string::npos; at = bodies[1].find(none)) {
    bodies[1].erase(at, none.size());
  }
  EXPECT_EQ(bodies[0], bodies[1]);
  EXPECT_EQ(bodies[0].find("circular"), std::string::npos) << bodies[0];
}

TEST(Teams, TooFarForTheMemoryOfATeam) {
  onf::Module module = two_in_one(cross, {{0, 0, 3000}, {0, 0, 0}});
  const Outcome outcome = apply(module, standard_recipe(), device);
  // Each sweep by itself.
  const onf::Pipeline* first = teams_of(module);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->stages.size(), 2u);
  EXPECT_TRUE(first->stages[0].fetch);
  EXPECT_EQ(errors_of(module), "");
  const auto step = std::ranges::find_if(
      outcome.steps, [](const Step& each) { return each.name == "pipeline" && !each.holds; });
  ASSERT_NE(step, outcome.steps.end());
  EXPECT_NE(step->condition.find(", but those of no tile do"), std::string::npos)
      << step->condition;
}

TEST(Teams, AreWhatARecipeAsksForOnAnyTarget) {
  onf::Module module = two_in_one(cross, cross);
  Recipe recipe = standard_recipe();
  for (RecipeStep& step : recipe.steps) {
    if (step.kind == StepKind::bind) step.bound = bound_to_teams;
  }
  EXPECT_NE(to_string(recipe).find("bind(to = teams)"), std::string::npos);
  EXPECT_EQ(read_recipe(to_string(recipe))->steps.size(), recipe.steps.size());
  apply(module, recipe);
  EXPECT_NE(teams_of(module), nullptr);
}

// Everything that it has is needed: the verifier says so, and where it is a matter of threads these
// race, or a ring holds another plane, or nothing.
class LessOfATeam : public ::testing::Test {
 protected:
  void refused(const std::string& code, const std::function<void(onf::Pipeline&)>& change) {
    onf::Module module = two_in_one(cross, cross);
    apply(module, standard_recipe(), device);
    ASSERT_EQ(errors_of(module), "");
    change(*teams_of(module));
    const std::vector<std::string> codes = codes_of(module);
    EXPECT_GT(std::ranges::count(codes, code), 0) << errors_of(module);
    const std::vector<std::int64_t> shape = {6, 5, 7};
    const Elements u = numbers(size_of(shape), 3);
    const Elements right = FormRun(two_in_one(cross, cross), shape, 1).run({u})[0];
    bool failed = false;
    for (unsigned seed = 0; seed < 20 && !failed; ++seed) {
      try {
        failed = !equal_bits(FormRun(module, shape, seed).run({u})[0], right);
      } catch (const std::logic_error&) {
        failed = true;
      }
    }
    EXPECT_TRUE(failed) << "20 runs of what is refused came out right";
  }
};

TEST_F(LessOfATeam, NoBarrier) {
  refused("E0527", [](onf::Pipeline& p) {
    for (onf::Pipeline::Stage& stage : p.stages) stage.barrier = false;
  });
}
// With as many planes as are read beside, one is overwritten while another thread reads it.
TEST_F(LessOfATeam, NoPlaneMoreThanIsRead) {
  refused("E0527", [](onf::Pipeline& p) {
    for (onf::Pipeline::Ring& ring : p.rings) ring.planes = 2;
  });
}
TEST_F(LessOfATeam, FewerPlanesThanAreRead) {
  refused("E0522", [](onf::Pipeline& p) {
    for (onf::Pipeline::Ring& ring : p.rings) ring.planes = 1;
  });
}
TEST_F(LessOfATeam, ALessLag) {
  refused("E0522", [](onf::Pipeline& p) { --p.stages[2].lag; });
}
TEST_F(LessOfATeam, LessBeyondTheTile) {
  // Of the stage behind the one that fetches: the plane of the tile is as large as before.
  refused("E0522", [](onf::Pipeline& p) { --p.stages[1].beyond.low; });
  refused("E0522", [](onf::Pipeline& p) { --p.stages[1].rows.high; });
  refused("E0522", [](onf::Pipeline& p) { --p.stages[1].further[0].low; });
}
TEST_F(LessOfATeam, AResultWhereItsArgumentIs) {
  onf::Module module = two_in_one(cross, cross);
  const onf::ViewId u = *module.functions[0].arguments[0].view;
  refused("E0527", [&](onf::Pipeline& p) { p.stages[2].nest.target = u; });
}
// Where nothing is read beside an element's own row, one plane would do but for what is on its way.
TEST(Teams, WhatIsFetchedHasTwoPlanes) {
  const Offsets along = {{-1, 0, 0}, {0, 0, 0}};
  onf::Module module = two_in_one(along, {{0, 0, 0}, {0, 0, 0}});
  apply(module, standard_recipe(), device);
  ASSERT_NE(teams_of(module), nullptr);
  for (const onf::Pipeline::Ring& ring : teams_of(module)->rings) EXPECT_EQ(ring.planes, 2);
  for (onf::Pipeline::Ring& ring : teams_of(module)->rings) ring.planes = 1;
  EXPECT_GT(std::ranges::count(codes_of(module), "E0527"), 0);
  EXPECT_THROW(FormRun(module, {6, 5, 7}, 1).run({numbers(210, 1)}), std::logic_error);
}
// What is asked for overwrites a plane a moment earlier than what is computed.
TEST_F(LessOfATeam, NoPlaneForWhatIsFetched) {
  refused("E0527", [](onf::Pipeline& p) {
    p.stages[0].barrier = true;
    p.stages[1].barrier = p.stages[2].barrier = false;
  });
}

// u[i + 1, ...] as u[i + 1 + 0, ...]: the same element, but what is emitted takes offsets as they
// are written.
void write_otherwise(onf::Expr& element) {
  onf::each_part(element, [](onf::Expr& e) {
    if (e.kind != onf::Expr::Kind::load) return;
    onf::Expr sum;
    sum.kind = onf::Expr::Kind::apply;
    sum.function = onf::ScalarFunction::add;
    sum.type = e.operands[0].type;
    onf::Expr none;
    none.kind = onf::Expr::Kind::integer;
    none.type = sum.type;
    sum.operands = {std::move(e.operands[0]), std::move(none)};
    e.operands[0] = std::move(sum);
  });
}

TEST(Teams, MalformedOnesAreRefused) {
  for (const auto& change : std::vector<std::function<void(onf::Pipeline&)>>{
           [](onf::Pipeline& p) { p.teams->sides.pop_back(); },
           [](onf::Pipeline& p) { p.teams->sides[0] = 0; },
           [](onf::Pipeline& p) { p.teams->threads = 0; },
           [](onf::Pipeline& p) { --p.teams->threads; },
           [](onf::Pipeline& p) { p.teams->rows = 0; },
           [](onf::Pipeline& p) { ++p.rings[0].planes; },
           [](onf::Pipeline& p) { p.stages[1].fetch = true; },
           [](onf::Pipeline& p) { std::swap(p.stages[0], p.stages[1]); },
           [](onf::Pipeline& p) { p.teams->planes = 0; },
           [](onf::Pipeline& p) {
             p.tiles = onf::CacheTile{8, {}};
           },
           [](onf::Pipeline& p) { p.stages[0].further.clear(); },
           [](onf::Pipeline& p) { write_otherwise(p.stages[2].nest.element); },
           [](onf::Pipeline& p) { p.stages[0].nest.binding = onf::Binding::rows; },
           [](onf::Pipeline& p) {
             p.seams.push_back({p.stages[2].nest.target, {1, 1}});
           }}) {
    onf::Module module = two_in_one(cross, cross);
    apply(module, standard_recipe(), device);
    change(*teams_of(module));
    EXPECT_GT(std::ranges::count(codes_of(module), "E0525"), 0);
  }
}

// A nest that reads what other indices of it write, as a kernel.
TEST(Teams, ANestThatIsNoKernelRaces) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.nest(u, form.load(u, {0, 1}));
  const onf::Module module = form.finish();
  EXPECT_GT(std::ranges::count(codes_of(module), "E0527"), 0);
  EXPECT_THROW(FormRun(module, {4, 3}, 1).run({numbers(12, 1)}), std::logic_error);
}

// Several calls in one pass too. What is printed tells how many of the forms had teams.
TEST(Teams, RandomFormsComputeTheSameBitsWithoutARace) {
  int with_teams = 0, forms = 0, repeated = 0;
  std::size_t most_stages = 0;
#ifdef RHOPSI_SANITIZED
  constexpr unsigned seeds = 100;  // whether their values are right is tested without sanitizers
#else
  constexpr unsigned seeds = 600;
#endif
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const RandomForm form = random_form(seed);
    onf::Module module = form.module;
    apply(module, standard_recipe(), device);
    term::Store store;
    ASSERT_EQ(errors_of(module), "") << "seed " << seed << "\n" << onf::to_string(store, module);
    std::vector<Elements> arguments;
    for (std::size_t k = 0; k < form.module.functions[0].arguments.size(); ++k) {
      arguments.push_back(numbers(size_of(form.shape), 7 * seed + unsigned(k)));
    }
    for (std::size_t function = 0; function < module.functions.size(); ++function) {
      const auto& repeats = module.functions[function].repeats;
      std::vector<Elements> expected = arguments;
      for (std::int64_t call = 0; call < (repeats ? repeats->times : 1); ++call) {
        expected = FormRun(form.module, form.shape, seed).run(expected);
      }
      const auto found = FormRun(module, form.shape, seed + 1).run(arguments, function);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        if (form.module.functions[0].arguments[k].mode == term::Mode::obs) continue;
        ASSERT_TRUE(equal_bits(expected[k], found[k]))
            << "argument " << k << ", seed " << seed << "\n"
            << onf::to_string(store, module);
      }
      repeated += repeats ? 1 : 0;
    }
    ++forms;
    if (const onf::Pipeline* made = teams_of(module)) {
      ++with_teams;
      most_stages = std::max(most_stages, made->stages.size());
    }
  }
  std::cout << with_teams << " of " << forms << " forms have teams, of up to " << most_stages
            << " stages; " << repeated << " functions for several calls\n";
  EXPECT_GT(with_teams, forms / 6);
  EXPECT_GT(repeated, forms / 60);
  EXPECT_GT(most_stages, 3u);
}

}  // namespace
}  // namespace rhopsi::schedule
