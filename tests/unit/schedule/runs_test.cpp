// Pipelines over arrays of one axis: what their runs of elements need, and wrong ones.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

onf::Pipeline* pipeline_of(onf::Function& function) {
  for (onf::Statement& statement : function.body) {
    if (auto* found = std::get_if<onf::Pipeline>(&statement.form)) return found;
  }
  return nullptr;
}

// u = u beside it, in as many calls as are one.
onf::Module smoother(std::int64_t times) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {-1}), sum(form.load(u, {0}), form.load(u, {2}))));
  onf::Module module = form.finish();
  apply(module,
        {"r",
         {{StepKind::fuse}, {StepKind::pipeline}, {StepKind::in_place}, {StepKind::repeat, times}},
         {}});
  return module;
}

TEST(Runs, SeveralCallsAreOnePassInPlace) {
  onf::Module module = smoother(3);
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  ASSERT_EQ(module.functions.size(), 2u);
  const onf::Pipeline* made = pipeline_of(module.functions[1]);
  ASSERT_NE(made, nullptr);
  ASSERT_TRUE(made->runs.has_value());
  EXPECT_EQ(made->runs->bytes, 24);  // u and two rings
  ASSERT_EQ(made->stages.size(), 3u);
  EXPECT_EQ(made->stages[2].lag, 4);
  EXPECT_EQ(made->stages[0].beyond, (onf::Margin{2, 4}));
  ASSERT_EQ(made->rings.size(), 2u);
  EXPECT_EQ(made->rings[0].planes, 4);
  ASSERT_EQ(made->seams.size(), 1u);
  EXPECT_EQ(made->seams[0].planes, (onf::Margin{3, 6}));
  FormRun machine(module, {11}, 1);
  machine.run({Elements(11, 1.0)}, 1);
  EXPECT_EQ(machine.blocks(), 1u);
}

TEST(Runs, NothingOfThemCanBeLess) {
  const auto refused = [](const auto& change) {
    onf::Module wrong = smoother(3);
    change(*pipeline_of(wrong.functions[1]));
    return !codes_of(wrong).empty();
  };
  EXPECT_FALSE(refused([](onf::Pipeline&) {}));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.stages[1].lag; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.stages[2].lag; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.rings[0].planes; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.stages[0].beyond.low; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.stages[1].beyond.high; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { --p.seams[0].planes.high; }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { p.runs.reset(); }));
  EXPECT_TRUE(refused([](onf::Pipeline& p) { p.runs->bytes = 0; }));
}

// In a run a stage is done with all elements before the next one begins: what lies ahead of an
// element is not what it was if the same stage writes it, or an earlier one.
TEST(Runs, AStageReadsNothingAheadOfWhatItWrites) {
  for (const int rank : {1, 2}) {
    FormBuilder form(rank, 0);
    const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
    const std::vector<std::int64_t> own(std::size_t(rank), 0);
    std::vector<std::int64_t> ahead = own;
    ahead[0] = 1;
    form.assign(w, sum(form.load(w, own), form.load(w, own)));
    form.assign(u, sum(form.load(w, ahead), form.load(u, ahead)));
    onf::Module module = form.finish();
    const Outcome outcome = apply(module);
    EXPECT_EQ(codes_of(module), std::vector<std::string>{});
    const auto of_u = std::ranges::find_if(outcome.steps, [](const Step& step) {
      return step.name == "in_place" && step.site == "f: u";
    });
    ASSERT_NE(of_u, outcome.steps.end());
    EXPECT_EQ(of_u->holds, rank > 1);
  }
}

}  // namespace
}  // namespace rhopsi::schedule
