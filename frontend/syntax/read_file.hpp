// Files that are read whole, up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "frontend/syntax/scan.hpp"

namespace rhopsi::syntax {

enum class FileProblem { unreadable, too_large };

// The bytes of a file, which may be a pipe or a device; no more than `most` of them are ever held.
// A folder is unreadable. Linear.
std::variant<std::string, FileProblem> read_file(const std::string& path,
                                                 std::uint64_t most = largest_text);

}  // namespace rhopsi::syntax
