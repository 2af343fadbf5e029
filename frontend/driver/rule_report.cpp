#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "frontend/driver/rule_library.hpp"

namespace rhopsi::driver {
namespace {

using Json = nlohmann::ordered_json;
using Status = AxiomReport::Status;
using Kind = RuleEntry::Kind;

constexpr std::size_t most_names = 12;

std::string word_of(Kind kind) {
  return kind == Kind::operation ? "operation" : kind == Kind::theorem ? "theorem" : "axiom";
}

std::string status_of(Status status) {
  return status == Status::open ? "not verified here" : to_string(status);
}

std::string status_of(const RuleEntry& entry) {
  return entry.kind == Kind::operation ? "operation" : status_of(entry.status);
}

std::string rule_block(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += (end > at ? "  " : "") + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

// What stands behind the status.
std::string evidence(const RuleEntry& entry) {
  if (!entry.report) return {};
  const AxiomReport& report = *entry.report;
  std::string text;
  if (report.status == Status::proved) text += ", elements: " + scope(report);
  if (report.within) text += ", " + scope(report);
  if (report.status == Status::tested) text += fmt::format(" on {} values", report.values);
  if (!report.reason.empty()) text += ": " + report.reason;
  if (!report.situation.empty()) text += ", for " + report.situation;
  return text;
}

std::string name_list(const std::string& title, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = title + "\n";
  for (std::size_t k = 0; k < names.size() && k < most_names; ++k) text += "  " + names[k] + "\n";
  if (names.size() > most_names) text += fmt::format("  and {} more\n", names.size() - most_names);
  return text;
}

std::string example_text(const RuleEntry& entry) {
  const std::string what = entry.kind == Kind::operation ? "it is " : "both sides are ";
  const std::string values = assignments(entry.example->values);
  return "example\n  " + (values.empty() ? "" : "for " + values + "\n  ") + what +
         entry.example->result + "\n";
}

void add_report_json(const AxiomReport& report, Json& object) {
  if (!report.theory.empty()) object["theory"] = report.theory;
  if (report.within) object["within_arrays"] = true;
  if (report.most_axes) object["up_to_axes"] = *report.most_axes;
  if (report.status == Status::tested) object["tested"] = report.values;
  if (!report.reason.empty()) object["reason"] = report.reason;
  if (report.refutation) object["counterexample"] = json_of(*report.refutation);
  if (report.wrapping) object["wrapping"] = json_of(*report.wrapping);
}

Json rule_json(const RuleEntry& entry) {
  Json object = {{"name", entry.name},
                 {"kind", word_of(entry.kind)},
                 {"statement", entry.statement},
                 {"conditions", entry.conditions},
                 {"comment", entry.comment},
                 {"file", entry.file},
                 {"line", entry.line}};
  if (entry.kind != Kind::operation) object["status"] = status_of(entry);
  if (entry.report) add_report_json(*entry.report, object);
  for (const auto& [name, status] : entry.instances) {
    object["instances"].push_back({{"name", name}, {"status", status_of(status)}});
  }
  if (!entry.definitions.empty()) object["definitions"] = entry.definitions;
  if (!entry.laws.empty()) object["laws"] = entry.laws;
  if (entry.example) {
    Json values = Json::object();
    for (const auto& [name, value] : entry.example->values) values[name] = value;
    object["example"] = {{"values", std::move(values)}, {"result", entry.example->result}};
  }
  return object;
}

}  // namespace

std::string line_of(const RuleEntry& entry) {
  std::string line = fmt::format("{:<18} {}", status_of(entry), entry.name);
  if (entry.report && !entry.report->theory.empty()) line += "  " + entry.report->theory;
  return line + fmt::format("  {}:{}\n", entry.file, entry.line);
}

std::string page_of(const RuleEntry& entry) {
  std::string text = fmt::format("{} {}\n", word_of(entry.kind), entry.name);
  text += fmt::format("  {}:{}\n", entry.file, entry.line);
  if (!entry.comment.empty()) text += "\n" + rule_block(entry.comment);
  text += "\n" + rule_block(entry.statement) + "\n";
  if (entry.kind != Kind::operation) {
    for (const std::string& each : entry.conditions) text += "where " + each + "\n";
    text += "status: " + status_of(entry) + evidence(entry) + "\n";
    const bool open = std::ranges::any_of(entry.instances, [](const RuleEntry::Instance& each) {
      return each.status == Status::open;
    });
    if (open || entry.status == Status::open) text += "  --verify tries to prove it now\n";
  }
  if (entry.report && entry.report->wrapping) text += about_large(*entry.report) + "\n";
  if (entry.report && entry.report->refutation) {
    text += "counterexample\n  for " + assignments(entry.report->refutation->values) + "\n  " +
            entry.report->refutation->difference + "\n";
  } else if (entry.example) {
    text += example_text(entry);
  }
  std::vector<std::string> instances;
  for (const auto& [name, status] : entry.instances) {
    instances.push_back(name + ": " + status_of(status));
  }
  text += name_list("instances", instances);
  text += name_list("it is what these say", entry.definitions);
  text += name_list("these speak of it", entry.laws);
  return text;
}

std::string to_json(const std::vector<RuleEntry>& entries, const std::string& version) {
  Json all = Json::array();
  for (const RuleEntry& each : entries) all.push_back(rule_json(each));
  const Json whole = {{"version", version}, {"rules", all}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rhopsi::driver
