#include <string>
#include <utility>
#include <vector>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/verified.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::cli {
namespace {

// What `verify` and `test` have in common.
struct Asking {
  std::string path;
  std::string module;
  std::vector<std::string> include;
  bool json;
};

int report_on(const Asking& asking, driver::VerifyRequest request) {
  syntax::Diagnostics diagnostics;
  request.files = specifications({asking.path}, diagnostics);
  if (request.files.empty()) return refuse(diagnostics, asking.json);
  request.module = asking.module;
  const bool progress = terminal_on_errors();
  if (progress) request.progress = show_progress;
  driver::Session session({.include = asking.include, .numbers_promote = true});
  const auto report = driver::verify(session, request, diagnostics);
  if (progress) clear_progress();
  if (!report) return refuse(diagnostics, asking.json);
  show(diagnostics);
  if (!request.by_values) driver::remember(session, *report);
  std::string text;
  if (asking.json) {
    text = driver::to_json(session, *report);
  } else {
    for (const driver::AxiomReport& each : report->axioms) text += driver::to_string(each);
  }
  if (!print(text)) return user_error;
  if (!asking.json) note(driver::summary(*report));
  return report->complete() ? success : user_error;
}

}  // namespace

int verify(const VerifyOptions& options) {
  driver::VerifyRequest request;
  request.limits.solver.query = std::chrono::milliseconds(options.timeout);
  if (options.run_timeout > 0) request.time = std::chrono::seconds(options.run_timeout);
  return report_on({options.path, options.module, options.include, options.json},
                   std::move(request));
}

int test(const TestOptions& options) {
  driver::VerifyRequest request;
  request.by_values = true;
  request.search.seed = options.seed;
  request.search.spoke = options.values;
  constexpr std::size_t tries_for_each = 60;  // most conditions hold that often
  request.search.tries = tries_for_each * options.values;
  return report_on({options.path, options.module, options.include, options.json},
                   std::move(request));
}

}  // namespace rhopsi::cli
