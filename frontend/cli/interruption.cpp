#include "frontend/cli/interruption.hpp"

#include <signal.h>

namespace rhopsi::cli {
namespace {

volatile sig_atomic_t arrived = 0;

extern "C" void remember(int signal) { arrived = signal; }

}  // namespace

void defer_interruptions() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return arrived != 0; }

int interrupted_exit_code() { return 128 + int(arrived); }

}  // namespace rhopsi::cli
