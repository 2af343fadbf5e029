// What a checkpoint gives to the run that goes on from it.
#pragma once

#include <cstdint>

#include "backends/io/checkpoint_file.hpp"
#include "frontend/driver/entries.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::driver {

// The head of the file of --restart against the program, the entry and the other options
// (E0815, E0820, E0821, E0823); false where it has no head. The elements are looked at when
// they are read.
bool check_restart(Session& session, const RunRequest& request, const term::Theory& program,
                   const Entry& entry, syntax::Diagnostics& diagnostics);

// The calls that were made before the run; 0 without --restart, or where it cannot be read.
std::uint64_t calls_before(const RunRequest& request);

// What was saved stands in for --set; where both say something, the user's choice holds, and
// the listener is told.
void adopt_settings(const io::Checkpoint& checkpoint, RunRequest& request,
                    const Listener& listener);

}  // namespace rhopsi::driver
