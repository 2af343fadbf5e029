// Files that are read whole, up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "frontend/syntax/scan.hpp"

namespace rhopsi::syntax {

struct FileProblem {
  enum Kind { unreadable, too_large, not_regular };
  Kind kind = unreadable;
  int error = 0;  // of an unreadable file: what the system says (errno)
};

// The bytes of a file; no more than `most` of them are ever held. A folder is unreadable. A pipe, a
// socket or a device is not regular, and is not even opened: one that nobody writes to would never
// end. What the process was started with is read whatever it is (/dev/stdin, /dev/fd/N: what a
// shell writes for `<(...)`). Linear.
std::variant<std::string, FileProblem> read_file(const std::string& path,
                                                 std::uint64_t most = largest_text);

// Behind the name of a file in a message: ": No such file or directory", ": it is not a regular
// file"; of a file that is too large nothing.
std::string reason(const FileProblem& problem);

}  // namespace rhopsi::syntax
