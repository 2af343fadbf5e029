// Values of expressions by way of their normal forms, compiled.
#pragma once

#include <optional>
#include <vector>

#include "frontend/driver/evaluation.hpp"

namespace rhopsi::driver {

// What became of a case.
struct Outcome {
  std::optional<reference::Array> array;
  syntax::Diagnostics problems;  // where there is no array
};

// All cases are reduced, emitted as one program, and run by it (backends/kokkos/batch). What goes
// wrong in one of them is its own; `diagnostics` hears what concerns them all, and nothing is
// returned then.
std::optional<std::vector<Outcome>> compiled_values(Evaluation& evaluation,
                                                    const std::vector<ExpressionCase>& cases,
                                                    syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
