// A function of the operational form as values. Internal to this folder.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// Why a function has no graph: what it does, and where.
struct Obstacle {
  std::string what;
  term::LocationId location{};
};

// Follows the statements of a function over domain arrays once, calls included. The module has
// passed onf::verify, so that what is read of a pad is the circular value. Linear in the statements
// and expressions, those of callees once per call. With `times` the function is called so often in
// a row, with the same arguments, and the graph is that of "step_2_times".
tl::expected<Graph, Obstacle> build(const onf::Module& module, onf::FunctionId id,
                                    std::int64_t times = 1);

}  // namespace rhopsi::schedule
