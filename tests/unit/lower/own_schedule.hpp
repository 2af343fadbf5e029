// Schedules of a program whose arrays have shapes of their own.
#pragma once

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/nests.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/lower/shaped_fixture.hpp"

namespace rhopsi {

using schedule::StepKind;

class OwnSchedule : public Shaped {
 protected:
  // The form of `p` under a recipe of these steps, and what became of them.
  onf::Module scheduled(const std::string& operations, std::vector<schedule::RecipeStep> steps) {
    if (!load(operations)) return {};
    auto module = shaped({"p"});
    EXPECT_TRUE(module) << messages();
    if (!module) return {};
    outcome = schedule::apply(*module, {"steps", std::move(steps), {}}, around);
    for (const onf::Problem& problem : onf::verify(*module)) {
      EXPECT_FALSE(problem.error) << problem.code << ": " << problem.message;
    }
    return std::move(*module);
  }
  std::string text_of(const onf::Module& module) { return onf::to_string(store, module); }
  std::string steps() const {
    std::string text;
    for (const schedule::Step& step : outcome.steps) text += schedule::to_string(step) + "\n";
    return text;
  }
  static onf::Statements& body(onf::Module& module) { return module.functions[0].body; }
  static onf::Nest& first_nest(onf::Module& module) {
    onf::Nest* found = nullptr;
    onf::each_nest(body(module), [&](onf::Nest& nest, const onf::Pipeline*) {
      if (found == nullptr) found = &nest;
    });
    return *found;
  }
  static onf::Allocate& first_allocation(onf::Module& module) {
    for (onf::Statement& statement : body(module)) {
      if (auto* found = std::get_if<onf::Allocate>(&statement.form)) return *found;
    }
    throw std::logic_error("nothing is allocated");
  }
  static onf::ViewId view(const onf::Module& module, const std::string& name) {
    const auto& views = module.functions[0].views;
    const auto found = std::ranges::find(views, name, &onf::View::name);
    return static_cast<onf::ViewId>(found - views.begin());
  }
  static std::set<std::string> codes(const onf::Module& module) {
    std::set<std::string> found;
    for (const onf::Problem& problem : onf::verify(module)) {
      if (problem.error) found.insert(problem.code);
    }
    return found;
  }

  schedule::Surroundings around;
  schedule::Outcome outcome;
};

}  // namespace rhopsi
