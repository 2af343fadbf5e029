// Values computed where they are read, and parts of elements that become values.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

using onf::ScalarFunction;

const Step* find(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find(outcome.steps, name, &Step::name);
  return found == outcome.steps.end() ? nullptr : &*found;
}

std::size_t passes_of(const Outcome& outcome) { return outcome.costs.at(0).after.passes.size(); }

// v = u * u + u ahead; w = v behind + v ahead: an element of w computes two of v.
onf::Module two_passes() {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  const auto v = form.view("v");
  form.assign(v, sum(times(form.load(u, {0}), form.load(u, {0})), form.load(u, {1})), true);
  form.assign(w, sum(form.load(v, {-1}), form.load(v, {2})));
  return form.finish();
}

void expect_the_same(const onf::Module& before, const onf::Module& after) {
  EXPECT_EQ(codes_of(after), std::vector<std::string>{});
  for (const std::int64_t n : {1, 2, 3, 8}) {
    std::vector<Elements> arguments(2, Elements(std::size_t(n)));
    for (std::int64_t k = 0; k < n; ++k) {
      arguments[0][std::size_t(k)] = 1.0 / double(k + 3);
      arguments[1][std::size_t(k)] = double(k);
    }
    EXPECT_EQ(FormRun(before, {n}, 1).run(arguments), FormRun(after, {n}, 2).run(arguments));
  }
}

TEST(Inline, WhatIsCheapIsComputedWhereItIsRead) {
  const onf::Module before = two_passes();
  onf::Module module = before;
  const Outcome outcome = apply(module, {"r", {{StepKind::inline_, 2}}, {}});
  ASSERT_NE(find(outcome, "inline"), nullptr);
  EXPECT_TRUE(find(outcome, "inline")->holds);
  EXPECT_EQ(passes_of(outcome), 1u);
  EXPECT_EQ(outcome.costs.at(0).after.blocks, 0u);
  expect_the_same(before, module);
}

TEST(Inline, NotMoreThanItIsAllowed) {
  onf::Module module = two_passes();
  const Outcome outcome = apply(module, {"r", {{StepKind::inline_, 1}}, {}});
  ASSERT_NE(find(outcome, "inline"), nullptr);
  EXPECT_FALSE(find(outcome, "inline")->holds);
  EXPECT_NE(find(outcome, "inline")->condition.find("but these would be 2"), std::string::npos);
  EXPECT_EQ(passes_of(outcome), 2u);
}

TEST(Inline, NotWhatIsComputedFromTheIndex) {
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  for (const int axis : {0, 1}) {
    const auto v = form.view("v" + std::to_string(axis));
    onf::Expr at = apply(ScalarFunction::convert, {form.position(axis)});
    at.type = real_type;
    form.assign(v, sum(form.load(u, {0, 0}), std::move(at)), true);
    form.assign(u, form.load(v, {0, 1}));
  }
  onf::Module module = form.finish();
  const Outcome outcome = apply(module, {"r", {{StepKind::inline_}}, {}});
  std::vector<bool> verdicts;
  for (const Step& step : outcome.steps) {
    if (step.site.find("v") != std::string::npos) verdicts.push_back(step.holds);
  }
  EXPECT_EQ(verdicts, (std::vector<bool>{true, false}));
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
}

TEST(Materialise, IsTheOppositeOfInline) {
  const onf::Module before = two_passes();
  onf::Module module = before;
  const Outcome outcome =
      apply(module, {"r", {{StepKind::inline_, 2}, {StepKind::materialise, 2}}, {}});
  ASSERT_NE(find(outcome, "materialise"), nullptr);
  EXPECT_TRUE(find(outcome, "materialise")->holds);
  EXPECT_EQ(passes_of(outcome), 2u);
  EXPECT_EQ(outcome.costs.at(0).after.operations(), outcome.costs.at(0).before.operations());
  expect_the_same(before, module);
  onf::Module refused = before;
  const Outcome too_little =
      apply(refused, {"r", {{StepKind::inline_, 2}, {StepKind::materialise, 3}}, {}});
  ASSERT_NE(find(too_little, "materialise"), nullptr);
  EXPECT_FALSE(find(too_little, "materialise")->holds);
}

// A part in a branch may be what only that branch may compute.
TEST(Materialise, OnlyWhatIsComputedInAnyCase) {
  FormBuilder form(1, 0);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  const auto part = [&](std::int64_t at) {
    return times(form.load(u, {at}), form.load(u, {at + 1}));
  };
  onf::Expr less = apply(ScalarFunction::less, {form.load(u, {0}), real(0.2)});
  less.type.scalar = onf::Scalar::boolean;
  onf::Expr chosen;
  chosen.kind = onf::Expr::Kind::if_;
  chosen.type = real_type;
  chosen.operands = {std::move(less), part(0), part(3)};
  form.assign(w, std::move(chosen));
  const onf::Module before = form.finish();
  onf::Module module = before;
  const Outcome outcome = apply(module, {"r", {{StepKind::materialise, 1}}, {}});
  EXPECT_EQ(find(outcome, "materialise"), nullptr);
  expect_the_same(before, module);
}

}  // namespace
}  // namespace rhopsi::schedule
