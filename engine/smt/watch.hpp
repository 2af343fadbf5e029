// A question to Z3 with a limit on its time. Internal to this folder.
#pragma once

#include <chrono>
#include <string>

#include <z3++.h>

namespace rhopsi::smt {

struct Checked {
  z3::check_result result;
  std::string reason;  // of unknown
  // The time was over, perhaps too late to matter for the answer; but the interruption may meet
  // what is asked of the context next.
  bool interrupted;
  bool out_of_time = false;  // unknown, for that reason
};

// Z3 has a parameter for a limit, but the timer behind it may wait for itself forever in version
// 4.8; so a thread of ours interrupts, one for each thread that asks. The same holds for the timers
// of strategies: `solver` should be a simple one, or one of a tactic.
Checked check(z3::context& context, z3::solver& solver, std::chrono::milliseconds limit);

}  // namespace rhopsi::smt
