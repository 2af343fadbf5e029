#include "frontend/driver/tune_state.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "backends/io/atomic_file.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<double>& TuneState::of(const std::string& recipe) {
  for (Times& each : times) {
    if (each.recipe == recipe) return each.seconds;
  }
  times.push_back({recipe, {}});
  return times.back().seconds;
}

TuneState read_state(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const Json json = Json::parse(file, nullptr, false);
  TuneState state;
  if (!json.is_object()) return state;
  try {
    state.spent = json.at("spent").get<double>();
    for (const Json& each : json.at("times")) {
      state.times.push_back(
          {each.at("recipe").get<std::string>(), each.at("seconds").get<std::vector<double>>()});
    }
  } catch (const Json::exception&) {
    return {};
  }
  return state;
}

bool write_state(const TuneState& state, const fs::path& path, syntax::Diagnostics& diagnostics) {
  Json json = {{"spent", state.spent}, {"times", Json::array()}};
  for (const TuneState::Times& each : state.times) {
    json["times"].push_back({{"recipe", each.recipe}, {"seconds", each.seconds}});
  }
  try {
    fs::create_directories(path.parent_path());
    io::AtomicFile file(path.string());
    file.write(json.dump(1) + "\n");
    file.commit();
    return true;
  } catch (const std::exception& error) {
    diagnostics.error(
        codes::write_failed, {},
        "what was measured cannot be kept in '" + path.string() + "': " + error.what(),
        "make room, or set RHOPSI_CACHE");
    return false;
  }
}

}  // namespace rhopsi::driver
