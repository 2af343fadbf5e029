// How deep below its root a rule looks.
#pragma once

#include <cstddef>
#include <optional>

#include "engine/rewrite/candidates.hpp"

namespace rhopsi::rewrite {

// How deep a rule looks: the height of its left side, if what lies below has no say in whether
// the rule applies; nothing if it has (repeated variables, binders, conditions, statements, a right
// side that may equal the left).
std::optional<std::size_t> reach(const term::Store& store, const term::Rule& rule,
                                 const RuleTraits& traits);

// The most of all rules of the set; nothing where one of them has none.
std::optional<std::size_t> reach(const term::Store& store, std::span<const term::Rule> rules,
                                 const Candidates& candidates);

}  // namespace rhopsi::rewrite
