#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

namespace fs = std::filesystem;

// Installed once for all tests; the consumer is copied, since tests change its files.
class Install : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(source("tests/install/consumer"), consumer, fs::copy_options::recursive);
    const Outcome installed = execute("cmake", {"--install", RHOPSI_BUILD_DIR, "--prefix", prefix});
    ASSERT_EQ(installed.exit_code, 0) << installed.text();
  }

  void configured(std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"-S", consumer, "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
                                       "-Drhopsi_ROOT=" + prefix});
    const Outcome outcome = execute("cmake", settings);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  }

  // What the build says.
  std::string built() {
    const Outcome outcome = execute("cmake", {"--build", build, "--parallel", "2"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }

  Outcome run(const std::string& program, const std::vector<std::string>& words = {}) {
    Conditions conditions;
    conditions.environment["OMP_PROC_BIND"] = "spread";  // Kokkos says something without it
    return execute(build + "/" + program, words, conditions);
  }

  const Folder folder;
  const std::string consumer = folder / "consumer";
  const std::string prefix = folder / "prefix";
  const std::string build = folder / "build";
};

TEST_F(Install, KernelsOfAProjectOfItsOwn) {
  configured({});
  built();
  const Outcome first = run("consumer");
  EXPECT_EQ(first.exit_code, 0) << first.text();
  EXPECT_EQ(first.out, "as expected\n");

  // Nothing is done again without a reason; an imported rule is one.
  EXPECT_EQ(built().find("Rewriting"), std::string::npos);
  const std::string rules = consumer + "/rules/imaging/mirrors.mg";
  std::string text = read(rules);
  const std::string mirrored = "2 * at(shape(A), axis) - 1 - at(p, axis)";
  ASSERT_NE(text.find(mirrored), std::string::npos);
  text.replace(text.find(mirrored), mirrored.size(), "at(p, axis) - at(shape(A), axis)");
  folder.write("consumer/rules/imaging/mirrors.mg", text);
  EXPECT_NE(built().find("Rewriting Blur"), std::string::npos);
  EXPECT_EQ(run("consumer").out, "other numbers\n");
}

TEST_F(Install, KernelsOfATargetAndTheirCallersKnowIt) {
  folder.write("consumer/CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.21...3.31)\nproject(targets LANGUAGES CXX)\n"
               "find_package(rhopsi REQUIRED)\n"
               "set(from FROM specs/blur.mg PROGRAM Blur RANK 2 RULE_PATH rules)\n"
               "rhopsi_add_kernels(one ${from} TARGET serial)\n"
               "rhopsi_add_kernels(any ${from})\n"
               "foreach(kernels IN ITEMS one any)\n"
               "  get_target_property(defined ${kernels} INTERFACE_COMPILE_DEFINITIONS)\n"
               "  message(STATUS \"${kernels}: ${defined}.\")\n"
               "endforeach()\n");
  const Outcome outcome =
      execute("cmake", {"-S", consumer, "-B", build, "-Drhopsi_ROOT=" + prefix});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("one: RHOPSI_EXEC=Kokkos::Serial."), std::string::npos)
      << outcome.text();
  EXPECT_NE(outcome.out.find("any: defined-NOTFOUND."), std::string::npos) << outcome.text();
}

TEST_F(Install, MistakesInSpecificationsEndTheBuild) {
  folder.write(
      "consumer/specs/blur.mg",
      "package blur imports imaging.mirrors;\n"
      "program Blur = implement Mirrors in { use Mirrors;\n"
      "  procedure blur(obs image: Array, out result: Array) { result = mirrored(image); } };\n");
  configured({});
  const Outcome outcome = execute("cmake", {"--build", build});
  EXPECT_NE(outcome.exit_code, 0);
  const std::string told = outcome.out + outcome.err;
  EXPECT_NE(told.find("blur.mg:3:"), std::string::npos) << outcome.text();
  EXPECT_NE(told.find("error[E02"), std::string::npos) << outcome.text();
}

// What `rhopsi new` makes is such a project, with the installed command and its installed rules.
TEST_F(Install, NewProjectsBuildAsTheirPageSays) {
  Conditions here;
  here.folder = folder.path();
  const std::string command = prefix + "/bin/rhopsi";
  ASSERT_EQ(execute(command, {"new", "ripple"}, here).exit_code, 0);
  const std::string project = folder / "ripple";
  const Outcome configured =
      execute("cmake", {"-S", project, "-B", project + "/build", "-DCMAKE_PREFIX_PATH=" + prefix});
  ASSERT_EQ(configured.exit_code, 0) << configured.text();
  const Outcome made = execute("cmake", {"--build", project + "/build"});
  ASSERT_EQ(made.exit_code, 0) << made.text();
  here.environment["OMP_PROC_BIND"] = "spread";
  const Outcome ran = execute(project + "/build/ripple", {}, here);
  EXPECT_EQ(ran.out,
            " 0.00 0.25 0.25 0.00 0.00 0.00\n"
            " 0.00 0.25 0.25 0.00 0.00 0.00\n"
            " 0.00 0.00 0.00 0.00 0.00 0.00\n"
            " 0.00 0.00 0.00 0.00 0.00 0.00\n")
      << ran.text();
  for (const char* words : {"share/man/man1/rhopsi.1", "share/rhopsi/rules/moa/library.mg",
                            "share/bash-completion/completions/rhopsi"})
    EXPECT_TRUE(fs::exists(fs::path(prefix) / words)) << words;
}

// Programs built in C++ without text, from what is exported. Sanitizers would have to be linked.
TEST_F(Install, LibrariesAreExported) {
  if (!std::string(RHOPSI_SANITIZE).empty()) GTEST_SKIP() << "the libraries need the sanitizers";
  configured({"-DWITH_LIBRARIES=ON"});
  built();
  const Outcome outcome = run("embedded", {source("specs/smooth/smooth.mg")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
