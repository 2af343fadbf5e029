#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::cli {

int emit(const EmitOptions& options) {
  defer_interruptions();
  syntax::Diagnostics diagnostics;
  const auto request = emit_request(options, diagnostics);
  bool written = false;
  if (request) {
    driver::Session session({options.include, request->real, false});
    const auto files = driver::emit(session, *request, diagnostics);
    written = files && !interrupted() &&
              driver::write_folder(request->folder, *files, request->force, diagnostics);
  }
  show(diagnostics);
  if (interrupted() && !written) return interrupted_exit_code();
  return written ? success : user_error;
}

}  // namespace rhopsi::cli
