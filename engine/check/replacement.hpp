// Parts of a term replaced, many at once.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "engine/check/comparison.hpp"

namespace rhopsi::check {

struct Replacement {
  std::span<const std::uint32_t> position;
  TermId part;
};

// What stands at the position; nothing where the term has none.
std::optional<TermId> part_at(const term::Store& store, TermId term,
                              std::span<const std::uint32_t> position);

// Do the positions go from the left to the right, none of them at or below another?
bool are_apart(std::span<const Replacement> replacements);

// Makes a term of a symbol, children and bound variables.
using Maker = std::function<TermId(SymbolId, const std::vector<TermId>& children,
                                   const std::vector<SymbolId>& bound)>;

// The term with the parts in their places, which it has and which are apart. Linear in the
// children of the terms on the ways.
TermId replaced(const term::Store& store, const Maker& make, TermId root,
                std::span<const Replacement> replacements);

}  // namespace rhopsi::check
