// What programs are built with. Internal to this folder.
#pragma once

#include <string>

#include "backends/kokkos/build/build.hpp"
#include "backends/kokkos/build/digest.hpp"

namespace rhopsi::kokkos {

// Changes whenever the same inputs are to be built in another way.
inline constexpr const char* recipe = "rhopsi build 2";

struct Tools {
  std::string compiler, compiler_version;
  std::string cmake;
  bool ninja = false;
};

// CMake, and the compiler that the options or CXX name, or `c++`. Starts it once, for its version.
// E0702: one of them is not there.
Result<Tools> find_tools(const BuildOptions& options);

// All of the installation, of the tools and of the flags on which what is built depends.
void add_tools(Digest& digest, const BuildOptions& options, const Installation& kokkos,
               const Tools& tools);

}  // namespace rhopsi::kokkos
