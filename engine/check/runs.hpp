// The runs of one derivation, step by step.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/check/comparison.hpp"
#include "engine/check/replay.hpp"

namespace rhopsi::check {

// "runs[3]"
inline std::string numbered(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

// The first flaw, with its place within the derivation. Counts steps and conditions in `outcome`,
// and lists there what is trusted; `number` is the derivation's, from 0. As replay.hpp says of
// runs.
std::optional<Flaw> follow_runs(Terms& terms, const Derivation& derivation, std::size_t number,
                                const ReplayOptions& options, Outcome& outcome);

}  // namespace rhopsi::check
