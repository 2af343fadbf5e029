#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "frontend/driver/locations.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::driver {

using Status = AxiomReport::Status;

std::string to_string(Status status) {
  switch (status) {
    case Status::definition:
      return "definition";
    case Status::proved:
      return "proved";
    case Status::refuted:
      return "refuted";
    case Status::unknown:
      return "unknown";
    case Status::tested:
      return "tested";
    case Status::assumed:
      return "assumed";
    case Status::instances:
      return "instances";
    case Status::variadic:
      return "variadic";
    case Status::open:
      return "open";
  }
  return {};
}

void AxiomReport::leave_open_for_time() {
  out_of_time = true;
  reason += "; a limit on time was reached, and with more it may be decided";
}

std::size_t VerifyReport::count(Status status) const {
  std::size_t found = 0;
  for (const AxiomReport& each : axioms) found += each.status == status ? 1 : 0;
  return found;
}

bool VerifyReport::complete() const {
  return count(Status::refuted) == 0 && count(Status::unknown) == 0;
}

std::string scope(const AxiomReport& report) {
  const std::string shown = report.within ? "within its arrays" : report.theory;
  if (shown.empty() || !report.most_axes) return shown;
  return fmt::format("{}, up to {} axes", shown, *report.most_axes);
}

std::string about_large(const AxiomReport& report) {
  if (!report.wrapping) return {};
  return "not of integers so large that they wrap or are rounded: for " +
         assignments(report.wrapping->values) + " " + report.wrapping->difference;
}

std::string to_string(const AxiomReport& report) {
  std::string line = fmt::format("{:<10} {}", to_string(report.status), report.name);
  if (const std::string shown = scope(report); !shown.empty()) line += "  " + shown;
  if (report.status == Status::tested) line += fmt::format("  {} values", report.values);
  if (report.time.count() > 0) {
    line += fmt::format("  {:.2f} s", static_cast<double>(report.time.count()) / 1000);
  }
  line += "\n";
  if (report.refutation) {
    const std::string values = assignments(report.refutation->values);
    if (!values.empty()) line += "  for " + values + "\n";  // there are none without unknowns
    line += "  " + report.refutation->difference + "\n";
    return report.reason.empty() ? line : line + "  " + report.reason + "\n";
  }
  if (!report.reason.empty()) line += "  " + report.reason + "\n";
  if (!report.situation.empty()) line += "  for " + report.situation + "\n";
  if (report.wrapping) line += "  " + about_large(report) + "\n";
  return line;
}

std::string summary(const VerifyReport& report) {
  std::string text;
  for (Status status : {Status::definition, Status::proved, Status::tested, Status::refuted,
                        Status::unknown, Status::assumed, Status::instances, Status::variadic}) {
    const std::size_t count = report.count(status);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(status), count);
  }
  return text.empty() ? "no axioms" : text;
}

std::string to_json(Session& session, const VerifyReport& report) {
  using Json = nlohmann::ordered_json;
  Json axioms = Json::array();
  for (const AxiomReport& each : report.axioms) {
    const term::Location& place = session.store()[each.location];
    Json object = {{"axiom", each.name},
                   {"status", to_string(each.status)},
                   {"file", shown_path(place.file)},
                   {"line", place.line}};
    if (each.within) object["within_arrays"] = true;
    if (each.status == Status::proved || each.within) {
      if (!each.theory.empty()) object["theory"] = each.theory;
      if (each.most_axes) object["up_to_axes"] = *each.most_axes;
      object["cases"] = each.cases;
    }
    if (each.status == Status::tested) object["tested"] = each.values;
    if (each.was_asked()) object["seconds"] = static_cast<double>(each.time.count()) / 1000;
    if (!each.reason.empty()) object["reason"] = each.reason;
    if (each.out_of_time) object["out_of_time"] = true;
    if (!each.situation.empty()) object["for"] = each.situation;
    if (each.refutation) object.update(json_of(*each.refutation));
    if (each.wrapping) object["wrapping"] = json_of(*each.wrapping);
    axioms.push_back(std::move(object));
  }
  const Json whole = {{"complete", report.complete()}, {"axioms", axioms}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rhopsi::driver
