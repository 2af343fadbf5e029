#include "engine/schedule/recipe.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace rhopsi::schedule {

namespace {

constexpr std::int64_t any_number = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::string_view, 2> loops{"nested", "rows"};

constexpr std::array<StepForm, 9> forms{{
    {StepKind::drop, "drop", "what nobody reads is not computed"},
    {StepKind::fuse, "fuse", "sweeps that read one another at their own index alone are one pass",
     "max_values", 1, any_number},
    {StepKind::pipeline, "pipeline",
     "sweeps that read one another a few planes away are one pass, plane by plane", "max_planes", 0,
     64, 8},
    {StepKind::pad, "pad", "pads are as wide as what is read beyond an axis", "widest", 0, 64, 8},
    {StepKind::in_place, "in_place", "a result is written where its argument was"},
    {StepKind::refill, "refill", "of pads no more is filled than is read"},
    {StepKind::share, "share", "what a pass computes twice it computes once"},
    {StepKind::bind, "bind", "how a pass goes through the elements", "to", 0, 1, 1, loops},
    {StepKind::repeat, "repeat", "several calls in a row are one, in no more passes than one call",
     "times", 2, 64},
}};

std::string schedule_of(const std::string& name, std::span<const RecipeStep> steps) {
  const std::string on = steps.empty() || steps.front().on.empty() ? "" : " on " + steps.front().on;
  std::string text = "schedule " + name + on + " = {\n";
  for (const RecipeStep& step : steps) {
    text += std::string("  ") + (step.required ? "require " : "") + to_string(step) + ";\n";
  }
  return text + "};\n";
}

}  // namespace

std::span<const StepForm> step_forms() { return forms; }

const StepForm& form_of(StepKind kind) { return forms[static_cast<std::size_t>(kind)]; }

const StepForm* find_step_form(std::string_view word) {
  const auto found = std::ranges::find(forms, word, &StepForm::word);
  return found == forms.end() ? nullptr : &*found;
}

Recipe standard_recipe() {
  Recipe recipe{"auto", {}, {}};
  for (const StepForm& form : forms) recipe.steps.push_back({form.kind});
  return recipe;
}

std::string to_string(const RecipeStep& step) {
  const StepForm& form = form_of(step.kind);
  if (!step.bound || step.bound == form.standard) return std::string(form.word);
  const std::string value = form.words.empty()
                                ? std::to_string(*step.bound)
                                : std::string(form.words[static_cast<std::size_t>(*step.bound)]);
  return std::string(form.word) + "(" + std::string(form.parameter) + " = " + value + ")";
}

std::string to_string(const Recipe& recipe) {
  std::string text, uses;
  std::size_t parts = 0;
  const std::span<const RecipeStep> steps = recipe.steps;
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first + 1;
    while (end < steps.size() && steps[end].on == steps[first].on) ++end;
    if (first == 0 && end == steps.size()) break;
    const std::string name = recipe.name + "_" + std::to_string(++parts);
    text += schedule_of(name, steps.subspan(first, end - first));
    uses += "  use " + name + ";\n";
    first = end;
  }
  if (parts == 0) return schedule_of(recipe.name, steps);
  return text + "schedule " + recipe.name + " = {\n" + uses + "};\n";
}

}  // namespace rhopsi::schedule
