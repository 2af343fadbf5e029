#include <nlohmann/json.hpp>

#include "frontend/driver/locations.hpp"
#include "frontend/driver/trust.hpp"

namespace rhopsi::driver {
namespace {

using Json = nlohmann::ordered_json;
using Statement = TrustReport::Statement;

std::string finding_text(const Statement& statement, bool asked) {
  if (!statement.finding) return asked ? ": not examined, since verify does not list it" : "";
  const AxiomReport& found = *statement.finding;
  std::string text = ": " + to_string(found.status);
  if (found.was_asked()) text += " as " + found.name;
  if (const std::string shown = scope(found); !shown.empty()) text += ", " + shown;
  if (found.status == AxiomReport::Status::tested) {
    text += " on " + std::to_string(found.values) + " values";
  }
  if (!found.reason.empty()) text += ": " + found.reason;
  return text;
}

std::string statement_line(const Statement& statement, bool asked) {
  return "  " + statement.name + " (" + shown_path(statement.file) + ":" +
         std::to_string(statement.line) + "), " + (statement.defines ? "defines, " : "") +
         std::to_string(statement.uses) + (statement.uses == 1 ? " use" : " uses") +
         finding_text(statement, asked) + "\n";
}

// In the order of what they leave open.
const std::pair<const char*, const char*> condition_kinds[] = {
    {"lemma", "assumed: conditions that are instances of these, which nothing here has proved"},
    {"assumed", "assumed: conditions that follow only from guards nothing has shown to hold"},
    {"entry check",
     "entry checks: conditions that follow from the operation's own guard, which "
     "its callers see to, or from an assertion before"},
    {"Z3", "conditions that the solver has proved"}};

std::string conditions_of(const TrustReport& report) {
  std::string text;
  for (const auto& [basis, title] : condition_kinds) {
    std::string lines;
    for (const TrustReport::Condition& each : report.conditions) {
      if (each.basis != basis) continue;
      lines += "  " + each.rule + " in " + each.callable + ": " + each.text +
               (each.uses > 1 ? ", " + std::to_string(each.uses) + " times" : "") + "\n";
    }
    if (!lines.empty()) text += std::string(title) + "\n" + lines;
  }
  return text;
}

Json statement_json(const char* kind, const Statement& statement) {
  Json object = {{kind, statement.name},
                 {"file", shown_path(statement.file)},
                 {"line", statement.line},
                 {"uses", statement.uses}};
  if (statement.defines) object["defines"] = true;
  if (!statement.finding) return object;
  const AxiomReport& found = *statement.finding;
  Json verified = {{"axiom", found.name}, {"status", to_string(found.status)}};
  if (found.within) verified["within_arrays"] = true;
  if (!found.theory.empty()) verified["theory"] = found.theory;
  if (found.most_axes) verified["up_to_axes"] = *found.most_axes;
  if (found.status == AxiomReport::Status::tested) verified["tested"] = found.values;
  if (!found.reason.empty()) verified["reason"] = found.reason;
  object["verified"] = std::move(verified);
  return object;
}

}  // namespace

std::string to_string(const TrustReport& report) {
  std::string text = "axioms\n";
  if (report.axioms.empty()) text += "  none: nothing was transformed\n";
  for (const Statement& each : report.axioms) text += statement_line(each, report.asked);
  if (!report.lemmas.empty()) {
    text += "assumed: lemmas that conditions were instances of, as they are stated\n";
  }
  for (const Statement& each : report.lemmas) text += statement_line(each, report.asked);
  text += conditions_of(report);
  if (!report.externals.empty()) text += "operations of other libraries, taken as they are\n";
  for (const TrustReport::External& each : report.externals) {
    text += "  " + each.operation + ", " + each.backend + " " + each.path + "\n";
  }
  return text;
}

std::string to_json(const TrustReport& report) {
  Json axioms = Json::array();
  for (const Statement& each : report.axioms) axioms.push_back(statement_json("axiom", each));
  Json lemmas = Json::array();
  for (const Statement& each : report.lemmas) lemmas.push_back(statement_json("lemma", each));
  Json conditions = Json::array();
  for (const TrustReport::Condition& each : report.conditions) {
    conditions.push_back({{"basis", each.basis},
                          {"rule", each.rule},
                          {"callable", each.callable},
                          {"condition", each.text},
                          {"uses", each.uses}});
  }
  Json externals = Json::array();
  for (const TrustReport::External& each : report.externals) {
    externals.push_back(
        {{"operation", each.operation}, {"backend", each.backend}, {"path", each.path}});
  }
  const Json whole = {{"program", report.program},
                      {"axioms", axioms},
                      {"lemmas", lemmas},
                      {"conditions", conditions},
                      {"externals", externals}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rhopsi::driver
