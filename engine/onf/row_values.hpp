// What all elements of a row of a nest compute the same.
#pragma once

#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

struct RowValues {
  Statements names;         // of the nest's body, those that may be in front of the loop along rows
  std::vector<Expr> parts;  // of its other names and elements: no part twice

  bool any() const { return !names.empty() || !parts.empty(); }
};

// Of a nest over a box, bound as nested loops, with two axes or more, whose body is constant names:
// what does not depend on the index of its innermost loop and is computed for every element, if
// quotients, roots or other functions are among it that depend on an index; otherwise nothing.
// Compilers do not move these by themselves where they read arrays, which a store may have changed.
// Quadratic in the parts.
RowValues row_values(const Nest& nest);

// e with these variables in place of the parts, wherever these were looked for: not in branches.
Expr with_row_values(Expr e, const RowValues& values, const std::vector<VariableId>& named);

}  // namespace rhopsi::onf
