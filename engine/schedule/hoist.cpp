#include "engine/schedule/hoist.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "engine/onf/index_width.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/schedule/hoisting.hpp"
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

void hoist(const onf::Module& module, onf::Function& function, std::vector<Hoisted>& told) {
  std::vector<Hoisted> found;
  onf::Function made = function;
  replace_plain_nests(module, made,
                      [&](const onf::Nest& nest, onf::Statements body, term::LocationId location) {
                        return hoisted(module, made, nest, std::move(body), location, found);
                      });
  if (std::ranges::any_of(found, &Hoisted::taken)) {
    onf::choose_index_widths(module, made);
    const std::string problem = new_problem(module, function, made);
    if (problem.empty()) {
      function = std::move(made);
    } else {
      for (Hoisted& one : found) {
        if (one.taken) one.reason += ", but " + problem;
        one.taken = false;
      }
    }
  }
  std::ranges::move(found, std::back_inserter(told));
}

}  // namespace

std::vector<Hoisted> hoist(onf::Module& module) {
  std::vector<Hoisted> told;
  for (onf::Function& function : module.functions) {
    if (!function.device) hoist(module, function, told);
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
