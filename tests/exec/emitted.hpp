// Folders that `emit --python` has written.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// Builds the Python module and the example of the program there.
inline void build_for_python(const std::string& target, const std::string& program) {
  const Outcome configured =
      execute("cmake", {"-S", target, "-B", target + "/build", "-DCMAKE_BUILD_TYPE=Debug"});
  ASSERT_EQ(configured.exit_code, 0) << configured.text();
  const Outcome built = execute("cmake", {"--build", target + "/build", "--parallel", "2",
                                          "--target", program + "_python", program + "_example"});
  ASSERT_EQ(built.exit_code, 0) << built.text();
}

}  // namespace rhopsi::exec
