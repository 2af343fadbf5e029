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
// and expressions, those of callees once per call. Of a function that is several calls of another
// one (onf::Function::repeats) the body is followed as often.
tl::expected<Graph, Obstacle> build(const onf::Module& module, const onf::Function& function);
tl::expected<Graph, Obstacle> build(const onf::Module& module, onf::FunctionId id);

}  // namespace rhopsi::schedule
