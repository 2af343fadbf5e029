// How what lies beyond the ends of an axis is read, as the step `boundary` says.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/onf/circular.hpp"
#include "engine/onf/pads.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

// w = u beside its index, along both axes.
onf::Module stencil(std::int64_t pad) {
  FormBuilder form(2, pad);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  form.assign(w, sum(form.load(u, {-1, 0}), sum(form.load(u, {0, 2}), form.load(u, {0, -1}))));
  return form.finish();
}

Recipe with_boundary(Boundary as, std::vector<RecipeStep> more = {{StepKind::bind}}) {
  more.push_back({StepKind::boundary, static_cast<std::int64_t>(as)});
  return {"r", std::move(more), {}};
}

const Step& step_of(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find(outcome.steps, name, &Step::name);
  EXPECT_NE(found, outcome.steps.end()) << name;
  return *found;
}

const onf::Nest& nest_of(const onf::Module& module) {
  for (const onf::Statement& statement : module.functions[0].body) {
    if (const auto* nest = std::get_if<onf::Nest>(&statement.form)) return *nest;
  }
  throw std::logic_error("no nest");
}

TEST(Boundaries, ReadNoPadsButWhereTheySaySo) {
  constexpr std::pair<Boundary, onf::Circular> all[] = {{Boundary::modulo, onf::Circular::modulo},
                                                        {Boundary::select, onf::Circular::select},
                                                        {Boundary::mask, onf::Circular::mask},
                                                        {Boundary::peel, onf::Circular::peel}};
  for (const std::int64_t pad : {0, 2}) {
    for (const auto& [as, circular] : all) {
      onf::Module module = stencil(pad);
      const Outcome outcome = apply(module, with_boundary(as, {{StepKind::bind}, {StepKind::pad}}));
      EXPECT_EQ(codes_of(module), std::vector<std::string>{});
      EXPECT_TRUE(step_of(outcome, "boundary").holds);
      EXPECT_FALSE(step_of(outcome, "pad").holds);
      EXPECT_EQ(nest_of(module).circular, circular);
      EXPECT_EQ(onf::circular_reach(nest_of(module)), (std::vector<onf::Margin>{{1, 0}, {1, 2}}));
      onf::narrow_pads(module);
      for (const onf::Block& block : module.functions[0].blocks) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
          EXPECT_EQ(onf::pads_of(module, block, axis), onf::Margin{});
        }
      }
    }
  }
}

TEST(Boundaries, WhatIsFurtherThanPadsIsSelected) {
  onf::Module module = stencil(0);
  const Outcome outcome =
      apply(module, with_boundary(Boundary::pad, {{StepKind::bind}, {StepKind::pad, 1}}));
  EXPECT_EQ(codes_of(module), std::vector<std::string>{});
  EXPECT_TRUE(step_of(outcome, "pad").holds);
  EXPECT_NE(step_of(outcome, "boundary").after.find("further away than 1"), std::string::npos);
  EXPECT_EQ(nest_of(module).circular, onf::Circular::select);
  EXPECT_EQ(onf::circular_reach(nest_of(module)), (std::vector<onf::Margin>{{0, 0}, {0, 2}}));
}

TEST(Boundaries, AreRefusedWithAReason) {
  onf::Module module = stencil(0);
  const Outcome nested = apply(module, with_boundary(Boundary::peel, {{StepKind::bind, 0}}));
  EXPECT_FALSE(step_of(nested, "boundary").holds);
  EXPECT_NE(step_of(nested, "boundary").condition.find("one loop per axis"), std::string::npos);
  EXPECT_EQ(nest_of(module).circular, onf::Circular::modulo);
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {0, 0}), form.load(u, {0, 0})));
  onf::Module inside = form.finish();
  const Outcome outcome = apply(inside, with_boundary(Boundary::select));
  EXPECT_FALSE(step_of(outcome, "boundary").holds);
  EXPECT_NE(step_of(outcome, "boundary").condition.find("at its own index"), std::string::npos);
}

// A step that pads nothing is refused, so that a recipe that requires it is told.
TEST(Boundaries, PadsOfWhichNothingIsReadAreRefused) {
  const auto padded = [](onf::Module module, Recipe recipe, const Surroundings& around = {}) {
    const Outcome outcome = apply(module, recipe, around);
    EXPECT_EQ(codes_of(module), std::vector<std::string>{});
    const Step& step = step_of(outcome, "pad");
    EXPECT_EQ(step.before, step.after);
    EXPECT_EQ(module.pad, 0);
    const std::vector<onf::Problem> remarks = remarks_on(recipe, outcome);
    EXPECT_EQ(remarks.at(0).code, "E0535");
    return step.holds ? "taken" : step.condition;
  };
  const auto required = [](std::optional<std::int64_t> widest, RecipeStep other) {
    return Recipe{"r", {{StepKind::pad, widest, {}, true}, std::move(other)}, {}};
  };
  const Recipe by_rows = required({}, {StepKind::bind});
  EXPECT_NE(padded(stencil(0), required(0, {StepKind::bind})).find("1 element away"),
            std::string::npos);
  EXPECT_NE(padded(stencil(0), by_rows, {{}, true, {}, {}}).find("device"), std::string::npos);
  FormBuilder form(2, 0);
  const auto u = form.argument("u", term::Mode::upd);
  form.assign(u, sum(form.load(u, {0, 0}), form.load(u, {0, 0})));
  EXPECT_NE(padded(form.finish(), by_rows).find("at its own index"), std::string::npos);
}

// Those of a program, which are as wide already as what is read.
TEST(Boundaries, PadsThatAreReadAreTakenAsWideAsTheyAre) {
  onf::Module module = stencil(2);
  const Outcome outcome =
      apply(module, {"r", {{StepKind::pad, 0, {}, true}, {StepKind::bind}}, {}});
  EXPECT_TRUE(step_of(outcome, "pad").holds);
  EXPECT_EQ(module.pad, 2);
}

TEST(Boundaries, TheVerifierRefusesRowsThatAreNone) {
  for (const onf::Binding binding : {onf::Binding::nested, onf::Binding::flat}) {
    onf::Module module = stencil(0);
    apply(module, with_boundary(Boundary::peel));
    for (onf::Statement& statement : module.functions[0].body) {
      if (auto* nest = std::get_if<onf::Nest>(&statement.form)) nest->binding = binding;
    }
    EXPECT_FALSE(codes_of(module).empty());
  }
}

}  // namespace
}  // namespace rhopsi::schedule
