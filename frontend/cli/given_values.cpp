#include "frontend/cli/given_values.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>

#include "frontend/driver/codes.hpp"

namespace rhopsi::cli {
namespace {

namespace fs = std::filesystem;

// Options that name one file that is written. The arrays of `run --out` are looked at where their
// names are.
constexpr std::array<std::string_view, 4> outputs{"--output", "--certificate", "--depfile",
                                                  "--checkpoint"};

constexpr const char* specification = "the specification";

void check_empty(const CLI::Option& option, syntax::Diagnostics& diagnostics) {
  // Of an option that may stand alone, no value is an empty one.
  if (option.get_positional() || option.count() == 0 || option.get_expected_min() == 0) return;
  const auto& values = option.results();
  if (std::ranges::none_of(values, [](const std::string& each) { return each.empty(); })) return;
  diagnostics.error(driver::codes::malformed_option, {}, option.get_name() + ": the value is empty",
                    "give one, or leave the option out");
}

// Devices may be written as often as one likes.
bool replaced(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string place_of(const std::string& path) {
  std::error_code failure;
  return fs::weakly_canonical(fs::absolute(path, failure), failure).string();
}

}  // namespace

void check_values(const CLI::App& command, syntax::Diagnostics& diagnostics) {
  std::map<std::string, std::string> places;  // and what names them
  if (const CLI::Option* const file = command.get_option_no_throw("file")) {
    if (file->count() == 1) places.emplace(place_of(file->results().front()), specification);
  }
  if (const CLI::Option* const arrays = command.get_option_no_throw("--in")) {
    for (const std::string& each : arrays->results())  // NAME=FILE
      places.emplace(place_of(each.substr(each.find('=') + 1)), "an array of --in");
  }
  for (const CLI::Option* option : command.get_options()) {
    check_empty(*option, diagnostics);
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(outputs, name) == outputs.end()) continue;
    const std::string& path = option->results().back();
    if (path.empty() || !replaced(path)) continue;
    const auto [known, made] = places.emplace(place_of(path), name);
    // What a command makes of a specification may take its place.
    if (made || (name == "--output" && known->second == specification)) continue;
    diagnostics.error(driver::codes::unwritable, {},
                      name + ": '" + path + "' is " + known->second + " too",
                      "name another file: what is written last would be all that is left");
  }
}

}  // namespace rhopsi::cli
