// Bugs of ours: reported as such, with what to send, and exit code 2.
#pragma once

#include <string>

namespace rhopsi::cli {

// A crash by a signal ends with a short report and exit code 2 instead of a core dump.
void report_crashes();

// The report of an exception that reached main, on standard error; returns 2.
int report_fault(const std::string& what, int argc, char** argv);

}  // namespace rhopsi::cli
