// Sources of the runtime, compiled once for many programs. Internal to this folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "backends/kokkos/build/tools.hpp"

namespace rhopsi::kokkos {

// One source: it is the same for all programs that run in the same place, and is kept like a
// program.
class RuntimeObject {
 public:
  // Those of the folder that rhopsi_program.cmake compiles once for all targets of a project.
  static std::vector<RuntimeObject> of(const std::vector<File>& files, const BuildOptions& options,
                                       const Installation& kokkos, const Tools& tools);

  // A copy of it comes to `folder`; false where nobody has compiled it yet.
  bool copy_to(const std::filesystem::path& folder, const std::filesystem::path& cache) const;

  // Keeps what CMake has compiled in that folder. Whoever fails to has lost nothing but time.
  void keep(const std::filesystem::path& build_folder, const std::filesystem::path& cache) const;

 private:
  RuntimeObject(std::string name, std::string key) : name_(std::move(name)), key_(std::move(key)) {}

  std::string name_, key_;
};

}  // namespace rhopsi::kokkos
