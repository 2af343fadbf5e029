// The steps that change the graph, in the order of the recipe.
#include <algorithm>

#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

bool changes_sweeps(StepKind kind) {
  return kind == StepKind::drop || kind == StepKind::fuse || kind == StepKind::inline_ ||
         kind == StepKind::materialise || kind == StepKind::factor;
}

// Passes of planes are timed for the sweeps that there are.
void change_sweeps(Graph& graph, const RecipeStep& step, const Surroundings& around,
                   std::vector<Step>& steps) {
  const std::string word(form_of(step.kind).word);
  if (std::ranges::any_of(graph.passes, &Pass::pipelined)) {
    steps.push_back(refused(
        word, {graph.name()},
        {.before = "sweeps in planes",
         .condition = "which sweeps there are is settled before they run plane by plane, so " +
                      word + " stands before pipeline",
         .decider = "order"}));
    return;
  }
  if (step.kind == StepKind::drop) drop_unused(graph, steps);
  if (step.kind == StepKind::fuse) fuse(graph, step.limit(), steps);
  if (step.kind == StepKind::inline_) inline_values(graph, *step.limit(), steps);
  if (step.kind == StepKind::materialise) materialise(graph, *step.limit(), steps);
  if (step.kind == StepKind::factor) factor(graph, around.any_order, steps);
  separate(graph);
}

// Elements that wait cost nothing: of arrays of one axis as many may as a recipe could say.
std::int64_t most_waiting(const Graph& graph, const RecipeStep& step) {
  return graph.rank() == 1 && !step.bound ? form_of(step.kind).most : *step.limit();
}

// Why a pass of one sweep does not go over rows in an order of its own; empty where it does.
std::string why_no_rows(const Recipe& recipe, const Chosen& chosen, const Surroundings& around) {
  if (on_device(recipe, chosen, around))
    return "a tile has rows side by side, but each element is a thread of a device";
  if (!around.no_planes.empty()) return around.no_planes;
  const auto bind = chosen.find(StepKind::bind);
  if (bind == chosen.end() || recipe.steps[bind->second].limit() != bound_to_rows)
    return "a tile has rows side by side, but the pass has one loop per axis";
  return {};
}

}  // namespace

Chosen steps_on(const Recipe& recipe, const std::string& function) {
  Chosen chosen;
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    const RecipeStep& step = recipe.steps[k];
    if (step.on.empty() || step.on == function) chosen.emplace(step.kind, k);
  }
  return chosen;
}

bool on_device(const Recipe& recipe, const Chosen& chosen, const Surroundings& around) {
  if (around.device) return true;
  const auto bind = chosen.find(StepKind::bind);
  return bind != chosen.end() && recipe.steps[bind->second].limit() == bound_to_teams;
}

void transform(Graph& graph, const onf::Function& function, const Recipe& recipe,
               const Chosen& chosen, const Surroundings& around, std::vector<Step>& steps) {
  separate(graph);
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    const RecipeStep& step = recipe.steps[k];
    const auto found = chosen.find(step.kind);
    if (found == chosen.end() || found->second != k) continue;
    if (step.kind == StepKind::pipeline) {
      Planes planes{most_waiting(graph, step), chosen.contains(StepKind::in_place),
                    around.no_planes};
      if (on_device(recipe, chosen, around)) {
        planes.teams.emplace();
        const bool known = std::ssize(around.extents) == graph.rank();
        if (known) planes.teams->extents = around.extents;
      }
      pipeline(graph, function, planes, steps);
    } else if (changes_sweeps(step.kind)) {
      change_sweeps(graph, step, around, steps);
    }
  }
  const auto tiles = chosen.find(StepKind::tile);
  if (tiles != chosen.end()) {
    tile(graph, recipe.steps[tiles->second].limit(), why_no_rows(recipe, chosen, around), steps);
  }
  fold_in_planes(graph);
}

}  // namespace rhopsi::schedule
