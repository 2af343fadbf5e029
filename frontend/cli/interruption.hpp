// Ctrl-C and termination, answered between steps so that no file stays half-written.
#pragma once

namespace rhopsi::cli {

// From here on the first SIGINT or SIGTERM is remembered instead of ending the command;
// a second one ends it at once.
void defer_interruptions();

// Has one arrived?
bool interrupted();

// 130 or 143, as shells count them.
int interrupted_exit_code();

}  // namespace rhopsi::cli
