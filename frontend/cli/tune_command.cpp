#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/tune.hpp"

namespace rhopsi::cli {

int tune(const TuneOptions& options) {
  defer_interruptions();
  syntax::Diagnostics diagnostics;
  auto request = tune_request(options, diagnostics);
  std::optional<driver::TuneResult> result;
  if (request) {
    const bool drawn = !options.quiet && terminal_on_errors();
    if (drawn) request->progress = show_progress;
    driver::Listener listener;
    listener.interrupted = interrupted;
    if (!options.quiet) listener.note = note;
    driver::Session session(with_smt({options.include, request->run.real}, options.smt));
    result = driver::tune(session, *request, listener, diagnostics);
    if (drawn) clear_progress();
    if (!options.quiet) note_undecided(session);
  }
  if (interrupted()) {
    note(result && result->exit_code != success ? result->text.substr(0, result->text.size() - 1)
                                                : "interrupted; the same command goes on");
    return interrupted_exit_code();
  }
  show(diagnostics);
  return result && print(result->text) ? success : user_error;
}

}  // namespace rhopsi::cli
