#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/eval.hpp"

namespace rhopsi::cli {
namespace {

bool eval_one(driver::Session& session, const driver::EvalRequest& request,
              syntax::Diagnostics& diagnostics) {
  const auto output = driver::evaluate(session, request, diagnostics);
  return output && print(*output);
}

bool eval_file(driver::Session& session, const driver::EvalRequest& request,
               syntax::Diagnostics& diagnostics) {
  const auto count = driver::evaluate_cases(session, request, print, diagnostics);
  if (count && count->failed > 0) {
    note(std::to_string(count->failed) + " of " + std::to_string(count->cases) + " cases failed");
  }
  return count.has_value();
}

}  // namespace

int eval(const EvalOptions& options) {
  // The compiler and the compiled program are to end first.
  if (options.backend == "kokkos") defer_interruptions();
  syntax::Diagnostics diagnostics;
  bool done = false;
  if (const auto request = eval_request(options, diagnostics)) {
    driver::Session session({options.include, onf::Scalar::float64, false, true});
    done = request->file.empty() ? eval_one(session, *request, diagnostics)
                                 : eval_file(session, *request, diagnostics);
  }
  if (interrupted()) return interrupted_exit_code();
  show(diagnostics);
  if (options.json && diagnostics.has_errors()) print(failure_object(diagnostics));
  return done ? success : user_error;
}

}  // namespace rhopsi::cli
