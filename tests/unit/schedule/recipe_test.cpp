// Recipes: their text, what they leave out, in which order, and what they cost.
#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {
namespace {

Recipe with_steps(const std::vector<RecipeStep>& steps) { return {"r", steps, {}}; }

const Step* first_of(const Outcome& outcome, const std::string& name) {
  const auto found = std::ranges::find(outcome.steps, name, &Step::name);
  return found == outcome.steps.end() ? nullptr : &*found;
}

// v = f(u beside its index); w = g(v beside it, u).
onf::Module stencils() {
  FormBuilder form(2, 1);
  const auto u = form.argument("u", term::Mode::upd), w = form.argument("w", term::Mode::upd);
  const auto v = form.view("v");
  form.assign(v, sum(form.load(u, {-1, 0}), form.load(u, {1, 0})), true);
  form.assign(w, sum(form.load(v, {0, -2}), form.load(u, {0, 0})));
  return form.finish();
}

TEST(Recipes, NoArrayOverTheDomainHasFewerAxes) {
  onf::Module module = stencils();
  const Outcome outcome = apply(module, with_steps({{StepKind::hoist, {}, "f", true, {}}}));
  ASSERT_EQ(outcome.steps.size(), 1u);
  EXPECT_EQ(to_string(outcome.steps[0]),
            "hoist at f: refused, what is written stays; every array has the shape of the run, but "
            "one of what many elements compute the same would have fewer axes (form)");
}

TEST(Recipes, ArePrintedAsSchedules) {
  EXPECT_EQ(to_string(standard_recipe()),
            "schedule full = {\n  drop;\n  fuse;\n  pipeline;\n  "
            "tile;\n  pad;\n  in_place;\n  refill;\n"
            "  share;\n  hoist;\n  bind;\n  threads;\n  repeat;\n  boundary;\n};\n");
  EXPECT_EQ(to_string(with_steps({{StepKind::fuse, 3, "f", true, {}},
                                  {StepKind::pipeline, 8, "f"},
                                  {StepKind::bind, 0, "f"}})),
            "schedule r on f = {\n  require fuse(max_values = 3);\n  pipeline;\n"
            "  bind(to = nested);\n};\n");
  EXPECT_EQ(to_string(with_steps({{StepKind::drop}, {StepKind::fuse, {}, "f"}})),
            "schedule r_1 = {\n  drop;\n};\nschedule r_2 on f = {\n  fuse;\n};\n"
            "schedule r = {\n  use r_1;\n  use r_2;\n};\n");
}

// "`most_rows`, 2 to 8", "`to`: `rows`", "(4)": what the table of steps says of a bound.
std::vector<std::string> bound_in_table(const StepForm& form) {
  constexpr std::int64_t any = std::numeric_limits<std::int32_t>::max();
  const auto quoted = [](std::string_view word) { return "`" + std::string(word) + "`"; };
  std::vector<std::string> parts{quoted(form.parameter) + (form.words.empty() ? ", " : ": ")};
  for (const std::string_view word : form.words) parts.push_back(quoted(word));
  if (form.words.empty()) {
    parts[0] += std::to_string(form.least) +
                (form.most == any ? " or more" : " to " + std::to_string(form.most));
    if (form.standard) parts.push_back("(" + std::to_string(*form.standard));
  } else if (form.standard) {
    parts.push_back("(" + quoted(form.words[static_cast<std::size_t>(*form.standard)]));
  }
  return parts;
}

TEST(Recipes, TheManualHasTheBoundOfEachStep) {
  std::ifstream page(RHOPSI_SOURCE_DIR "/docs/language.md");
  std::stringstream text;
  text << page.rdbuf();
  for (const StepForm& form : step_forms()) {
    const std::string row = "\n| `" + std::string(form.word) + "` |";
    const std::size_t begin = text.str().find(row);
    ASSERT_NE(begin, std::string::npos) << form.word;
    const std::string line = text.str().substr(begin + 1, text.str().find('\n', begin + 1) - begin);
    const std::string bound = line.substr(line.find(" | ", row.size()) + 2);
    if (form.parameter.empty()) {
      EXPECT_EQ(bound, " |\n") << line;
      continue;
    }
    for (const std::string& part : bound_in_table(form)) {
      EXPECT_NE(bound.find(part), std::string::npos) << part << " is not in " << line;
    }
  }
}

TEST(Recipes, DoNothingThatTheyDoNotSay) {
  onf::Module module = stencils();
  EXPECT_EQ(apply(module, with_steps({})).functions, 0u);
  EXPECT_EQ(apply(module, with_steps({{StepKind::fuse, {}, "g"}})).functions, 0u);
  const Outcome outcome = apply(module, with_steps({{StepKind::share}}));
  EXPECT_EQ(outcome.functions, 1u);
  EXPECT_TRUE(outcome.steps.empty());
  EXPECT_EQ(module.pad, 1);
}

TEST(Recipes, ARefusalHasACounterexample) {
  onf::Module module = stencils();
  const Outcome outcome = apply(module, with_steps({{StepKind::fuse}, {StepKind::in_place}}));
  const Step* fuse = first_of(outcome, "fuse");
  ASSERT_NE(fuse, nullptr);
  EXPECT_FALSE(fuse->holds);
  EXPECT_EQ(fuse->of, 0u);
  EXPECT_EQ(fuse->counterexample,
            "on 1x3 element (0, 0) needs v at (0, 1), which the same pass may not have computed "
            "yet");
}

// Element 0 is no example where it is computed another way than those that read.
TEST(Recipes, ACounterexampleIsNoElementThatDoesNotRead) {
  for (const bool by_place : {false, true}) {
    FormBuilder form(2, 1);
    const auto u = form.argument("u", term::Mode::upd);
    const onf::Expr first = truth_of(onf::ScalarFunction::less, {form.position(0), integer(1)});
    const onf::Expr before = form.load(u, {-1, 0}), own = form.load(u, {0, 0});
    form.assign(u, by_place ? choice_of(first, own, before) : sum(before, own));
    onf::Module module = form.finish();
    const Outcome outcome = apply(module, with_steps({{StepKind::in_place}}));
    const Step* step = first_of(outcome, "in_place");
    ASSERT_NE(step, nullptr);
    EXPECT_FALSE(step->holds);
    EXPECT_EQ(step->counterexample,
              by_place ? "u at (-1, 0) from an element may be overwritten before that has read it"
                       : "on 2x1 u at (1, 0) may be overwritten before element (0, 0) has read it");
  }
}

TEST(Recipes, NothingIsFusedIntoAPassThatIsFull) {
  for (const std::int64_t most : {1, 2}) {
    FormBuilder form(1, 1);
    for (const char* name : {"a", "b", "c"}) {
      const auto u = form.argument(name, term::Mode::upd);
      form.assign(u, sum(form.load(u, {0}), form.load(u, {0})));
    }
    onf::Module module = form.finish();
    const Outcome outcome = apply(module, with_steps({{StepKind::fuse, most}}));
    EXPECT_EQ(outcome.costs.at(0).after.passes.size(), most == 1 ? 3u : 2u);
    EXPECT_NE(std::ranges::find(outcome.steps, false, &Step::holds), outcome.steps.end());
  }
}

TEST(Recipes, FusingComesBeforePlanes) {
  onf::Module module = stencils();
  const Outcome outcome = apply(module, with_steps({{StepKind::pipeline}, {StepKind::fuse}}));
  const Step* fuse = first_of(outcome, "fuse");
  ASSERT_NE(fuse, nullptr);
  EXPECT_FALSE(fuse->holds);
  EXPECT_NE(fuse->condition.find("fuse stands before pipeline"), std::string::npos);
}

TEST(Recipes, WhereThereAreNoPlanesAPipelineIsRefused) {
  onf::Module module = stencils();
  const Outcome outcome = apply(module, with_steps({{StepKind::pipeline}}), {"there is no room"});
  const Step* step = first_of(outcome, "pipeline");
  ASSERT_NE(step, nullptr);
  EXPECT_FALSE(step->holds);
  EXPECT_EQ(step->condition, "there is no room");
}

TEST(Recipes, PassesTrafficAndRefillsAreCounted) {
  onf::Module module = stencils();
  const Outcome outcome = apply(module);
  ASSERT_EQ(outcome.costs.size(), 1u);
  const Cost &before = outcome.costs[0].before, &after = outcome.costs[0].after;
  // v reads u and is written; w reads v and u and is written.
  ASSERT_EQ(before.passes.size(), 2u);
  EXPECT_EQ(before.bytes(), 5 * 8);
  EXPECT_EQ(before.operations(), 2u);
  EXPECT_EQ(before.blocks, 2u);
  // In planes: reads u, writes w; v is a ring.
  ASSERT_EQ(after.passes.size(), 1u);
  EXPECT_EQ(after.bytes(), 2 * 8);
  EXPECT_EQ(after.operations(), 2u);
  EXPECT_EQ(after.blocks, 0u);
  EXPECT_GT(after.planes, 0);
  EXPECT_EQ(after.layers, 2);  // of v, two before the first
}

// Of calls that are no more passes; without a bound where there is little to compute.
TEST(Recipes, CallsInARowAreOne) {
  onf::Module unchanged = stencils();
  const Outcome nothing = apply(unchanged, with_steps({{StepKind::repeat}}));
  EXPECT_EQ(
      to_string(*first_of(nothing, "repeat")),
      "repeat at f: refused, 2 calls stays; what a call leaves goes into the next one, but it "
      "reads no array that it changes (form)");
  const auto made = [](std::optional<std::int64_t> times, bool planes, int operations) {
    FormBuilder form(2, 1);
    const auto u = form.argument("u", term::Mode::upd);
    onf::Expr element = sum(form.load(u, {-1, 0}), form.load(u, {1, 0}));
    for (int k = 0; k < operations; ++k) element = sum(element, form.load(u, {0, k % 2}));
    form.assign(u, element);
    onf::Module module = form.finish();
    Recipe recipe = with_steps({{StepKind::in_place}, {StepKind::repeat, times}});
    if (planes) recipe.steps.push_back({StepKind::pipeline});
    const Outcome outcome = apply(module, recipe);
    const Step* step = first_of(outcome, "repeat");
    if (step == nullptr) return std::string("no step");
    const bool added = module.functions.size() == 2;
    EXPECT_EQ(step->holds, added);
    return (added ? module.functions[1].name + ": " : "") + to_string(*step);
  };
  EXPECT_EQ(
      made({}, true, 1),
      "f_2_times: repeat at f: 2 calls => one call of f_2_times; they are no more passes than "
      "one call, which has 1 (count of passes)");
  EXPECT_EQ(
      made(3, true, 90),
      "f_3_times: repeat at f: 3 calls => one call of f_3_times; they are no more passes than "
      "one call, which has 1 (count of passes)");
  EXPECT_EQ(made({}, false, 1),
            "repeat at f: refused, 2 calls stays; they are no more passes than one call, which has "
            "1, but these would be 2 (count of passes)");
  EXPECT_EQ(made({}, true, 90),
            "repeat at f: refused, 2 calls stays; one call waits for memory: it has fewer than 5 "
            "operations for 2 bytes, but it has 91 for 16 (cost)");
}

// What is not shared counts as often as it is written, and what no index is in not at all.
TEST(Recipes, OperationsAreCountedAsTheyAreWritten) {
  for (const bool share : {false, true}) {
    FormBuilder form(1, 1);
    const auto u = form.argument("u", term::Mode::upd);
    const onf::Expr part = sum(form.load(u, {0}), sum(real(1), real(2)));
    form.assign(u, apply(onf::ScalarFunction::multiply, {part, part}));
    onf::Module module = form.finish();
    Recipe recipe = with_steps({{StepKind::drop}});
    if (share) recipe.steps.push_back({StepKind::share});
    const Outcome outcome = apply(module, recipe);
    EXPECT_EQ(outcome.costs.at(0).before.operations(), 3u);
    EXPECT_EQ(outcome.costs.at(0).after.operations(), share ? 2u : 3u);
  }
}

}  // namespace
}  // namespace rhopsi::schedule
