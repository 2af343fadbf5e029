#include "frontend/driver/doctor.hpp"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "backends/kokkos/build/kokkos.hpp"
#include "backends/kokkos/build/process.hpp"
#include "engine/smt/oracle.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/rule_library.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

// The first line of what `program --version` says, with the place of the program.
std::string version_of(const std::string& program) {
  const auto place = kokkos::find_program(program);
  if (!place) return {};
  const auto text = kokkos::output_of(place->string(), {"--version"});
  if (!text) return {};
  return text->substr(0, text->find('\n')) + " (" + place->string() + ")";
}

Finding tool(const std::string& what, const std::string& program, const std::string& advice,
             bool needed = true) {
  return {what, version_of(program), advice, needed};
}

Finding rules() {
  const fs::path folder = rule_library();
  const std::size_t files = source_files(folder.string()).size();
  if (files == 0) return {"rules", {}, "install rhopsi again, or name their folder in RHOPSI_PATH"};
  const std::string version = rules_version(folder.string());
  return {"rules",
          (version.empty() ? "" : version + ", ") + std::to_string(files) + " files (" +
              folder.string() + ")",
          {}};
}

std::string compiler() {
  const char* const named = std::getenv("CXX");
  return named != nullptr && *named != '\0' ? named : "c++";
}

void add_kokkos(std::vector<Finding>& findings) {
  const auto found = kokkos::find_kokkos();
  if (!found) {
    findings.push_back({"Kokkos", {}, found.error().message + "; " + found.error().note});
    return;
  }
  findings.push_back(
      {"Kokkos",
       found->version + " for " + enumerate(found->devices) + " (" + found->prefix.string() + ")",
       {}});
  for (const char* const device : {"OPENMP", "CUDA"}) {
    if (found->has(device)) continue;
    findings.push_back({"Kokkos for " + std::string(device),
                        {},
                        "name a Kokkos that was built for it in Kokkos_ROOT",
                        false});
  }
}

Finding cache() {
  const fs::path folder = kokkos::cache_folder();
  // Whether it can be used is known when it is there.
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure || ::access(folder.c_str(), W_OK) != 0)
    return {"cache", {}, "'" + folder.string() + "' cannot be written: set RHOPSI_CACHE"};
  return {"cache", folder.string(), {}};
}

}  // namespace

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings = {rules(), {"Z3", smt::solver_version(), {}}};
  findings.push_back(tool("C++ compiler", compiler(), "install g++, or name one in CXX"));
  findings.push_back(tool("CMake", "cmake", "install cmake"));
  add_kokkos(findings);
  findings.push_back(tool("CUDA", "nvcc", "for --target cuda, install the CUDA toolkit", false));
  findings.push_back(cache());
  return findings;
}

}  // namespace rhopsi::driver
