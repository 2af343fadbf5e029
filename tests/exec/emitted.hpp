// Folders that `emit` has written, configured and built.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {

// Builds these targets of the folder, or what it builds anyway, in its folder `build`. What is the
// same in all folders, the runtime's sources, is taken from the compiler's cache where there is
// one: it then sees names within the folder only.
inline void build_emitted(const std::string& folder, const std::vector<std::string>& settings,
                          const std::vector<std::string>& targets = {}) {
  Conditions conditions;
  const std::string launcher = RHOPSI_COMPILER_LAUNCHER;
  if (!launcher.empty()) conditions.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = launcher;
  conditions.environment["CCACHE_BASEDIR"] = folder;
  conditions.environment["CCACHE_NOHASHDIR"] = "1";
  std::vector<std::string> words = {"-S", folder, "-B", folder + "/build"};
  words.insert(words.end(), settings.begin(), settings.end());
  const Outcome configured = execute("cmake", words, conditions);
  ASSERT_EQ(configured.exit_code, 0) << configured.text();
  words = {"--build", folder + "/build", "--parallel", "2"};
  if (!targets.empty()) words.push_back("--target");
  words.insert(words.end(), targets.begin(), targets.end());
  const Outcome built = execute("cmake", words, conditions);
  ASSERT_EQ(built.exit_code, 0) << built.text();
}

// Builds the Python module and the example of the program there.
inline void build_for_python(const std::string& target, const std::string& program) {
  build_emitted(target, {"-DCMAKE_BUILD_TYPE=Debug"}, {program + "_python", program + "_example"});
}

}  // namespace rhopsi::exec
