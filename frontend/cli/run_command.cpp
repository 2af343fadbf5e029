#include <cstdio>

#include <nlohmann/json.hpp>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/interruption.hpp"
#include "frontend/cli/requests.hpp"
#include "frontend/cli/smt_options.hpp"
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

void note_unless_empty(const std::string& line) {
  if (!line.empty()) note(line);
}

// A script that reads the last line finds an object after a failure too.
std::string last_line(const driver::RunResult& result, const syntax::Diagnostics& diagnostics) {
  using Json = nlohmann::ordered_json;
  Json object = result.json.empty() ? Json::object() : Json::parse(result.json);
  Json all = result.told.empty() ? Json::array() : Json::parse(result.told);
  for (Json& one : Json::parse(syntax::render_json(diagnostics))) all.push_back(std::move(one));
  std::size_t errors = 0;
  for (const Json& one : all) errors += one.value("severity", "") == "error" ? 1 : 0;
  if (errors > 0 || !result.told.empty()) {
    object["errors"] = errors;
    object["diagnostics"] = std::move(all);
  }
  if (object.empty()) return {};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int run(const RunOptions& options) {
  defer_interruptions();
  syntax::Diagnostics diagnostics;
  const auto request = run_request(options, diagnostics);
  std::optional<driver::RunResult> result;
  if (request) {
    driver::Session session(
        with_smt({options.include, request->real, !options.certificate.empty()}, options.smt));
    result = driver::run(session, *request, listener_for(options), diagnostics);
    if (!options.quiet) note_undecided(session);
  }
  // A run that reached its last step all the same has its results.
  if (interrupted() && (!result || result->exit_code > 128)) {
    // A compiler that was stopped has no messages of interest.
    note_unless_empty(result ? result->summary : "interrupted; nothing was written");
    return interrupted_exit_code();
  }
  show(diagnostics);
  const driver::RunResult ended = result.value_or(driver::RunResult{user_error, {}, {}, {}, {}});
  if (!options.quiet) note_unless_empty(ended.summary);
  if (!print(ended.output + (options.json ? last_line(ended, diagnostics) : ""))) return user_error;
  return diagnostics.has_errors() ? user_error : ended.exit_code;
}

}  // namespace rhopsi::cli
