// Expressions that may have no value: an axis, a length or an index vector is another one.
#pragma once

#include <optional>

#include "tests/oracle/expression.hpp"
#include "tests/property/choice.hpp"

namespace rhopsi::oracle {

// One literal integer or index vector changed; nothing if there is none.
std::optional<Tree> mutated(const Tree& tree, property::Choice& choice);

}  // namespace rhopsi::oracle
