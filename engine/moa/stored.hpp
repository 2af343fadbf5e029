// Reduction where some subterms are arrays that are there already. Internal to this folder.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/moa/reduce.hpp"

namespace rhopsi::moa {

// A subterm whose elements are those of a leaf. Its variables are leaves' variables, so that it
// means the same wherever it stands.
struct Stored {
  std::vector<term::TermId> occurrences;
  LeafId leaf{};
  Vector shape;  // of `expressions` below
};

// As reduce(), within Expressions that several forms share. The first `outside` leaves are the
// expression's.
tl::expected<NormalForm, Problem> reduce(const Library& library, term::TermId expression,
                                         std::vector<Leaf> leaves, std::size_t outside,
                                         std::span<const Stored> stored,
                                         const std::shared_ptr<Expressions>& expressions,
                                         const Limits& limits);

}  // namespace rhopsi::moa
