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

// What a script finds on standard output after a failure: one line with an object of the number of
// `errors` and all `diagnostics`.
std::string failure_object(const syntax::Diagnostics& diagnostics);
// Shows them, and with `json` prints that object too; returns the exit code of a mistake.
int refuse(const syntax::Diagnostics& diagnostics, bool json);

// Writes and flushes; after a failure (a full disk behind a redirection) says so on
// standard error and returns false.
bool print(const std::string& text);

// What is being worked on, in place of what was before, on a standard error that is a terminal; and
// nothing any more.
void show_progress(const std::string& what);
void clear_progress();

// One line on standard error.
void note(const std::string& line);

}  // namespace rhopsi::cli
