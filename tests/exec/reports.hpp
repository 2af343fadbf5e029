// What the command prints for programs that read it.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// The object on the last line of the output; a discarded value where that line is no JSON.
inline nlohmann::json last_line(const Outcome& outcome) {
  const auto all = lines(outcome.out);
  return nlohmann::json::parse(all.empty() ? "" : all.back(), nullptr, false);
}

}  // namespace rhopsi::exec
