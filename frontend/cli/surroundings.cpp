#include "frontend/cli/surroundings.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "backends/kokkos/build/cache.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::cli {
namespace {

std::vector<std::string> given(const CLI::App& command, const std::string& option) {
  const CLI::Option* const found = command.get_option_no_throw(option);
  return found == nullptr ? std::vector<std::string>{} : found->results();
}

bool compiles(const CLI::App& command) {
  const std::string name = command.get_name();
  const auto backends = given(command, "--backend");
  const auto names = [&](const char* backend) {
    return std::ranges::find(backends, backend) != backends.end();
  };
  if (name == "eval") return names("kokkos");
  return (name == "run" || name == "tune") && !names("reference");
}

}  // namespace

void check_surroundings(const CLI::App& command, syntax::Diagnostics& diagnostics) {
  for (const std::string& folder : given(command, "-I")) {
    std::error_code failure;
    if (std::filesystem::is_directory(folder, failure)) continue;
    diagnostics.warning(driver::codes::malformed_option, {}, "-I " + folder + ": no such folder",
                        "no package is looked for there");
  }
  const char* const limit = std::getenv("RHOPSI_CACHE_LIMIT");
  if (limit == nullptr || *limit == '\0' || !compiles(command)) return;
  if (kokkos::cache_limit_of(limit)) return;
  diagnostics.warning(driver::codes::malformed_option, {},
                      "RHOPSI_CACHE_LIMIT=" + std::string(limit) +
                          ": this is not a size, and the limit is the usual one, 2G",
                      "give a number of bytes, or one with K, M, G or T behind it");
}

}  // namespace rhopsi::cli
