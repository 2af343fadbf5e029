#include "engine/schedule/nest_steps.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "engine/onf/index_width.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/schedule/own_shapes.hpp"
#include "engine/schedule/plain_nests.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// A problem that the second function has more often than the first one: the first such.
std::string new_problem(const onf::Module& module, const onf::Function& before,
                        const onf::Function& after) {
  using Told = std::tuple<std::string, std::string, term::LocationId>;
  std::map<Told, int> known;
  for (const onf::Problem& problem : onf::check_shapes(module, before)) {
    ++known[{problem.code, problem.message, problem.location}];
  }
  for (const onf::Problem& problem : onf::check_shapes(module, after)) {
    if (--known[{problem.code, problem.message, problem.location}] < 0) return problem.message;
  }
  return {};
}

// In the nest with that label, or in all of them; what became of each thing that was tried, and the
// first problem with what is made: then the function is as it was.
struct Attempt {
  std::vector<Step> told;
  std::string problem = {};
};
Attempt try_in_nests(const onf::Module& module, onf::Function& function, const NestStep& step,
                     const std::optional<std::string>& label) {
  Attempt attempt;
  onf::Function made = function;
  replace_plain_nests(module, made,
                      [&](const onf::Nest& nest, onf::Statements body,
                          term::LocationId location) -> std::optional<onf::Statements> {
                        if (label && nest.label != *label) return std::nullopt;
                        return step(module, made, nest, std::move(body), location, attempt.told);
                      });
  if (std::ranges::none_of(attempt.told, &Step::holds)) return attempt;
  onf::choose_index_widths(module, made);
  attempt.problem = new_problem(module, function, made);
  if (attempt.problem.empty()) function = std::move(made);
  return attempt;
}

// Nest by nest where they cannot all be.
std::vector<Step> take_in(const onf::Module& module, onf::Function& function,
                          const NestStep& step) {
  Attempt all = try_in_nests(module, function, step, std::nullopt);
  if (all.problem.empty()) return std::move(all.told);
  std::vector<std::string> labels;
  for (const Step& one : all.told) {
    if (std::ranges::count(labels, one.site) == 0) labels.push_back(one.site);
  }
  std::vector<Step> told;
  for (const std::string& label : labels) {
    Attempt one = try_in_nests(module, function, step, label);
    for (Step& each : one.told) {
      if (each.holds && !one.problem.empty())
        each = refuse(std::move(each), each.condition + ", but " + one.problem, each.decider);
      told.push_back(std::move(each));
    }
  }
  return told;
}

}  // namespace

std::vector<Step> take_in_nests(onf::Module& module, StepKind kind, const NestStep& step,
                                const Recipe& recipe, const std::string& why_not) {
  std::vector<Step> all;
  for (onf::Function& function : module.functions) {
    if (function.device || !has_own_shapes(function)) continue;
    const Chosen chosen = steps_on(recipe, function.name);
    const auto of = chosen.find(kind);
    if (of == chosen.end()) continue;
    const bool wanted = why_not.empty();
    std::optional<onf::Function> unused;
    std::vector<Step> steps = take_in(module, wanted ? function : unused.emplace(function), step);
    for (Step& one : steps) {
      if (!wanted) one = refuse(std::move(one), why_not, "target");
      one.of = of->second;
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace rhopsi::schedule
