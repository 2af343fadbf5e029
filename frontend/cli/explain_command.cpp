#include <charconv>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/smt_options.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/explain.hpp"
#include "frontend/driver/run.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/trust.hpp"

namespace rhopsi::cli {
namespace {

std::optional<driver::ExplainRequest> request_of(const ExplainOptions& options,
                                                 syntax::Diagnostics& diagnostics) {
  driver::ExplainRequest request{options.callable, {}, options.why_not, options.position};
  if (!options.step.empty()) {
    std::size_t step = 0;
    const char* const last = options.step.data() + options.step.size();
    const auto [end, failure] = std::from_chars(options.step.data(), last, step);
    if (failure != std::errc() || end != last || step == 0) {
      diagnostics.error(driver::codes::malformed_option, {},
                        "--step " + options.step + ": this is not the number of a step",
                        "give a whole number of at least 1");
    }
    request.step = step;
  }
  if (!options.position.empty() && options.why_not.empty()) {
    diagnostics.error(driver::codes::malformed_option, {}, "--at without --why-not",
                      "name the rule that you expected there: --why-not RULE");
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

int explain_schedule(ExplainOptions options) {
  syntax::Diagnostics diagnostics;
  if (!options.step.empty() || !options.why_not.empty() || !options.position.empty()) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--step, --why-not and --at have no meaning with --schedule",
                      "they are about rewriting; leave them or --schedule out");
  }
  const auto request = schedule_request(options, diagnostics);
  std::optional<std::string> text;
  if (request) {
    driver::Session session(with_smt({options.include, request->real}, options.smt));
    text = driver::print_stage(session, *request, diagnostics);
    note_undecided(session);
  }
  show(diagnostics);
  const bool printed = text && print(*text);
  return printed && !diagnostics.has_errors() ? success : user_error;
}

}  // namespace

int explain(const ExplainOptions& options) {
  syntax::Diagnostics diagnostics;
  if (options.schedule) return explain_schedule(options);
  const auto request = request_of(options, diagnostics);
  std::optional<std::string> text;
  if (request) {
    driver::Session session(
        with_smt({.include = options.include, .record_steps = true}, options.smt));
    const auto theory = driver::module(session, options.file, options.program, diagnostics);
    if (theory) text = driver::explain(session, *theory, *request, diagnostics);
    note_undecided(session);
  }
  show(diagnostics);
  return text && print(*text) ? success : user_error;
}

int trust(const TrustOptions& options) {
  syntax::Diagnostics diagnostics;
  driver::Session session(
      with_smt({.include = options.include, .record_steps = true}, options.smt));
  const auto theory = driver::module(session, options.file, options.program, diagnostics);
  std::optional<driver::TrustReport> report;
  if (theory) {
    driver::TrustRequest request;
    request.prove = options.prove;
    report = driver::trust(session, *theory, request, diagnostics);
  }
  if (!report) return refuse(diagnostics, options.json);
  show(diagnostics);
  const std::string text = options.json ? driver::to_json(*report) : driver::to_string(*report);
  return print(text) ? success : user_error;
}

}  // namespace rhopsi::cli
