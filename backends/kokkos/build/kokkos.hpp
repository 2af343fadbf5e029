// Which Kokkos emitted programs are built with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "backends/kokkos/build/result.hpp"

namespace rhopsi::kokkos {

struct Installation {
  std::filesystem::path prefix;     // as it was named
  std::filesystem::path cmake_dir;  // holds KokkosConfig.cmake
  std::string version;
  std::vector<std::string> devices;  // SERIAL, OPENMP, CUDA, ...
  std::string source;                // why this one

  bool has(const std::string& device) const;
};

// $RHOPSI_CACHE, else $XDG_CACHE_HOME/rhopsi, else ~/.cache/rhopsi.
std::filesystem::path cache_folder();

// In this order: `named`; Kokkos_DIR, Kokkos_ROOT and CMAKE_PREFIX_PATH of the environment;
// what scripts/setup has settled on, in cache_folder() or, where RHOPSI_CACHE names another one, in
// the user's; the system's folders. E0701 where there is none, or none where the first of `named`,
// Kokkos_DIR and Kokkos_ROOT that is given says.
Result<Installation> find_kokkos(const std::string& named = "");

}  // namespace rhopsi::kokkos
