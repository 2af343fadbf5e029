#include "frontend/driver/verified.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

#include <nlohmann/json.hpp>

#include "backends/kokkos/build/cache.hpp"
#include "backends/kokkos/build/digest.hpp"
#include "backends/kokkos/build/kokkos.hpp"
#include "engine/smt/oracle.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Status = AxiomReport::Status;

constexpr const char* file_name = "axioms.json";

fs::path folder() { return fs::absolute(kokkos::cache_folder() / "verified"); }

// Nothing where the command's own file cannot be read.
std::optional<std::string> key(Session& session) {
  const auto command = kokkos::digest_of("/proc/self/exe");
  if (!command) return std::nullopt;
  kokkos::Digest digest;
  digest.add_part("rhopsi verified 5").add_part(*command).add_part(smt::solver_version());
  for (const std::string& file : session.workspace().files()) {
    digest.add_part(file).add_part(kokkos::contents(file));
  }
  return digest.hex();
}

std::optional<Status> status_of(const std::string& word) {
  for (Status status :
       {Status::definition, Status::proved, Status::refuted, Status::unknown, Status::tested}) {
    if (word == to_string(status)) return status;
  }
  return std::nullopt;
}

Json kept(const std::optional<Refutation>& refutation) {
  return refutation ? json_of(*refutation) : Json();
}

std::optional<Refutation> restored(const Json& kept) {
  return kept.is_null() ? std::nullopt : std::optional(refutation_of(kept));
}

Json to_json(const AxiomReport& report, std::uint32_t line) {
  return {{"axiom", report.name},
          {"line", line},
          {"status", to_string(report.status)},
          {"theory", report.theory},
          {"within", report.within},
          {"axes", report.most_axes ? Json(*report.most_axes) : Json()},
          {"milliseconds", report.time.count()},
          {"reason", report.reason},
          {"undefined", report.undefined},
          {"situation", report.situation},
          {"cases", report.cases},
          {"tested", report.values},
          {"refutation", kept(report.refutation)},
          {"wrapping", kept(report.wrapping)}};
}

void add(const Json& each, Findings& findings) {
  AxiomReport report;
  const auto status = status_of(each.at("status").get<std::string>());
  if (!status) return;
  report.status = *status;
  report.name = each.at("axiom");
  report.theory = each.at("theory");
  report.within = each.at("within");
  if (!each.at("axes").is_null()) report.most_axes = each.at("axes").get<std::size_t>();
  report.time = std::chrono::milliseconds(each.at("milliseconds").get<std::int64_t>());
  report.reason = each.at("reason");
  report.undefined = each.at("undefined").get<std::vector<std::string>>();
  report.situation = each.at("situation");
  report.cases = each.at("cases");
  report.values = each.at("tested");
  report.refutation = restored(each.at("refutation"));
  report.wrapping = restored(each.at("wrapping"));
  findings[{report.name, each.at("line").get<std::uint32_t>()}] = report;
}

Findings read(const kokkos::CacheEntry& entry) {
  Findings findings;
  if (!entry.valid()) return findings;
  try {
    for (const Json& each : Json::parse(kokkos::contents(entry.path() / file_name))) {
      add(each, findings);
    }
  } catch (const Json::exception&) {
    findings.clear();  // another version's
  }
  return findings;
}

}  // namespace

Findings recall(Session& session) {
  const auto name = key(session);
  std::error_code failure;
  if (!name || !fs::exists(folder() / *name, failure)) return {};
  const auto entry = kokkos::CacheEntry::open(folder(), *name);
  return entry ? read(*entry) : Findings{};
}

void remember(Session& session, const VerifyReport& report) {
  const auto name = key(session);
  if (!name) return;
  const auto entry = kokkos::CacheEntry::open(folder(), *name);
  if (!entry) return;
  Findings findings = read(*entry);
  for (const AxiomReport& each : report.axioms) {
    // What more time may decide is asked again.
    const bool open = each.status == Status::unknown && each.out_of_time;
    if (each.was_asked() && !open)
      findings[{each.name, session.store()[each.location].line}] = each;
  }
  const auto work = entry->begin();
  if (!work) return;
  const fs::path made = *work / "findings";
  std::error_code failure;  // told by the file that cannot be written
  fs::create_directory(made, failure);
  Json all = Json::array();
  for (const auto& [place, each] : findings) all.push_back(to_json(each, place.second));
  std::ofstream file(made / file_name, std::ios::binary);
  file << all.dump(-1, ' ', false, Json::error_handler_t::replace);
  file.close();
  if (!file || !entry->store(made)) {
    entry->clear();
    return;
  }
  kokkos::evict(folder(), kokkos::cache_limit());
}

}  // namespace rhopsi::driver
