#include "engine/schedule/hoist.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "engine/onf/index_width.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/schedule/hoisting.hpp"
#include "engine/schedule/own_shapes.hpp"
#include "engine/schedule/plain_nests.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// What the second function has problems with and the first one has not: the first of them.
std::string new_problem(const onf::Module& module, const onf::Function& before,
                        const onf::Function& after) {
  using Told = std::tuple<std::string, std::string, term::LocationId>;
  std::set<Told> known;
  for (const onf::Problem& problem : onf::check_shapes(module, before)) {
    known.emplace(problem.code, problem.message, problem.location);
  }
  for (const onf::Problem& problem : onf::check_shapes(module, after)) {
    if (!known.contains({problem.code, problem.message, problem.location})) return problem.message;
  }
  return {};
}

// Hoists out of the nest with that label, or out of all of them; what becomes of each value, and
// the first problem with what is made: then the function is as it was.
struct Attempt {
  std::vector<Step> values;
  std::string problem = {};
};
Attempt try_to_hoist(const onf::Module& module, onf::Function& function,
                     const std::optional<std::string>& label) {
  Attempt attempt;
  onf::Function made = function;
  replace_plain_nests(module, made,
                      [&](const onf::Nest& nest, onf::Statements body,
                          term::LocationId location) -> std::optional<onf::Statements> {
                        if (label && nest.label != *label) return std::nullopt;
                        return hoisted(module, made, nest, std::move(body), location,
                                       attempt.values);
                      });
  if (std::ranges::none_of(attempt.values, &Step::holds)) return attempt;
  onf::choose_index_widths(module, made);
  attempt.problem = new_problem(module, function, made);
  if (attempt.problem.empty()) function = std::move(made);
  return attempt;
}

// Nest by nest where they cannot all be.
void hoist(const onf::Module& module, onf::Function& function, std::vector<Step>& told) {
  Attempt all = try_to_hoist(module, function, std::nullopt);
  if (all.problem.empty()) {
    std::ranges::move(all.values, std::back_inserter(told));
    return;
  }
  std::vector<std::string> labels;
  for (const Step& one : all.values) {
    if (std::ranges::count(labels, one.site) == 0) labels.push_back(one.site);
  }
  for (const std::string& label : labels) {
    Attempt one = try_to_hoist(module, function, label);
    for (Step& value : one.values) {
      if (value.holds && !one.problem.empty()) {
        value.condition += ", but " + one.problem;
        value.after = value.before;
        value.holds = false;
      }
      told.push_back(std::move(value));
    }
  }
}

// Whatever became of it by what is written.
void refuse(Step& step, const std::string& why) {
  step.condition = why;
  step.after = step.before;
  step.holds = false;
  step.decider = "target";
}

}  // namespace

Step keep_elements(const Graph& graph) {
  return refused(
      "hoist", {graph.name()},
      {.before = "what is written",
       .condition = "every array has the shape of the run, but one of what many elements "
                    "compute the same would have fewer axes",
       .decider = "form"});
}

std::vector<Step> hoist(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  std::vector<Step> all;
  for (onf::Function& function : module.functions) {
    if (function.device || !has_own_shapes(function)) continue;
    const Chosen chosen = steps_on(recipe, function.name);
    const auto of = chosen.find(StepKind::hoist);
    if (of == chosen.end()) continue;
    std::vector<Step> steps;
    if (around.no_hoist.empty()) {
      hoist(module, function, steps);
    } else {
      onf::Function unused = function;
      hoist(module, unused, steps);
      for (Step& step : steps) refuse(step, around.no_hoist);
    }
    for (Step& step : steps) {
      step.of = of->second;
      all.push_back(std::move(step));
    }
  }
  return all;
}

}  // namespace rhopsi::schedule
