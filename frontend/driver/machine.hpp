// The machine at hand, as predictions of time see it.
#pragma once

#include <string>

#include "engine/schedule/machine.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct KnownMachine {
  schedule::Machine figures;
  std::string name;  // of the processor with its threads; tells one machine from another
};

// Threads, clock and caches as the system tells them, the rest as machines of its kind have it.
// Where RHOPSI_MACHINE is set: `standard`, `here`, which is that again, or what the file of that
// name says over the standard machine; a file that cannot be read is an error (E0860). A program
// for one thread has one.
KnownMachine machine_at_hand(Target target, syntax::Diagnostics& diagnostics);

// The same for what is to run elsewhere, and is to be the same wherever it is made: the standard
// machine where RHOPSI_MACHINE is not set.
KnownMachine machine_elsewhere(Target target, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
