// Compiling emitted folders, and running what came out.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/kokkos/build/file.hpp"
#include "backends/kokkos/build/kokkos.hpp"
#include "backends/kokkos/build/result.hpp"

namespace rhopsi::kokkos {

struct BuildOptions {
  std::string program;             // the CMake target to run; empty: the only one there is
  std::string kokkos;              // prefix of an installation; empty: find_kokkos() decides
  std::string compiler;            // empty: $CXX, else c++
  std::filesystem::path cache;     // empty: cache_folder() / "programs"
  bool checked = false;            // bounds, stale pads and NaN are errors of the run
  bool fast_math = false;          // for programs that say reassociate
  bool native = true;              // for the processor of this machine
  bool narrow_only = false;        // indices of 32 bits alone: E0616 where these are too few
  std::vector<std::string> flags;  // more for the compiler
  // Asked before each step of the build: is it not to go on?
  std::function<bool()> stopped = [] { return false; };
};

struct Executable {
  std::filesystem::path path;
  Installation kokkos;
  bool cached = false;
  double seconds = 0;  // of configuring and compiling; of the look-up where cached
  std::shared_ptr<const void> entry = {};  // keeps it from being evicted
};

// Configures and compiles the folder that consists of `files` (its CMakeLists.txt and the
// runtime files among them) through CMake. The outcome is kept under a digest of all files,
// of Kokkos, the compiler and the flags. Two processes that build the same wait for one another.
Result<Executable> build(const std::vector<File>& files, const BuildOptions& options = {});

struct RunOptions {
  std::map<std::string, std::string> environment;
  std::optional<std::filesystem::path> output, errors;  // appended to; else passed through
};

// Runs it with OMP_PROC_BIND=spread and OMP_PLACES=threads unless the environment says
// otherwise, and gives its exit status, 128 + n where signal n ended it.
Result<int> run(const Executable& executable, const std::vector<std::string>& arguments,
                const RunOptions& options = {});

}  // namespace rhopsi::kokkos
