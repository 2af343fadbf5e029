#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::cli {

int emit(const EmitOptions& options) {
  defer_interruptions();
  syntax::Diagnostics diagnostics;
  const auto request = emit_request(options, diagnostics);
  bool written = false;
  if (request && prints_stage(options)) {
    // What terms were before the first rule is found in the steps.
    const bool record = request->stage == driver::Stage::terms;
    driver::Session session(with_smt({options.include, request->real, record}, options.smt));
    const auto text = driver::print_stage(session, *request, diagnostics);
    note_undecided(session);
    show(diagnostics);
    if (interrupted()) return interrupted_exit_code();
    const bool printed = text && print(*text);
    return printed && !diagnostics.has_errors() ? success : user_error;
  }
  if (request) {
    driver::Session session(
        with_smt({options.include, request->real, !options.certificate.empty()}, options.smt));
    const auto emitted = driver::emit(session, *request, diagnostics);
    written = emitted && !interrupted() &&
              driver::write_folder(request->folder, emitted->files, request->force, diagnostics) &&
              driver::write_depfile(*request, *emitted, diagnostics);
    note_undecided(session);
    if (written && !emitted->advice.empty()) note(emitted->advice);
  }
  show(diagnostics);
  if (interrupted() && !written) return interrupted_exit_code();
  return written ? success : user_error;
}

}  // namespace rhopsi::cli
