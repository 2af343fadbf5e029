// Compiled rule sets: an emitted program goes through the system's C++ compiler and is loaded
// into this process.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backends/kokkos/build/result.hpp"
#include "engine/normalise/native.hpp"

namespace rhopsi::native {

struct CompileOptions {
  std::string compiler;         // empty: $CXX, else c++
  std::filesystem::path cache;  // empty: cache_folder() / "rules"
};

// Code for normalise::Machine. What was compiled once is kept under a digest of the emitted text,
// the compiler and the flags, and taken from there the next time; processes that compile the
// same wait for one another. Compiling takes about a second for a hundred rules; the program has
// to be kept for as long as the machine, not for as long as the code.
//
// E0702  the compiler cannot be started
// E0704  it refuses the text: the first errors are in the note
// E0705  the cache cannot be used
// E0708  what was compiled cannot be loaded, or not be run here
kokkos::Result<std::shared_ptr<const normalise::Native>> compile(
    const normalise::Program& program, const CompileOptions& options = {});

}  // namespace rhopsi::native
