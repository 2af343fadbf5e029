// Reduction where some subterms are arrays that are there already. Internal to this folder.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/moa/reduce.hpp"

namespace rhopsi::moa {

// A subterm whose elements are those of a leaf. Its variables are those of the place, so that it
// means the same wherever it stands.
struct Stored {
  std::vector<term::TermId> occurrences;
  LeafId leaf{};
  Vector shape;
};

// As reduce(), with these subterms as leaves, which the place has besides the leaves that its
// variables mean.
tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         const Place& place, std::span<const Stored> stored,
                                         const Limits& limits);

// The shape of the array alone; nothing where it has none.
std::optional<Vector> shape_of(const Library& library, term::TermId expression, const Place& place,
                               const Limits& limits);

}  // namespace rhopsi::moa
