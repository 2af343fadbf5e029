// Recipes: which steps a schedule takes, in which order, and the bounds that a user sets them.
//
// layout comes before all others, wherever it stands: they see the order of axes that it has made.
// hoist likewise, of functions whose arrays have shapes of their own (hoist.hpp).
// drop, fuse, inline, materialise, factor and pipeline change the graph, one after the other as the
// recipe has them. The others say how the passes that are left are cut, written and run, and may
// stand anywhere; repeat makes another function besides, to which all of them apply.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::schedule {

enum class StepKind : std::uint8_t {
  drop,
  fuse,
  inline_,
  materialise,
  factor,
  pipeline,
  tile,
  pad,
  in_place,
  refill,
  share,
  hoist,
  bind,
  threads,
  repeat,
  boundary,
  layout,
  interchange,
  unroll,
};

// How a kind of step is written, and what it does. A step has one parameter at most: a bound that
// is a matter of taste or of the machine, never what analysis can find out.
struct StepForm {
  StepKind kind;
  std::string_view word;
  std::string_view meaning;
  std::string_view parameter = {};               // empty: none
  std::int64_t least = 0, most = 0;              // its values
  std::optional<std::int64_t> standard = {};     // where it is not given; nothing: no bound
  std::span<const std::string_view> words = {};  // the values are these, by number
  bool trades = false;  // it saves one thing at the cost of another: only where it is asked for
  bool (*allows)(std::int64_t) = nullptr;  // which of those numbers; null: all
  std::string_view allowed = {};           // these, in words
};

// Elements below which passes have one thread where no step says otherwise: the runtime's own
// number.
inline constexpr std::int64_t usual_serial_below = 4096;

// The values of `boundary`.
enum class Boundary : std::uint8_t { modulo, select, mask, peel, pad };
constexpr Boundary boundary_of(std::int64_t value) { return static_cast<Boundary>(value); }

// All of them; each kind has one form.
std::span<const StepForm> step_forms();
const StepForm& form_of(StepKind kind);
// The form of that word, or null.
const StepForm* find_step_form(std::string_view word);

// The values of `bind`: one loop per axis, rows of the last one, or teams as on a device.
inline constexpr std::int64_t bound_to_axes = 0, bound_to_rows = 1, bound_to_teams = 2;

struct RecipeStep {
  StepKind kind;
  std::optional<std::int64_t> bound = {};  // nothing: as the form has it
  std::string on = {};                     // the functions of this name; empty: all
  bool required = false;                   // that it is taken nowhere is an error
  term::LocationId location{};

  std::optional<std::int64_t> limit() const { return bound ? bound : form_of(kind).standard; }
};

struct Recipe {
  std::string name;
  std::vector<RecipeStep> steps;
  term::LocationId location{};
};

// `full`: every step that trades nothing, with standard bounds.
Recipe standard_recipe();

// As it is written in a package: one schedule, or, where steps are on several functions, one for
// each run of steps on the same and one that uses these.
std::string to_string(const Recipe& recipe);
// "pipeline(max_planes = 4)"
std::string to_string(const RecipeStep& step);

// The value of a form's parameter that is written so; nothing if it has none such.
std::optional<std::int64_t> value_of(const StepForm& form, std::string_view text);
// What to_string gives of a recipe whose steps are on no function; nothing for any other text.
std::optional<Recipe> read_recipe(std::string_view text);

}  // namespace rhopsi::schedule
