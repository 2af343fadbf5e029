#include "frontend/driver/tune_state.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include <nlohmann/json.hpp>

#include "backends/io/atomic_file.hpp"
#include "backends/kokkos/build/digest.hpp"
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

namespace {

// Of all that stands before it in the file.
std::string digest_of(const Json& json) { return kokkos::Digest().add_part(json.dump()).hex(); }

// Nothing where no search can have written it.
std::optional<TuneState> state_in(const fs::path& path) {
  TuneState state;
  try {
    std::ifstream file(path, std::ios::binary);
    Json json = Json::parse(file);
    const std::string digest = json.at("digest").get<std::string>();
    json.erase("digest");
    if (digest != digest_of(json)) return std::nullopt;
    state.spent = json.at("spent").get<double>();
    for (const Json& each : json.at("times")) {
      state.times.push_back(
          {each.at("recipe").get<std::string>(), each.at("seconds").get<std::vector<double>>()});
    }
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
  const auto is_time = [](double seconds) { return seconds > 0; };
  for (const TuneState::Times& each : state.times) {
    if (!std::ranges::all_of(each.seconds, is_time)) return std::nullopt;
  }
  if (!(state.spent >= 0)) return std::nullopt;
  return state;
}

}  // namespace

TuneState read_state(const fs::path& path, syntax::Diagnostics& diagnostics) {
  std::error_code failure;
  if (!fs::exists(path, failure)) return {};
  auto state = state_in(path);
  if (!state) {
    diagnostics.warning(codes::kept_damaged, {},
                        "what was measured before is not used: '" + path.string() +
                            "': it was changed, or is not whole",
                        "the search begins anew");
  }
  return state.value_or(TuneState{});
}

bool write_state(const TuneState& state, const fs::path& path, syntax::Diagnostics& diagnostics) {
  Json json = {{"spent", state.spent}, {"times", Json::array()}};
  for (const TuneState::Times& each : state.times) {
    json["times"].push_back({{"recipe", each.recipe}, {"seconds", each.seconds}});
  }
  json["digest"] = digest_of(json);
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
