#include <cstdio>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::cli {
namespace {

// The line is rewritten in place, and wiped before anything else is printed.
void draw_progress(std::uint64_t step, std::uint64_t steps, double seconds) {
  if (step == steps) {
    std::fputs("\r\033[K", stderr);
  } else {
    std::fprintf(stderr, "\rstep %llu/%llu  %.4g s/step\033[K", (unsigned long long)step,
                 (unsigned long long)steps, seconds);
  }
  std::fflush(stderr);
}

driver::Listener listener_for(const RunOptions& options) {
  driver::Listener listener;
  listener.interrupted = interrupted;
  if (options.quiet) return listener;
  listener.note = note;
  if (terminal_on_errors()) listener.step = draw_progress;
  return listener;
}

}  // namespace

int run(const RunOptions& options) {
  defer_interruptions();
  syntax::Diagnostics diagnostics;
  const auto request = run_request(options, diagnostics);
  std::optional<driver::RunResult> result;
  if (request) {
    driver::Session session({options.include, request->real, false});
    result = driver::run(session, *request, listener_for(options), diagnostics);
  }
  if (interrupted()) {
    // A compiler that was stopped has no messages of interest.
    if (!result) note("interrupted; nothing was written");
    return interrupted_exit_code();
  }
  show(diagnostics);
  if (!result) {
    if (options.json) print_failure(diagnostics);
    return user_error;
  }
  if (!options.quiet && !result->summary.empty()) note(result->summary);
  if (!print(result->output + (result->json.empty() ? "" : result->json + "\n"))) {
    return user_error;
  }
  return result->exit_code;
}

}  // namespace rhopsi::cli
