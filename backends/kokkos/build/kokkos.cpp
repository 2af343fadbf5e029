#include "backends/kokkos/build/kokkos.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "backends/kokkos/build/cache.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// What stands between `before` and `after` in a text; empty if it does not.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

bool is_package(const fs::path& folder) {
  std::error_code code;
  return fs::is_regular_file(folder / "KokkosConfig.cmake", code);
}

// <prefix>/lib*/[<architecture>/]cmake/Kokkos, or the folder itself.
std::optional<fs::path> package_of(const fs::path& prefix) {
  if (is_package(prefix)) return prefix;
  std::error_code code;
  for (const char* const library : {"lib", "lib64", "share"}) {
    const fs::path folder = prefix / library;
    if (is_package(folder / "cmake" / "Kokkos")) return folder / "cmake" / "Kokkos";
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      const fs::path candidate = at->path() / "cmake" / "Kokkos";
      if (is_package(candidate)) return candidate;
    }
  }
  return std::nullopt;
}

std::optional<Installation> inspect(const fs::path& prefix, std::string source) {
  const std::optional<fs::path> package = package_of(prefix);
  if (!package) return std::nullopt;
  Installation found{prefix, *package, {}, {}, std::move(source)};
  found.version =
      between(contents(*package / "KokkosConfigVersion.cmake"), "PACKAGE_VERSION \"", "\"");
  const std::string common = contents(*package / "KokkosConfigCommon.cmake");
  std::string devices = between(common, "SET(Kokkos_DEVICES ", ")");
  if (devices.empty()) devices = between(common, "set(Kokkos_DEVICES ", ")");
  std::replace(devices.begin(), devices.end(), ' ', ';');
  devices.erase(std::remove(devices.begin(), devices.end(), '"'), devices.end());
  found.devices = split(devices, ';');
  return found;
}

tl::unexpected<Error> holds_none(const std::string& prefix, const std::string& said_by) {
  return failure("E0701", "'" + prefix + "'" + said_by + " holds no Kokkos installation",
                 "It has no lib/cmake/Kokkos/KokkosConfig.cmake.");
}

// What names one and is none is a mistake; of a path that is for all packages it is not.
Result<std::optional<Installation>> from_environment() {
  for (const char* const name : {"Kokkos_DIR", "Kokkos_ROOT"}) {
    const std::string value = variable(name);
    if (value.empty()) continue;
    if (auto found = inspect(value, name)) return found;
    return holds_none(value, ", which " + std::string(name) + " names,");
  }
  for (const std::string& prefix : split(variable("CMAKE_PREFIX_PATH"), ':'))
    if (auto found = inspect(prefix, "CMAKE_PREFIX_PATH")) return found;
  return std::optional<Installation>();
}

// The user's own, whatever cache is named for what is compiled.
fs::path usual_cache_folder() {
  if (const std::string shared = variable("XDG_CACHE_HOME"); !shared.empty())
    return fs::path(shared) / "rhopsi";
  return fs::path(variable("HOME")) / ".cache" / "rhopsi";
}

// A cache that is named may be a fresh one, in which no setup has run.
std::optional<Installation> from_setup() {
  for (const fs::path& cache : {cache_folder(), usual_cache_folder()}) {
    std::ifstream file(cache / "kokkos" / "current");
    std::string prefix;
    if (!std::getline(file, prefix) || prefix.empty()) continue;
    if (auto found = inspect(prefix, "scripts/setup")) return found;
  }
  return std::nullopt;
}

}  // namespace

bool Installation::has(const std::string& device) const {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

fs::path cache_folder() {
  if (const std::string own = variable("RHOPSI_CACHE"); !own.empty()) return own;
  return usual_cache_folder();
}

Result<Installation> find_kokkos(const std::string& named) {
  if (!named.empty()) {
    if (auto found = inspect(named, "named")) return *found;
    return holds_none(named, "");
  }
  const auto stated = from_environment();
  if (!stated) return tl::unexpected(stated.error());
  if (*stated) return **stated;
  if (auto found = from_setup()) return *found;
  for (const char* const prefix : {"/usr/local", "/usr"})
    if (auto found = inspect(prefix, "the system")) return *found;
  return failure("E0701", "no Kokkos installation was found",
                 "Run scripts/setup, or name one by Kokkos_ROOT.");
}

}  // namespace rhopsi::kokkos
