// Machine code for a test's rules.
#pragma once

#include <gtest/gtest.h>

#include "backends/native/compile.hpp"

namespace rhopsi::tests {

inline std::shared_ptr<const normalise::Native> native_of(const normalise::Program& program) {
  native::CompileOptions options;
  options.cache = std::filesystem::path(RHOPSI_TEST_CACHE) / "rules";
  auto made = native::compile(program, options);
  if (!made) {
    ADD_FAILURE() << made.error().code << " " << made.error().message << "\n" << made.error().note;
    return nullptr;
  }
  return *made;
}

}  // namespace rhopsi::tests
