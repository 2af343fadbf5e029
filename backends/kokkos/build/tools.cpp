#include "backends/kokkos/build/tools.hpp"

#include <cstdlib>
#include <filesystem>

#include "backends/kokkos/build/process.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;

Result<Tools> find_tools(const BuildOptions& options) {
  Tools tools;
  tools.compiler = options.compiler;
  if (tools.compiler.empty())
    if (const char* const named = std::getenv("CXX"); named != nullptr) tools.compiler = named;
  if (tools.compiler.empty()) tools.compiler = "c++";
  const auto cmake = find_program("cmake");
  if (!cmake)
    return failure("E0702", "cmake was not found",
                   "Programs are built through CMake 3.16 or newer; scripts/setup installs it.");
  tools.cmake = cmake->string();
  const auto compiler = find_program(tools.compiler);
  const auto version = compiler ? output_of(compiler->string(), {"--version"}) : std::nullopt;
  if (!version)
    return failure("E0702", "the C++ compiler '" + tools.compiler + "' cannot be started",
                   "CXX, or the option for the compiler, names another one.");
  tools.compiler = compiler->string();
  tools.compiler_version = *version;
  tools.ninja = find_program("ninja").has_value();
  return tools;
}

void add_tools(Digest& digest, const BuildOptions& options, const Installation& kokkos,
               const Tools& tools) {
  digest.add_part(kokkos.cmake_dir.string()).add_part(kokkos.version);
  // Tells an installation from one that was built anew in the same place.
  for (const char* const name : {"KokkosConfigCommon.cmake", "KokkosTargets.cmake"}) {
    std::error_code code;
    digest.add_part(contents(kokkos.cmake_dir / name));
    const auto time = fs::last_write_time(kokkos.cmake_dir / name, code);
    digest.add_part(code ? "" : std::to_string(time.time_since_epoch().count()));
  }
  digest.add_part(tools.compiler).add_part(tools.compiler_version);
  for (const std::string& flag : options.flags) digest.add_part(flag);
  for (const char* const name : {"CXXFLAGS", "LDFLAGS"}) {  // CMake reads them
    const char* const value = std::getenv(name);
    digest.add_part(value == nullptr ? "" : value);
  }
}

}  // namespace rhopsi::kokkos
