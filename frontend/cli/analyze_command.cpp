#include <charconv>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "frontend/cli/commands.hpp"
#include "frontend/cli/terminal.hpp"
#include "frontend/driver/analysis.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::cli {
namespace {

using Json = nlohmann::ordered_json;

std::optional<driver::AnalysisRequest> request_of(const AnalyzeOptions& options,
                                                  syntax::Diagnostics& diagnostics) {
  driver::AnalysisRequest request;
  double seconds = 0;
  const char* const end = options.timeout.data() + options.timeout.size();
  const auto read = std::from_chars(options.timeout.data(), end, seconds);
  if (read.ec != std::errc{} || read.ptr != end || !(seconds > 0) || seconds > 1e6) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--timeout " + options.timeout + ": a number of seconds is expected",
                      "for example --timeout 10");
    return std::nullopt;
  }
  request.limit = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
  if (options.only == "termination") {
    request.confluence = false;
  } else if (options.only == "confluence") {
    request.termination = false;
  } else if (!options.only.empty()) {
    diagnostics.error(driver::codes::malformed_option, {}, "--only " + options.only,
                      "termination or confluence");
    return std::nullopt;
  }
  request.innermost = options.innermost;
  return request;
}

Json json_of(const analysis::Proof& proof) {
  Json parts = Json::array();
  for (const analysis::Proof& each : proof.parts) parts.push_back(json_of(each));
  Json object = {{"text", proof.text}};
  if (!parts.empty()) object["parts"] = std::move(parts);
  return object;
}

// Prints findings as they come, or keeps them for one object at the end.
class Findings {
 public:
  explicit Findings(bool json) : json_(json) {}

  void take(const driver::AnalysisFinding& finding) {
    const char* const answer = analysis::to_string(finding.verdict.answer);
    if (json_) {
      Json object = {{"answer", answer}, {"certificate", json_of(finding.verdict.proof)}};
      if (!finding.note.empty()) object["note"] = finding.note;
      if (!finding.modulo.empty()) object["modulo"] = finding.modulo;
      object_[finding.property] = std::move(object);
      return;
    }
    std::string text = finding.property + ": " + answer;
    if (!finding.modulo.empty()) text += " (modulo " + finding.modulo + ")";
    text += "\n";
    if (!finding.note.empty()) text += "  (" + finding.note + ")\n";
    written_ = print(text + analysis::to_string(finding.verdict.proof, 1)) && written_;
  }

  void lint(const std::vector<std::string>& lines) {
    if (json_) {
      object_["lint"] = lines;
      return;
    }
    std::string text;
    for (const std::string& each : lines) text += "lint: " + each + "\n";
    if (!text.empty()) written_ = print(text) && written_;
  }

  int finish() {
    if (json_) {
      written_ = print(object_.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    return written_ ? success : user_error;
  }

 private:
  bool json_;
  bool written_ = true;
  Json object_ = Json::object();
};

int analyze_system(const AnalyzeOptions& options, const driver::AnalysisRequest& request) {
  syntax::Diagnostics diagnostics;
  const auto system = driver::read_system(options.trs, diagnostics);
  if (!system) return refuse(diagnostics, options.json);
  Findings findings(options.json);
  driver::analyse(*system, request, [&](const auto& each) { findings.take(each); });
  return findings.finish();
}

int analyze_module(const AnalyzeOptions& options, driver::AnalysisRequest request) {
  request.file = options.file;
  syntax::Diagnostics diagnostics;
  driver::Session session({.include = options.include});
  const auto theory = driver::module(session, options.file, options.module, diagnostics);
  if (!theory || diagnostics.has_errors()) return refuse(diagnostics, options.json);
  show(diagnostics);
  Findings findings(options.json);
  findings.lint(
      driver::analyse(session, *theory, request, [&](const auto& each) { findings.take(each); }));
  return findings.finish();
}

// Exactly one of a system and a module.
bool has_subject(const AnalyzeOptions& options, syntax::Diagnostics& diagnostics) {
  const char* const note = "rhopsi analyze FILE -m CONCEPT, or rhopsi analyze --trs FILE";
  if (!options.trs.empty() && (!options.file.empty() || !options.module.empty())) {
    diagnostics.error(driver::codes::malformed_option, {},
                      "--trs stands in place of a specification and its module", note);
    return false;
  }
  if (options.trs.empty() && (options.file.empty() || options.module.empty())) {
    const std::string lacking = options.file.empty() ? "nothing to analyse is named"
                                : options.module.empty()
                                    ? "no module of " + options.file + " is named"
                                    : "";
    diagnostics.error(driver::codes::malformed_option, {}, lacking, note);
    return false;
  }
  return true;
}

}  // namespace

int analyze(const AnalyzeOptions& options) {
  syntax::Diagnostics diagnostics;
  const auto request = request_of(options, diagnostics);
  if (!request || !has_subject(options, diagnostics)) return refuse(diagnostics, options.json);
  if (options.trs.empty()) return analyze_module(options, *request);
  return analyze_system(options, *request);
}

}  // namespace rhopsi::cli
