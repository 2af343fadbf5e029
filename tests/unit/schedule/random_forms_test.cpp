// Scheduled random forms compute what they did, to the bit, and pass the verifier.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "engine/onf/pads.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"
#include "tests/unit/schedule/random_form.hpp"

namespace rhopsi::schedule {
namespace {

std::vector<Elements> arguments_of(const RandomForm& form, std::mt19937& random) {
  std::size_t size = 1;
  for (const std::int64_t n : form.shape) size *= std::size_t(n);
  std::vector<Elements> arguments;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (std::size_t k = 0; k < form.module.functions[0].arguments.size(); ++k) {
    arguments.emplace_back(size);
    for (double& element : arguments.back()) element = uniform(random);
  }
  return arguments;
}

bool same_bits(const Elements& a, const Elements& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// The standard one; of two seeds out of three any steps in any order with any bounds.
Recipe recipe_of(unsigned seed) {
  Recipe recipe = standard_recipe();
  if (seed % 3 == 0) return recipe;
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) {
    return std::int64_t(random() % static_cast<std::uint32_t>(n));
  };
  recipe.steps.clear();
  for (const StepForm& form : step_forms()) recipe.steps.push_back({form.kind});
  std::ranges::shuffle(recipe.steps, random);
  std::erase_if(recipe.steps, [&](const RecipeStep&) { return below(3) == 0; });
  for (RecipeStep& step : recipe.steps) {
    const StepForm& form = form_of(step.kind);
    if (form.parameter.empty() || below(2) == 0) continue;
    step.bound = form.least + below(std::min<std::int64_t>(form.most - form.least + 1, 4));
  }
  return recipe;
}

// Several calls that have become one function, against as many calls of the form before.
void expect_the_same_of_repeated(const RandomForm& form, const onf::Module& module, unsigned seed,
                                 std::vector<Elements> arguments, const std::string& described) {
  const auto& repeats = module.functions[1].repeats;
  ASSERT_TRUE(repeats.has_value()) << described;
  const auto found = FormRun(module, form.shape, seed + 2).run(arguments, 1);
  for (std::int64_t call = 0; call < repeats->times; ++call) {
    arguments = FormRun(form.module, form.shape, seed).run(arguments);
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (form.module.functions[0].arguments[k].mode == term::Mode::obs) continue;
    ASSERT_TRUE(same_bits(arguments[k], found[k]))
        << "argument " << k << " after " << repeats->times << " calls, " << described;
  }
}

// What an array has that is read, one less of it is refused.
void expect_the_least(const onf::Module& module, const std::vector<onf::ArrayPads>& pads,
                      const std::string& described) {
  for (const onf::ArrayPads& array : pads) {
    for (std::size_t axis = 0; axis < array.axes.size(); ++axis) {
      for (const bool above : {false, true}) {
        const onf::PadReason& end = above ? array.axes[axis].high : array.axes[axis].low;
        if (end.width == 0) continue;
        ASSERT_EQ(end.why, onf::PadReason::Why::read) << described;
        onf::Module narrower = module;
        for (const onf::ArrayPads::Name& name : array.names) {
          onf::Function& function = narrower.functions[onf::number(name.function)];
          const onf::BlockId block = function.views[onf::number(name.view)].block;
          onf::StoredAxis& box = function.blocks[onf::number(block)].box[axis];
          (above ? box.high : box.low) = end.width - 1;
        }
        // Of a read in a branch it is a remark.
        ASSERT_FALSE(onf::verify(narrower).empty()) << "axis " << axis << ", " << described;
      }
    }
  }
}

// With the least pads the form is well formed and computes the same.
void expect_the_same_with_least_pads(const RandomForm& form, onf::Module module, unsigned seed,
                                     const std::vector<Elements>& arguments,
                                     const std::vector<Elements>& expected,
                                     const std::string& described) {
  const std::vector<onf::ArrayPads> pads = narrow_pads(module);
  ASSERT_EQ(errors_of(module), "") << described;
  expect_the_least(module, pads, described);
  const auto found = FormRun(module, form.shape, seed + 3).run(arguments);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (form.module.functions[0].arguments[k].mode == term::Mode::obs) continue;
    ASSERT_TRUE(same_bits(expected[k], found[k])) << "argument " << k << ", " << described;
  }
}

// At how many places a step was taken and refused; and, of the steps whose places are arrays that
// statements compute, each at most once, of which share of these it was taken. For that, what is
// said of several calls in a row does not count.
struct Shares {
  std::map<std::string, std::pair<int, int>> steps;
  std::map<std::string, int> taken;
  int statements = 0;
  int by_turns = 0;  // sweeps of tiles

  void count(const Outcome& outcome) {
    for (const Step& step : outcome.steps) {
      ++(step.holds ? steps[step.name].first : steps[step.name].second);
      by_turns += step.after.starts_with("by turns") ? 1 : 0;
      const bool of_arrays = step.name == "drop" || step.name == "fuse" ||
                             step.name == "pipeline" || step.name == "in_place" ||
                             step.name == "ring";
      if (of_arrays && step.holds && step.site.rfind("f: ", 0) == 0) ++taken[step.name];
    }
    for (const FunctionCost& cost : outcome.costs) {
      if (cost.function == "f") statements += int(cost.before.passes.size());
    }
  }
  void print() const {
    std::cout << statements << " statements that compute an array\n"
              << by_turns << " sweeps of tiles by turns with the one before\n";
    for (const auto& [name, count] : steps) {
      std::cout << name << ": " << count.first << " taken, " << count.second << " refused";
      const auto found = taken.find(name);
      if (found != taken.end()) {
        std::cout << ", of " << (100 * found->second + statements / 2) / statements
                  << " % of the statements";
      }
      std::cout << "\n";
    }
  }
};

// The form under the recipe against itself as it is, on the same arguments.
void expect_the_same(const RandomForm& form, const Recipe& recipe, unsigned seed, Shares& shares,
                     int* with_ends = nullptr) {
  term::Store store;
  onf::Module module = form.module;
  const auto described = [&] {
    return "seed " + std::to_string(seed) + "\n" + to_string(recipe) +
           onf::to_string(store, form.module) + "\n" + onf::to_string(store, module);
  };
  ASSERT_EQ(errors_of(form.module), "") << described();
  const Outcome outcome = apply(module, recipe);
  ASSERT_EQ(errors_of(module), "") << described();
  ASSERT_EQ(outcome.functions, recipe.steps.empty() ? 0u : 1u) << described();
  std::mt19937 random(seed);
  const std::vector<Elements> arguments = arguments_of(form, random);
  const auto expected = FormRun(form.module, form.shape, seed).run(arguments);
  const auto found = FormRun(module, form.shape, seed + 1).run(arguments);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (form.module.functions[0].arguments[k].mode == term::Mode::obs) continue;
    ASSERT_TRUE(same_bits(expected[k], found[k])) << "argument " << k << ", " << described();
    for (const double element : found[k]) {
      ASSERT_EQ(element, element) << "unset or stale, " << described();
    }
  }
  for (const onf::Module* each : {&form.module, &std::as_const(module)}) {
    expect_the_same_with_least_pads(form, *each, seed, arguments, expected, described());
    if (testing::Test::HasFatalFailure()) return;
  }
  if (module.functions.size() > form.module.functions.size()) {
    ASSERT_EQ(module.functions.size(), 2u);
    expect_the_same_of_repeated(form, module, seed, arguments, described());
  }
  for (const Step& step : outcome.steps) {
    // Nothing is done that the recipe does not have.
    ASSERT_TRUE(step.of && *step.of < recipe.steps.size()) << to_string(step);
  }
  shares.count(outcome);
  for (const Step& step : outcome.steps) {
    if (with_ends != nullptr && step.after.ends_with("at the ends")) ++*with_ends;
  }
}

// Every step was taken somewhere; those that could be wrong were refused somewhere, too.
void expect_all_steps(Shares& shares) {
  shares.print();
  auto& steps = shares.steps;
  for (const auto& [name, count] : steps) {
    // These are of arrays with shapes of their own, and of reals whose order is free.
    if (name == "interchange" || name == "hoist" || name == "factor") continue;
    EXPECT_GT(count.first, 0) << name;
  }
  for (const char* name : {"fuse", "in_place", "pipeline"})
    EXPECT_GT(shares.taken[name], 0) << name;
  EXPECT_GT(shares.by_turns, 20);
  for (const char* name : {"fuse", "in_place", "pipeline", "tile", "refill", "ring", "share",
                           "drop", "pad", "bind", "repeat", "inline", "materialise", "boundary",
                           "layout", "interchange", "hoist", "unroll"}) {
    EXPECT_TRUE(steps.contains(name)) << name;
  }
  for (const char* name : {"fuse", "in_place", "pipeline", "repeat", "unroll"}) {
    EXPECT_GT(steps[name].second, 0) << name;
  }
}

TEST(RandomForms, ScheduledFormsComputeTheSame) {
  Shares shares;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    expect_the_same(random_form(seed), recipe_of(seed), seed, shares);
    ASSERT_FALSE(HasFatalFailure());
  }
  expect_all_steps(shares);
}

TEST(RandomForms, StatementsOverBoxesComputeTheSame) {
  Shares shares;
  std::size_t over_boxes = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const RandomForm form = random_form_over_boxes(seed);
    over_boxes += form.over_boxes;
    expect_the_same(form, recipe_of(seed), seed, shares);
    ASSERT_FALSE(HasFatalFailure());
  }
  std::cout << over_boxes << " statements over boxes\n";
  EXPECT_GT(over_boxes, 1000u);
  expect_all_steps(shares);
}

TEST(RandomForms, WhatIsStoredBetweenTheEndsComputesTheSame) {
  Shares shares;
  int with_ends = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    Recipe recipe = recipe_of(seed);
    std::erase_if(recipe.steps, [](const RecipeStep& s) {
      return s.kind == StepKind::materialise || s.kind == StepKind::inline_;
    });
    recipe.steps.insert(recipe.steps.begin() + (seed % 2 == 0 ? 0 : std::ssize(recipe.steps) / 2),
                        {StepKind::materialise, 1 + seed % 8});
    expect_the_same(random_form_of_faces(seed), recipe, seed, shares, &with_ends);
    ASSERT_FALSE(HasFatalFailure());
  }
  std::cout << with_ends << " values stored that are computed at the ends\n";
  EXPECT_GT(with_ends, 200);
}

}  // namespace
}  // namespace rhopsi::schedule
