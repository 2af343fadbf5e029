// Scheduled random forms compute what they did, to the bit, and pass the verifier.
#include <cstring>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/term/store.hpp"
#include "tests/unit/schedule/machine.hpp"
#include "tests/unit/schedule/random_form.hpp"

namespace rhopsi::schedule {
namespace {

std::string errors_of(const onf::Module& module) {
  std::string text;
  for (const onf::Problem& problem : onf::verify(module)) {
    if (problem.error) text += problem.code + " " + problem.message + "\n";
  }
  return text;
}

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

Recipe recipe_of(unsigned seed) {
  Recipe recipe;
  if (seed % 3 != 0) return recipe;
  recipe.fuse = seed / 3 % 2 == 0;
  recipe.in_place = seed / 6 % 2 == 0;
  recipe.share = seed / 12 % 2 == 0;
  recipe.pipeline = seed / 96 % 2 == 0;
  recipe.widest_pad = std::vector<std::int64_t>{0, 1, 2, 8}[seed / 24 % 4];
  return recipe;
}

TEST(RandomForms, ScheduledFormsComputeTheSame) {
  std::map<std::string, std::pair<int, int>> steps;  // taken, refused
  int scheduled = 0, forms = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const RandomForm form = random_form(seed);
    term::Store store;
    const auto described = [&](const onf::Module& module) {
      return "seed " + std::to_string(seed) + "\n" + onf::to_string(store, form.module) + "\n" +
             onf::to_string(store, module);
    };
    ASSERT_EQ(errors_of(form.module), "") << described(form.module);
    onf::Module module = form.module;
    const Outcome outcome = apply(module, recipe_of(seed));
    ASSERT_EQ(errors_of(module), "") << described(module);
    ASSERT_EQ(outcome.functions, 1u) << described(module);
    std::mt19937 random(seed);
    const std::vector<Elements> arguments = arguments_of(form, random);
    const auto expected = Machine(form.module, form.shape, seed).run(arguments);
    const auto found = Machine(module, form.shape, seed + 1).run(arguments);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (form.module.functions[0].arguments[k].mode == term::Mode::obs) continue;
      ASSERT_TRUE(same_bits(expected[k], found[k]))
          << "argument " << k << ", " << described(module);
      for (const double element : found[k]) {
        ASSERT_EQ(element, element) << "unset or stale, " << described(module);
      }
    }
    scheduled += int(outcome.functions);
    ++forms;
    for (const Step& step : outcome.steps) {
      ++(step.holds ? steps[step.name].first : steps[step.name].second);
    }
  }
  std::cout << scheduled << " of " << forms << " forms scheduled\n";
  for (const auto& [name, count] : steps) {
    std::cout << name << ": " << count.first << " taken, " << count.second << " refused\n";
    EXPECT_GT(count.first, 0) << name;
  }
  for (const char* name :
       {"fuse", "in-place", "pipeline", "refill", "ring", "share", "drop", "pad"}) {
    EXPECT_TRUE(steps.contains(name)) << name;
  }
  EXPECT_GT(steps["fuse"].second, 0);
  EXPECT_GT(steps["in-place"].second, 0);
  EXPECT_GT(steps["pipeline"].second, 0);
}

}  // namespace
}  // namespace rhopsi::schedule
