// What the command writes, and where.
#pragma once

#include <string>

#include "frontend/syntax/source.hpp"

namespace rhopsi::cli {

// Exit codes of every command; docs/cli.md lists them.
inline constexpr int success = 0;
inline constexpr int user_error = 1;
inline constexpr int internal_fault = 2;

// Standard error is a terminal that shows colours, and NO_COLOR is not set.
bool colour_on_errors();
// Standard error is a terminal.
bool terminal_on_errors();

// All diagnostics on standard error, as text.
void show(const syntax::Diagnostics& diagnostics);

// Writes and flushes; after a failure (a full disk behind a redirection) says so on
// standard error and returns false.
bool print(const std::string& text);

// One line on standard error.
void note(const std::string& line);

}  // namespace rhopsi::cli
