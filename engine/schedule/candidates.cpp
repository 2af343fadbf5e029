#include "engine/schedule/candidates.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

constexpr std::int64_t most_planes = 64;
constexpr std::size_t fused = 2;  // of candidates()

Recipe recipe_of(std::vector<RecipeStep> first) {
  Recipe recipe{"auto", std::move(first), {}};
  for (const StepKind kind : {StepKind::pad, StepKind::in_place, StepKind::refill, StepKind::share,
                              StepKind::bind, StepKind::threads}) {
    recipe.steps.push_back({kind});
  }
  return recipe;
}

Candidate repeated(std::int64_t times) {
  Recipe recipe = recipe_of(
      {{StepKind::drop}, {StepKind::fuse}, {StepKind::pipeline, most_planes}, {StepKind::tile}});
  recipe.steps.push_back({StepKind::repeat, times});
  const std::string number = std::to_string(times);
  return {"repeat-" + number, number + " calls in one pass, plane by plane", std::move(recipe)};
}

}  // namespace

const RecipeStep* step_of(const Recipe& recipe, StepKind kind) {
  const auto found = std::ranges::find(recipe.steps, kind, &RecipeStep::kind);
  return found == recipe.steps.end() ? nullptr : &*found;
}

Candidate with_step(const Candidate& base, const std::string& name, const std::string& meaning,
                    StepKind kind, std::optional<std::int64_t> bound) {
  Candidate made = base;
  made.name = base.name + ", " + name;
  made.meaning = meaning;
  const auto found = std::ranges::find(made.recipe.steps, kind, &RecipeStep::kind);
  if (found != made.recipe.steps.end()) {
    found->bound = bound;
  } else {
    made.recipe.steps.push_back({kind, bound});
  }
  return made;
}

Candidate peeled(const Candidate& base) {
  Candidate made = with_step(base, "peeled", base.meaning, StepKind::boundary,
                             static_cast<std::int64_t>(Boundary::peel));
  std::erase_if(made.recipe.steps, [](const RecipeStep& s) { return s.kind == StepKind::pad; });
  return made;
}

Candidate unrolled(const Candidate& base) {
  return with_step(base, "unrolled", base.meaning + ", several rows in one loop", StepKind::unroll,
                   {});
}

Candidate factored(const Candidate& base) {
  Candidate made = base;
  auto& steps = made.recipe.steps;
  if (step_of(made.recipe, StepKind::factor) != nullptr) return made;
  // Behind what settles which sums there are, and before what puts sweeps in planes.
  const auto settles = [](const RecipeStep& step) {
    return step.kind == StepKind::drop || step.kind == StepKind::fuse ||
           step.kind == StepKind::inline_ || step.kind == StepKind::materialise;
  };
  steps.insert(std::ranges::find_if_not(steps, settles), {StepKind::factor});
  made.name = base.name + ", factored";
  made.meaning += ", with common factors taken out";
  return made;
}

std::optional<Candidate> materialised(const Candidate& base, std::int64_t least) {
  if (step_of(base.recipe, StepKind::pipeline) == nullptr) return std::nullopt;
  Candidate made = base;
  auto& steps = made.recipe.steps;
  std::erase_if(steps, [](const RecipeStep& s) { return s.kind == StepKind::materialise; });
  // Sums are compared as they are written.
  const auto place = std::ranges::find_if(steps, [](const RecipeStep& s) {
    return s.kind == StepKind::factor || s.kind == StepKind::pipeline;
  });
  steps.insert(place, {StepKind::materialise, least});
  made.name = base.name + ", materialise " + std::to_string(least);
  made.meaning += ", what several indices compute too";
  return made;
}

std::int64_t power_below(std::int64_t elements) {
  return std::int64_t(std::bit_floor(std::uint64_t(std::max<std::int64_t>(1, elements))));
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  all.push_back({"off", "as it is written", {"auto", {}, {}}});
  all.push_back({"passes", "each sweep a pass, in place", recipe_of({{StepKind::drop}})});
  all.push_back({"fused", "sweeps at one index in one pass",
                 recipe_of({{StepKind::drop}, {StepKind::fuse}})});
  all.push_back(
      {"planes", "and sweeps a few planes apart, plane by plane, in tiles",
       recipe_of({{StepKind::drop}, {StepKind::fuse}, {StepKind::pipeline}, {StepKind::tile}})});
  for (const std::int64_t times : {2, 3, 4, 6, 8}) all.push_back(repeated(times));
  return all;
}

std::vector<Candidate> more_candidates(const Candidate& base, std::int64_t elements) {
  std::vector<Candidate> all = candidates();
  if (base.recipe.steps.empty()) return all;
  const std::int64_t below = power_below(elements);
  all.push_back(with_step(base, "one thread", "no threads are started", StepKind::threads,
                          std::min<std::int64_t>(2 * below, 1 << 30)));
  all.push_back(
      with_step(base, "all threads", "threads for any number of elements", StepKind::threads, 0));
  all.push_back(with_step(base, "nested", "one loop per axis", StepKind::bind, 0));
  all.push_back(peeled(base));
  for (const Candidate& each : {base, Candidate(all[fused])}) {
    if (step_of(each.recipe, StepKind::unroll) != nullptr) continue;
    all.push_back(unrolled(each));
  }
  all.push_back(factored(base));
  for (const std::int64_t least : savings) {
    if (auto made = materialised(base, least)) all.push_back(std::move(*made));
  }
  for (const std::int64_t most : {1, 2, 4}) {
    all.push_back(with_step(base, "max_values " + std::to_string(most), "smaller passes",
                            StepKind::fuse, most));
  }
  for (const StepKind kind :
       {StepKind::materialise, StepKind::factor, StepKind::tile, StepKind::in_place, StepKind::pad,
        StepKind::share, StepKind::unroll}) {
    if (form_of(kind).trades && step_of(base.recipe, kind) == nullptr) continue;
    Candidate without = base;
    std::erase_if(without.recipe.steps, [&](const RecipeStep& step) { return step.kind == kind; });
    without.name += ", without " + std::string(form_of(kind).word);
    all.push_back(std::move(without));
  }
  return all;
}

}  // namespace rhopsi::schedule
