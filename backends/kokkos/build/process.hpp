// Other programs: started with vectors of arguments, never through a shell.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/kokkos/build/result.hpp"

namespace rhopsi::kokkos {

struct Process {
  std::string program;  // a path, or a name that PATH is searched for
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  // on top of this process's own
  std::optional<std::filesystem::path> output;     // standard output, appended; else inherited
  std::optional<std::filesystem::path> errors;     // may be the same file
  // Has a signal come before there was a program to pass it on to? Then it is not started, and
  // counts as ended by SIGINT.
  std::function<bool()> stopped = [] { return false; };
};

// Waits for it to end: its exit status, 128 + n where signal n ended it. SIGINT and SIGTERM are
// passed on to it and to what it has started, once each, and raised here when it has ended.
Result<int> wait_for(const Process& process);

// The program's standard output; nothing where it cannot be started or fails.
std::optional<std::string> output_of(const std::string& program,
                                     const std::vector<std::string>& arguments);

// Where PATH has `program`; nothing if nowhere.
std::optional<std::filesystem::path> find_program(const std::string& program);

}  // namespace rhopsi::kokkos
