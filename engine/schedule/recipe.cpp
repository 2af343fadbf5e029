#include "engine/schedule/recipe.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace rhopsi::schedule {

namespace {

constexpr std::int64_t any_number = std::numeric_limits<std::int32_t>::max();

// bound_to_axes and so on.
constexpr std::array<std::string_view, 3> loops{"nested", "rows", "teams"};

constexpr std::array<std::string_view, 5> boundaries{"modulo", "select", "mask", "peel", "pad"};
constexpr auto from_pads = static_cast<std::int64_t>(Boundary::pad);

// 201 and 021; 21, since the 0 of axes 0, 2, 1 may be left out; not 11, which has an axis twice.
bool names_axes_once(std::int64_t number) {
  std::string digits = std::to_string(number);
  std::ranges::sort(digits);
  if (digits.front() != '0') digits.insert(0, "0");
  return digits == std::string_view("0123456789").substr(0, digits.size());
}

constexpr std::array<StepForm, 19> forms{{
    {StepKind::drop, "drop", "what nobody reads is not computed"},
    {StepKind::fuse, "fuse", "sweeps that read one another at their own index alone are one pass",
     "max_values", 1, any_number},
    {StepKind::inline_,
     "inline",
     "what is cheap to compute again is, where it is read",
     "max_again",
     0,
     1000,
     0,
     {},
     true},
    {StepKind::materialise,
     "materialise",
     "what many indices compute is stored",
     "least_saved",
     1,
     1000,
     40,
     {},
     true},
    {StepKind::factor,
     "factor",
     "sums of products have common factors taken out, where reals may be computed in any order",
     {},
     0,
     0,
     {},
     {},
     true},
    {StepKind::pipeline, "pipeline",
     "sweeps that read one another a few planes away are one pass, plane by plane", "max_planes", 0,
     64, 8},
    {StepKind::tile, "tile",
     "passes go tile by tile, so that what waits or is read again stays in a core's cache",
     "most_rows", 1, any_number},
    {StepKind::pad, "pad", "pads are as wide as what is read beyond an axis", "widest", 0, 64, 8},
    {StepKind::in_place, "in_place", "a result is written where its argument was"},
    {StepKind::refill, "refill", "of pads no more is filled than is read"},
    {StepKind::share, "share", "what a pass computes twice it computes once"},
    {StepKind::hoist, "hoist",
     "what many elements compute the same is computed once, in an array over what it depends on"},
    {StepKind::bind, "bind", "how a pass goes through the elements", "to", 0, 2, 1, loops},
    {StepKind::threads, "threads", "passes over few elements have one thread", "least", 0,
     any_number, usual_serial_below},
    {StepKind::repeat, "repeat", "several calls in a row are one, in no more passes than one call",
     "times", 2, 64},
    {StepKind::boundary, "boundary", "how what lies beyond the ends of an axis is read", "as", 0,
     from_pads, from_pads, boundaries},
    {StepKind::layout,
     "layout",
     "arrays have their axes in another order in memory, so that rows are long",
     "order",
     10,
     543210,
     {},
     {},
     true,
     names_axes_once,
     "whose digits are axes, each once"},
    {StepKind::interchange,
     "interchange",
     "the innermost loop goes along the axis on which most accesses lie side by side",
     {},
     0,
     0,
     {},
     {},
     true},
    {StepKind::unroll,
     "unroll",
     "rows side by side are computed in one loop, so that what they read in common is loaded once",
     "most_rows",
     2,
     8,
     {},
     {},
     true},
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
  Recipe recipe{"full", {}, {}};
  for (const StepForm& form : forms) {
    if (!form.trades) recipe.steps.push_back({form.kind});
  }
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

std::optional<std::int64_t> value_of(const StepForm& form, std::string_view text) {
  if (!form.words.empty()) {
    const auto found = std::ranges::find(form.words, text);
    if (found == form.words.end()) return std::nullopt;
    return found - form.words.begin();
  }
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  if (value < form.least || value > form.most) return std::nullopt;
  return form.allows == nullptr || form.allows(value) ? std::optional(value) : std::nullopt;
}

namespace {

// "require pipeline(max_planes = 4);"
std::optional<RecipeStep> read_step(std::string_view text) {
  constexpr std::string_view required = "require ";
  const bool must = text.starts_with(required);
  if (must) text.remove_prefix(required.size());
  if (!text.ends_with(';')) return std::nullopt;
  text.remove_suffix(1);
  const std::size_t open = text.find('(');
  const StepForm* form = find_step_form(text.substr(0, open));
  if (form == nullptr) return std::nullopt;
  RecipeStep step{form->kind};
  step.required = must;
  if (open == std::string_view::npos) return step;
  const std::string begin = "(" + std::string(form->parameter) + " = ";
  text.remove_prefix(open);
  if (form->parameter.empty() || !text.starts_with(begin) || !text.ends_with(')'))
    return std::nullopt;
  step.bound = value_of(*form, text.substr(begin.size(), text.size() - begin.size() - 1));
  return step.bound ? std::optional(step) : std::nullopt;
}

}  // namespace

std::optional<Recipe> read_recipe(std::string_view text) {
  constexpr std::string_view word = "schedule ", open = " = {\n", close = "};\n", margin = "  ";
  const std::size_t name_end = text.find(open);
  if (!text.starts_with(word) || name_end == std::string_view::npos) return std::nullopt;
  Recipe recipe{std::string(text.substr(word.size(), name_end - word.size())), {}, {}};
  text.remove_prefix(name_end + open.size());
  while (text != close) {
    const std::size_t end = text.find('\n');
    if (!text.starts_with(margin) || end == std::string_view::npos) return std::nullopt;
    auto step = read_step(text.substr(margin.size(), end - margin.size()));
    if (!step) return std::nullopt;
    recipe.steps.push_back(std::move(*step));
    text.remove_prefix(end + 1);
  }
  return recipe;
}

}  // namespace rhopsi::schedule
