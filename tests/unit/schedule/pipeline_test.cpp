// Pipelines: which sweeps are put in one, what they need, and wrong ones that the verifier refuses.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::ScalarFunction;

const onf::Pipeline* pipeline_of(const onf::Module& module) {
  for (const onf::Statement& statement : module.functions[0].body) {
    if (const auto* found = std::get_if<onf::Pipeline>(&statement.form)) return found;
  }
  return nullptr;
}

const Step* refused(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find_if(
      outcome.steps, [&](const Step& step) { return step.name == name && !step.holds; });
  return found == outcome.steps.end() ? nullptr : &*found;
}

// v = u at distance `first`; u = v at distance `second` along axis 0, and u.
onf::Module two_halves(int rank, std::int64_t first, std::int64_t second) {
  FormBuilder form(rank, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.view("v");
  const auto at = [&](std::int64_t offset, std::int64_t beside) {
    std::vector<std::int64_t> made(std::size_t(rank), 0);
    made.back() = beside;
    made[0] = offset;
    return made;
  };
  form.assign(
      v, sum(sum(form.load(u, at(-first, 0)), form.load(u, at(first, 0))), form.load(u, at(0, 1))),
      true);
  form.assign(u, sum(sum(form.load(v, at(-second, 0)), form.load(v, at(second, 0))),
                     sum(form.load(v, at(0, -1)), form.load(u, at(0, 0)))));
  return form.finish();
}

TEST(Pipeline, BothHalvesAreOneSweepInPlace) {
  onf::Module module = two_halves(3, 1, 1);
  apply(module);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  const onf::Pipeline* made = pipeline_of(module);
  ASSERT_NE(made, nullptr);
  ASSERT_EQ(made->stages.size(), 2u);
  EXPECT_EQ(made->stages[0].lag, 0);
  EXPECT_EQ(made->stages[0].beyond, (onf::Margin{1, 1}));
  EXPECT_EQ(made->stages[1].lag, 1);
  EXPECT_EQ(made->stages[1].beyond, onf::Margin{});
  ASSERT_EQ(made->rings.size(), 1u);
  EXPECT_EQ(made->rings[0].planes, 3);
  EXPECT_EQ(made->rings[0].halo.axes, (std::vector<onf::Margin>{{0, 0}, {0, 0}, {1, 0}}));
  ASSERT_EQ(made->seams.size(), 1u);
  EXPECT_EQ(made->seams[0].planes, (onf::Margin{2, 2}));
  FormRun machine(module, {5, 2, 3}, 1);
  machine.run({Elements(30, 1.0)});
  EXPECT_EQ(machine.blocks(), 1u);  // u alone
}

// The distances of the analysis are those that are needed: one less of any is refused.
TEST(Pipeline, NothingOfItCanBeLess) {
  for (std::int64_t first = 1; first <= 3; ++first) {
    for (std::int64_t second = 1; second <= 3; ++second) {
      onf::Module module = two_halves(2, first, second);
      apply(module);
      EXPECT_EQ(codes_of(module), std::vector<std::string>{});
      ASSERT_NE(pipeline_of(module), nullptr);
      const auto less = [&](const auto& change) {
        onf::Module wrong = module;
        for (onf::Statement& statement : wrong.functions[0].body) {
          if (auto* found = std::get_if<onf::Pipeline>(&statement.form)) change(*found);
        }
        return codes_of(wrong);
      };
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.stages[1].lag; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.rings[0].planes; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.stages[0].beyond.low; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.stages[0].beyond.high; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.seams[0].planes.low; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { --p.seams[0].planes.high; }).empty());
      EXPECT_FALSE(less([](onf::Pipeline& p) { p.rings[0].halo.axes[1].low = 0; }).empty());
    }
  }
}

// u = u at these rows, beside what stays.
onf::Module alone(int rank, const std::vector<std::int64_t>& rows) {
  FormBuilder form(rank, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto w = form.argument("w", term::Mode::upd);
  std::vector<std::int64_t> own(std::size_t(rank), 0);
  onf::Expr element = form.load(w, own);
  for (const std::int64_t row : rows) {
    own[0] = row;
    element = sum(std::move(element), form.load(u, own));
  }
  form.assign(u, std::move(element));
  return form.finish();
}
Recipe with_planes(std::int64_t most, bool in_place) {
  Recipe recipe = standard_recipe();
  for (RecipeStep& step : recipe.steps) {
    if (step.kind == StepKind::pipeline) step.bound = most;
  }
  std::erase_if(recipe.steps, [&](const RecipeStep& step) {
    return step.kind == StepKind::repeat || (!in_place && step.kind == StepKind::in_place);
  });
  return recipe;
}

// What one sweep computes of its neighbours waits until these are read; so there is no other array.
TEST(Pipeline, ASweepAloneGoesToItsPlaceSomePlanesBehind) {
  for (const std::int64_t low : {0, 1, 3}) {
    onf::Module module = alone(2, {-low, 2});
    apply(module, with_planes(3, true));
    EXPECT_EQ(codes_of(module), std::vector<std::string>{});
    const onf::Pipeline* made = pipeline_of(module);
    ASSERT_NE(made, nullptr);
    ASSERT_EQ(made->stages.size(), 2u);
    EXPECT_EQ(made->stages[1].lag, low);
    ASSERT_EQ(made->rings.size(), 1u);
    EXPECT_EQ(made->rings[0].planes, low + 1);
    ASSERT_EQ(made->seams.size(), 1u);
    EXPECT_EQ(made->seams[0].planes, (onf::Margin{low, 2}));
    FormRun machine(module, {5, 3}, 1);
    machine.run({Elements(15, 1.0), Elements(15, 2.0)});
    EXPECT_EQ(machine.blocks(), 2u);  // u and w
    if (low == 0) continue;
    onf::Module sooner = module;
    for (onf::Statement& statement : sooner.functions[0].body) {
      if (auto* found = std::get_if<onf::Pipeline>(&statement.form)) --found->stages[1].lag;
    }
    EXPECT_FALSE(codes_of(sooner).empty());
  }
}

TEST(Pipeline, ASweepAloneStaysOneWhereNothingIsGainedOrTooMuchWaits) {
  onf::Module far = alone(2, {-4, 2});
  const Outcome outcome = apply(far, with_planes(3, true));
  const Step* found = refused(outcome, "pipeline");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->condition, "at most 3 planes wait, but these would be 4");
  EXPECT_EQ(pipeline_of(far), nullptr);
  onf::Module on_device = alone(2, {-1, 1});
  const Outcome elsewhere = apply(on_device, with_planes(3, true), {"there are none here"});
  found = refused(elsewhere, "pipeline");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->condition, "there are none here");
  EXPECT_EQ(pipeline_of(on_device), nullptr);
  // Not asked for; at its own index alone; along one axis.
  for (const auto& [module, in_place] :
       {std::pair(alone(2, {-1, 1}), false), std::pair(alone(3, {0}), true),
        std::pair(alone(1, {-1, 1}), true)}) {
    onf::Module scheduled = module;
    apply(scheduled, with_planes(3, in_place));
    EXPECT_EQ(codes_of(scheduled), std::vector<std::string>{});
    EXPECT_EQ(pipeline_of(scheduled), nullptr);
  }
}

// What was there is a result, too: it is needed after the sweep.
TEST(Pipeline, ASweepAloneDoesNotOverwriteWhatIsNeeded) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  const auto w = form.argument("w", term::Mode::upd);
  const auto old = form.view("old");
  form.copy(old, u, true);
  form.assign(u, sum(form.load(u, {-1, 0}), form.load(u, {1, 0})));
  form.copy(w, old);
  onf::Module module = form.finish();
  apply(module, with_planes(3, true));
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  EXPECT_EQ(pipeline_of(module), nullptr);
}

TEST(Pipeline, OnlyOverShortDistances) {
  onf::Module far = two_halves(2, 1, 7);
  const Outcome outcome = apply(far);
  const Step* found = refused(outcome, "pipeline");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->condition.find("but these would be 14"), std::string::npos) << found->condition;
  EXPECT_EQ(pipeline_of(far), nullptr);
}

TEST(Pipeline, WithoutTheStepEverySweepIsAPass) {
  onf::Module module = two_halves(2, 1, 1);
  Recipe recipe;
  for (const StepForm& form : step_forms()) {
    if (form.kind != StepKind::pipeline) recipe.steps.push_back({form.kind});
  }
  const Outcome outcome = apply(module, recipe);
  EXPECT_EQ(pipeline_of(module), nullptr);
  EXPECT_EQ(refused(outcome, "pipeline"), nullptr);
}

TEST(Pipeline, IsPrinted) {
  onf::Module module = two_halves(2, 1, 2);
  apply(module);
  term::Store store;
  const std::string text = onf::to_string(store, module);
  for (const char* part :
       {"pipeline \"f: v; u\"", "ring v: float64, 5 planes [0+0, 1+0]", "seam u [3+3]",
        "fill u [0+0, 0+1]", "stage 0 behind, beyond [2+2]", "stage 2 behind, beyond [0+0]"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

// --- forms made by hand that are no pipelines

class WrongPipeline : public ::testing::Test {
 protected:
  WrongPipeline() : form(2, 1) {
    u = form.argument("u", term::Mode::upd);
    w = form.argument("w", term::Mode::obs);
    form.function.refills = true;
  }
  onf::Pipeline::Stage stage(onf::ViewId target, onf::Expr element) {
    onf::Pipeline::Stage made;
    made.nest.binding = onf::Binding::rows;
    made.nest.indices = form.indices;
    made.nest.target = target;
    made.nest.element = std::move(element);
    return made;
  }
  std::vector<std::string> codes(onf::Pipeline pipeline) {
    form.emit(std::move(pipeline));
    return codes_of(form.finish());
  }
  FormBuilder form;
  onf::ViewId u, w;
};

TEST_F(WrongPipeline, OneStageThatIsRight) {
  onf::Pipeline made;
  made.stages = {stage(u, form.load(w, {5, 0}))};  // planes are circular, however far
  EXPECT_EQ(codes(made), std::vector<std::string>{});
}

TEST_F(WrongPipeline, AnArrayThatIsOverwrittenBeforeItIsRead) {
  onf::Pipeline made;
  made.stages = {stage(u, form.load(u, {-1, 0}))};
  made.seams = {{u, {1, 1}}};
  EXPECT_EQ(codes(made), std::vector<std::string>{"E0527"});
}

TEST_F(WrongPipeline, PlanesOfAnotherSlab) {
  onf::Pipeline made;
  made.stages = {stage(u, form.load(u, {1, 0}))};
  EXPECT_EQ(codes(made), std::vector<std::string>{"E0527"});
}

TEST_F(WrongPipeline, ARingThatNobodyFills) {
  onf::Pipeline made;
  const auto ring = form.view("ring");
  made.rings = {{ring, 3, {}}};
  made.stages = {stage(u, form.load(w, {0, 0}))};
  EXPECT_EQ(codes(made), std::vector<std::string>{"E0525"});
}

TEST_F(WrongPipeline, AStalePad) {
  onf::Pipeline made;
  made.stages = {stage(u, form.load(w, {0, 1}))};
  EXPECT_EQ(codes(made), std::vector<std::string>{"E0521"});
}

// Rows of a ring are folded, by what takes steps in any order, into an array with one element for
// each, which is there behind it.
TEST_F(WrongPipeline, RowsThatAreFolded) {
  enum class Wrong { nothing, stored, target, function, twice };
  for (const Wrong wrong :
       {Wrong::nothing, Wrong::stored, Wrong::target, Wrong::function, Wrong::twice}) {
    form = FormBuilder(2, 1);
    u = form.argument("u", term::Mode::upd);
    w = form.argument("w", term::Mode::obs);
    form.function.refills = true;
    const auto terms = form.view("terms"), rows = form.view("rows");
    onf::Block& block =
        form.function.blocks[onf::number(form.function.views[onf::number(rows)].block)];
    if (wrong != Wrong::target) block.broadcast = {false, true};
    onf::Pipeline made;
    made.rings = {{terms, 1, {}}};
    made.stages = {stage(terms, form.load(w, {0, 0})), stage(u, form.load(w, {0, 0}))};
    made.folds = {
        {rows, wrong == Wrong::stored ? u : terms,
         wrong == Wrong::function ? onf::ScalarFunction::subtract : onf::ScalarFunction::maximum}};
    if (wrong == Wrong::twice) made.folds.push_back(made.folds.front());
    const auto found = codes(made);
    if (wrong == Wrong::nothing) {
      EXPECT_EQ(found, std::vector<std::string>{});
    } else {
      EXPECT_EQ(found, std::vector<std::string>{"E0525"}) << static_cast<int>(wrong);
    }
  }
}

TEST_F(WrongPipeline, ARingIsGoneBehindIt) {
  onf::Pipeline made;
  const auto ring = form.view("ring");
  made.rings = {{ring, 1, {}}};
  made.stages = {stage(ring, form.load(w, {0, 0})), stage(u, form.load(ring, {0, 0}))};
  form.emit(made);
  form.nest(u, form.load(ring, {0, 0}));
  EXPECT_EQ(codes_of(form.finish()), std::vector<std::string>{"E0522"});
}

}  // namespace
}  // namespace rhopsi::schedule
