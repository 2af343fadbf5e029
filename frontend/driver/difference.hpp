// Two programs, or two ways to transform one, beside each other.
#pragma once

#include <optional>
#include <string>

#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// "FILE:PROGRAM", or "FILE" where the file declares one program.
struct DiffRequest {
  std::string left;
  std::string right;
  SessionOptions options;
};

// The transformations of both with their steps, how often each rule was applied, how often each
// function reads, writes and computes for each element (element_cost.hpp; where both have an
// operational form), how often each operation is called in the bodies that differ (what is shared
// is counted wherever it is written), and these bodies line by line: `-` what only the left one
// has, `+` what only the right one has. Nothing after an error.
std::optional<std::string> diff(const DiffRequest& request, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
