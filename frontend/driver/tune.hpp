// Searching for the fastest schedule by measuring.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/driver/run.hpp"

namespace rhopsi::driver {

struct TuneRequest {
  RunRequest run;      // the program, its entry, shape, type and target, and inputs of one's own
  double budget = 60;  // seconds, of all that is compiled and measured
  std::string output;  // file for the schedule besides; empty: none
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct TuneResult {
  int exit_code = 0;  // 130 where it was interrupted
  std::string text;   // what was measured, and where the best is kept
};

// Measures the schedules that could be fastest: what choose() would take, its other candidates that
// are not predicted to take more than twice as long, and variants of the best of them. Those whose
// emitted programs are the same are one. First each is compiled and run once, in that order, while
// less than half of the budget is spent; then those within a third of the best take turns, so that
// what else the machine does meets all of them, until the budget is spent or each has run 9 times.
// The least median is kept (kept_schedule.hpp). What is kept already is tried in any case, so that
// only what is faster in the same search replaces it. What was measured is written down after every
// run; a search that is interrupted goes on from there. E0863 where all schedules are one program;
// errors as of run().
std::optional<TuneResult> tune(Session& session, TuneRequest request, const Listener& listener,
                               syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
