#include <cmath>

#include <nlohmann/json.hpp>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/numbers.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/normalise.hpp"

namespace rhopsi::cli {
namespace {

std::optional<normalise::Strategy> strategy_of(const std::string& name) {
  if (name == "innermost") return normalise::Strategy::innermost;
  if (name == "outermost") return normalise::Strategy::outermost;
  if (name == "topdown") return normalise::Strategy::top_down;
  if (name == "bottomup") return normalise::Strategy::bottom_up;
  return std::nullopt;
}

std::optional<driver::NormaliseRequest> request_of(const NormalizeOptions& options,
                                                   syntax::Diagnostics& diagnostics) {
  driver::NormaliseRequest request;
  request.system = options.trs;
  request.term = options.term;
  request.term_file = options.term_file;
  request.compiled = options.compiled;
  if (options.term && !options.term_file.empty()) {
    diagnostics.error(driver::codes::malformed_option, {}, "both --term and --term-file",
                      "give one of them");
  }
  if (!options.strategy.empty()) {
    request.strategy = strategy_of(options.strategy);
    if (!request.strategy) {
      diagnostics.error(driver::codes::malformed_option, {}, "--strategy " + options.strategy,
                        "innermost, outermost, topdown or bottomup");
    }
  }
  read_number(options.max_steps, "--max-steps", request.bounds.steps, diagnostics);
  read_number(options.max_seconds, "--max-seconds", request.bounds.seconds, diagnostics);
  read_number(options.max_nodes, "--max-nodes", request.bounds.nodes, diagnostics);
  read_number(options.max_bytes, "--max-bytes", request.bounds.bytes, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return request;
}

// What is printed is long: it goes out in pieces.
class Printed {
 public:
  void operator()(std::string_view text) {
    if (written_) written_ = print(std::string(text));
  }
  bool written() const { return written_; }

 private:
  bool written_ = true;
};

nlohmann::ordered_json json_of(const driver::NormaliseReport& report) {
  const double rate =
      report.seconds > 0 ? static_cast<double>(report.rewrites) / report.seconds : 0;
  nlohmann::ordered_json unfinished = nlohmann::ordered_json::array();
  for (const driver::UnfinishedTerm& each : report.unfinished) {
    unfinished.push_back({{"term", each.number},
                          {"rewrites", each.rewrites},
                          {"stop", normalise::describe(each.stop)}});
  }
  return {{"rewrites", report.rewrites},
          {"seconds", report.seconds},
          {"compile_seconds", report.compile_seconds},
          {"cpu_seconds", report.cpu_seconds},
          {"rewrites_per_second", std::round(rate)},
          {"bytes_peak", report.bytes_peak},
          {"stop", normalise::describe(report.stop)},
          {"unfinished", std::move(unfinished)}};
}

}  // namespace

int normalize(const NormalizeOptions& options) {
  syntax::Diagnostics diagnostics;
  const auto request = request_of(options, diagnostics);
  std::optional<driver::NormaliseReport> report;
  Printed printed;
  if (request) {
    report = driver::normalise_system(
        *request, [&](std::string_view text) { printed(text); }, diagnostics);
  }
  show(diagnostics);
  if (!report) return user_error;
  for (const driver::UnfinishedTerm& each : report->unfinished) {
    const std::string which =
        report->terms > 1 ? " of term " + std::to_string(each.number) : std::string();
    note("no normal form" + which + ": " + normalise::describe(each.stop) + ", after " +
         std::to_string(each.rewrites) + " steps");
  }
  if (options.stats) printed(json_of(*report).dump() + "\n");
  return printed.written() ? success : user_error;
}

}  // namespace rhopsi::cli
