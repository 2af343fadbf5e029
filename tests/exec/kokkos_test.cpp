// Which Kokkos the folders find that are emitted, and the projects that call rhopsi_add_kernels.
#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// Packages without a library: what is asked is which of them CMake takes.
class FoundKokkos : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("project/CMakeLists.txt",
                 "cmake_minimum_required(VERSION 3.16)\nproject(asks LANGUAGES NONE)\n"
                 "include(" +
                     source("backends/kokkos/runtime/rhopsi_program.cmake") +
                     ")\nmessage(STATUS \"takes ${Kokkos_DIR}\")\n");
    for (const char* const name : {"Kokkos_ROOT", "Kokkos_DIR", "CMAKE_PREFIX_PATH"})
      here.environment[name] = "";
    here.environment["RHOPSI_CACHE"] = folder / "fresh";
    here.environment["XDG_CACHE_HOME"] = folder / "user";
    for (const char* const name : {"settled", "settled of the cache", "named"})
      folder.write(name + std::string("/lib/cmake/Kokkos/KokkosConfig.cmake"),
                   "set(Kokkos_DEVICES SERIAL)\n");
  }

  Outcome configured(const std::vector<std::string>& settings = {}) {
    std::vector<std::string> words = {"-S", folder / "project", "-B",
                                      folder / ("build" + std::to_string(++builds))};
    words.insert(words.end(), settings.begin(), settings.end());
    return execute("cmake", words, here);
  }

  void expect_taken(const std::string& prefix, const std::vector<std::string>& settings = {}) {
    const Outcome outcome = configured(settings);
    EXPECT_NE(outcome.out.find("takes " + folder / (prefix + "/lib/cmake/Kokkos\n")),
              std::string::npos)
        << outcome.text();
  }

  const Folder folder;
  Conditions here;
  int builds = 0;
};

TEST_F(FoundKokkos, IsTheOneThatSetupHasSettledOn) {
  folder.write("user/rhopsi/kokkos/current", folder / "settled\n");
  expect_taken("settled");
  folder.write("fresh/kokkos/current", folder / "gone\n");
  expect_taken("settled");
  folder.write("fresh/kokkos/current", folder / "settled of the cache\n");
  expect_taken("settled of the cache");
  here.environment["XDG_CACHE_HOME"] = "";
  here.environment["RHOPSI_CACHE"] = "";
  here.environment["HOME"] = folder / "home";
  folder.write("home/.cache/rhopsi/kokkos/current", folder / "settled\n");
  expect_taken("settled");
}

TEST_F(FoundKokkos, IsTheOneThatIsNamedBeforeThat) {
  folder.write("user/rhopsi/kokkos/current", folder / "settled\n");
  expect_taken("named", {"-DKokkos_ROOT=" + folder / "named"});
  expect_taken("named", {"-DKokkos_DIR=" + folder / "named/lib/cmake/Kokkos"});
  expect_taken("named", {"-DCMAKE_PREFIX_PATH=" + folder / "named"});
  for (const char* const name : {"Kokkos_ROOT", "CMAKE_PREFIX_PATH"}) {
    here.environment[name] = folder / "named";
    expect_taken("named");
    here.environment[name] = "";
  }
}

TEST_F(FoundKokkos, OrElseWhatToDoIsSaid) {
  const Outcome outcome = configured({"-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON"});
  EXPECT_NE(outcome.exit_code, 0) << outcome.text();
  for (const char* const words :
       {"no Kokkos installation was found", "scripts/setup", "Kokkos_ROOT"})
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
