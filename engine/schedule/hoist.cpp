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
  std::vector<Hoisted> values;
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
  if (std::ranges::none_of(attempt.values, &Hoisted::taken)) return attempt;
  onf::choose_index_widths(module, made);
  attempt.problem = new_problem(module, function, made);
  if (attempt.problem.empty()) function = std::move(made);
  return attempt;
}

// Nest by nest where they cannot all be.
void hoist(const onf::Module& module, onf::Function& function, std::vector<Hoisted>& told) {
  Attempt all = try_to_hoist(module, function, std::nullopt);
  if (all.problem.empty()) {
    std::ranges::move(all.values, std::back_inserter(told));
    return;
  }
  std::vector<std::string> labels;
  for (const Hoisted& one : all.values) {
    if (std::ranges::count(labels, one.site) == 0) labels.push_back(one.site);
  }
  for (const std::string& label : labels) {
    Attempt one = try_to_hoist(module, function, label);
    for (Hoisted& value : one.values) {
      if (value.taken && !one.problem.empty()) {
        value.reason += ", but " + one.problem;
        value.taken = false;
      }
      told.push_back(std::move(value));
    }
  }
}

}  // namespace

std::vector<Hoisted> hoist(onf::Module& module) {
  std::vector<Hoisted> told;
  for (onf::Function& function : module.functions) {
    if (!function.device && has_own_shapes(function)) hoist(module, function, told);
  }
  return told;
}

std::string describe(const std::vector<Hoisted>& values) {
  std::string text;
  for (const Hoisted& one : values) {
    text += std::string(one.taken ? "hoisted" : "not hoisted") + " at " + one.site + " in " +
            one.function + ": " + one.reason + "\n";
  }
  return text;
}

}  // namespace rhopsi::schedule
