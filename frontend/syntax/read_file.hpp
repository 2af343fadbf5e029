// Files that are read whole, up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "frontend/syntax/scan.hpp"

namespace rhopsi::syntax {

enum class FileProblem { unreadable, too_large, not_regular };

// The bytes of a file; no more than `most` of them are ever held. A folder is unreadable. A pipe, a
// socket or a device is not regular, and is not even opened: one that nobody writes to would never
// end. What the process was started with is read whatever it is (/dev/stdin, /dev/fd/N: what a
// shell writes for `<(...)`). Linear.
std::variant<std::string, FileProblem> read_file(const std::string& path,
                                                 std::uint64_t most = largest_text);

// Behind the name of a file in a message: ": it is not a regular file", or nothing.
std::string reason(FileProblem problem);

}  // namespace rhopsi::syntax
