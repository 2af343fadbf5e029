#include "frontend/cli/interruption.hpp"

#include <signal.h>

#include "backends/kokkos/build/signals.hpp"

namespace rhopsi::cli {
namespace {

volatile sig_atomic_t arrived = 0;

kokkos::StopRequests requests;

extern "C" void remember(int signal_number) {
  if (requests.part_of_last()) return;
  if (arrived != 0) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
  arrived = signal_number;
}

}  // namespace

void defer_interruptions() {
  struct sigaction action = {};
  action.sa_handler = remember;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return arrived != 0; }

int interrupted_exit_code() { return 128 + int(arrived); }

}  // namespace rhopsi::cli
