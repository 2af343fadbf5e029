// The recipes that a schedule is chosen from, and how one is made of another.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/recipe.hpp"

namespace rhopsi::schedule {

struct Candidate {
  std::string name;     // "planes"
  std::string meaning;  // in a few words
  Recipe recipe;
};

// What is chosen from: the program as it is written, `off`, first; then more and more steps.
std::vector<Candidate> candidates();

// Those, and with them what is more a matter of measurement: other bounds of the same steps, and
// steps left out. For elements in that number.
std::vector<Candidate> more_candidates(const Candidate& best, std::int64_t elements);

// Bounds of `materialise`: from what one value takes to be stored and read at two indices, which
// are three accesses of the nearest cache, to what none of usual stencils saves.
inline constexpr std::array<std::int64_t, 5> savings{2, 4, 8, 16, 32};

// The first step of that kind, or null.
const RecipeStep* step_of(const Recipe& recipe, StepKind kind);

// With the bound for its first step of that kind, or with such a step behind the others. `name` is
// added to that of the candidate.
Candidate with_step(const Candidate& base, const std::string& name, const std::string& meaning,
                    StepKind kind, std::optional<std::int64_t> bound);
// Without pads: the ends of rows have loops of their own.
Candidate peeled(const Candidate& base);
// Several rows in one loop, as many as the step finds worth it.
Candidate unrolled(const Candidate& base);
// With common factors taken out of sums of products, which needs that reals may be computed in any
// order.
Candidate factored(const Candidate& base);
// What several indices compute waits in planes, too, where that saves so many operations of an
// element; nothing for a recipe without planes.
std::optional<Candidate> materialised(const Candidate& base, std::int64_t least);

// The power of two between which and its double the number is; 1 for what is less.
std::int64_t power_below(std::int64_t elements);

}  // namespace rhopsi::schedule
