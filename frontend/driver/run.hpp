// The last stages: a program that runs, on either backend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/entries.hpp"
#include "frontend/driver/folder.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

struct Listener {
  // A line for people: which target was taken, how long compiling took.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  // The reference backend's progress: the step done, all steps, the median so far.
  std::function<void(std::uint64_t, std::uint64_t, double)> step = [](auto, auto, double) {};
  // Asked between stages and steps: has the user interrupted?
  std::function<bool()> interrupted = [] { return false; };
};

struct RunResult {
  // 0; 130 and 143 where the run was interrupted; 1 after an error, which the diagnostics hold
  // unless the program has told it.
  int exit_code = 0;
  std::string output;   // what the program printed, where it was not passed through
  std::string json;     // the object of --json; empty unless it was asked for and the run ended
  std::string told;     // diagnostics that the program has printed itself, a JSON array or empty
  std::string summary;  // one line for people; empty where the program printed its own
};

// load .. run of a request, with the request checked before anything is compiled. The
// kokkos backend passes the program's standard output through unless `request.json`.
std::optional<RunResult> run(Session& session, RunRequest request, const Listener& listener,
                             syntax::Diagnostics& diagnostics);

struct Emitted {
  std::vector<TextFile> files;       // of the folder
  std::vector<std::string> sources;  // what they are made from: specifications and headers
  std::string advice = {};           // a line on what would be faster; empty: nothing is known
};

// load .. emit.
std::optional<Emitted> emit(Session& session, const EmitRequest& request,
                            syntax::Diagnostics& diagnostics);

// The sources as a rule for make and ninja, in `request.depfile`: NAME.d is about NAME. Nothing
// where no such file is wanted. False where it cannot be written (E0830, E0832).
bool write_depfile(const EmitRequest& request, const Emitted& emitted,
                   syntax::Diagnostics& diagnostics);

// A stage as text. `ast`, `terms`, `dnf` and `cxx` are told of in stage_text.hpp.
// load .. lower or schedule: the operational form; with the schedule, the recipe, the
// values, the steps and then the form; or the recipe with the verdict on each of its steps and
// what the program costs before and after. Where no schedule is named it is the standard one.
std::optional<std::string> print_stage(Session& session, const EmitRequest& request,
                                       syntax::Diagnostics& diagnostics);

// --- the two backends, for requests that have been checked

std::optional<RunResult> run_kokkos(Session& session, const RunRequest& request,
                                    const term::Theory& program, const Entry& entry,
                                    const Listener& listener, syntax::Diagnostics& diagnostics);

std::optional<RunResult> run_reference(Session& session, const RunRequest& request,
                                       const term::Theory& program, const Entry& entry,
                                       const Listener& listener, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
