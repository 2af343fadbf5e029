#include "frontend/cli/fault.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <signal.h>
#include <unistd.h>

#include "frontend/cli/terminal.hpp"
#include "frontend/cli/version.hpp"

namespace rhopsi::cli {
namespace {

// A sanitizer's own report says more than ours.
#if !defined(RHOPSI_SANITIZED)
extern "C" void on_crash(int) {
  constexpr std::string_view report =
      "rhopsi: internal fault: the command crashed. This is a bug of rhopsi, whatever the input.\n"
      "Please send the command line, the files that it names and the output of rhopsi --version.\n";
  // Only what a signal handler may call.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, report.data(), report.size());
  ::_exit(internal_fault);
}
#endif

}  // namespace

void report_crashes() {
#if !defined(RHOPSI_SANITIZED)
  // A stack of its own: the crash may be an overflow of the ordinary one.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::sigaction(signal, &action, nullptr);
  }
#endif
}

int report_fault(const std::string& what, int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i > 0 ? " " : "") + std::string(argv[i]);
  note("rhopsi " + std::string(version) + ": internal fault: " + what);
  note("This is a bug of rhopsi, whatever the input. Please send this report and the files of");
  note("  " + command);
  return internal_fault;
}

}  // namespace rhopsi::cli
