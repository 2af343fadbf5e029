// What goes wrong is told with a place and a code, ends with 1, and leaves nothing behind.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// A program over arrays, with the lines of `program` from line 3 on.
std::string package(const std::string& name, const std::string& program) {
  return "package " + name + " imports backend.kokkos;\n\n" + program;
}

const char* const scale =
    "implementation Parameters = external Kokkos parameters {\n"
    "  require type Real;\n"
    "  function factor(): Real;\n"
    "  function shift(): Real;\n"
    "};\n"
    "program Scale = {\n"
    "  use Arrays;\n"
    "  use Parameters;\n"
    "  procedure step(upd u: Array, obs v: Array) { u = factor() * u + shift() * v; }\n"
    "  procedure other(upd u: Array) { u = u + u; }\n"
    "};\n";

void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  for (const std::string& word : words) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.text();
  }
}

TEST(Source, NestingTooDeepIsAMistake) {
  const Folder folder;
  std::string sum = "u";
  for (int i = 0; i < 20000; ++i) sum += " + u";
  const std::string file = folder.write("deep.mg", package("deep",
                                                           "program P = {\n  use Arrays;\n"
                                                           "  function f(u: Array): Array = " +
                                                               sum + ";\n};\n"));
  EXPECT_EQ(rhopsi({"check", file}).exit_code, 0);
  expect_refused(rhopsi({"emit", file, "-p", "P", "-o", folder / "out"}),
                 {"deep.mg:5:33", "E0512"});
}

TEST(Source, MistakesHaveAPlace) {
  const Folder folder;
  const auto check = [&](const std::string& name, const std::string& program) {
    return rhopsi({"check", folder.write(name + ".mg", package(name, program))});
  };
  expect_refused(check("unknown",
                       "program P = {\n  use Arrays;\n"
                       "  function f(a: Array): Array = g(a);\n};\n"),
                 {"unknown.mg:5:33", "E0202"});
  expect_refused(check("typed",
                       "program P = {\n  use Arrays;\n"
                       "  function f(a: Array): Array = psi(a, a);\n};\n"),
                 {"typed.mg:5:", "E0211"});
  expect_refused(check("modes",
                       "program P = {\n  use Arrays;\n"
                       "  procedure p(obs a: Array) { a = a + a; }\n};\n"),
                 {"modes.mg:5:", "E0231"});
  expect_refused(check("unset",
                       "program P = {\n  use Arrays;\n"
                       "  procedure p(out a: Array) { skip; }\n};\n"),
                 {"unset.mg:5:", "E0235"});
  expect_refused(check("abstract",
                       "program P = {\n  use Arrays;\n"
                       "  function f(a: Array): Array;\n};\n"),
                 {"abstract.mg:", "E0323"});
}

TEST(Source, AMissingImportNamesTheFoldersSearched) {
  const Folder folder;
  const std::string file = folder.write("a.mg", "package a imports lib.missing;\n");
  expect_refused(rhopsi({"check", file, "-I", "/nowhere"}), {"a.mg:1:", "E0403", "/nowhere"});
}

class Request : public testing::Test {
 protected:
  void SetUp() override {
    file = folder.write("scale.mg", package("scale", scale));
    u = random_field(folder, "u", {4, 5}, 1);
    v = random_field(folder, "v", {4, 5}, 2);
  }

  // `run` with all that step needs, less and more as the test says.
  Outcome run(const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"run", file, "-p", "Scale"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return rhopsi(words);
  }

  const Folder folder;
  std::string file, u, v;
};

TEST_F(Request, UnknownNames) {
  expect_refused(rhopsi({"run", file, "-p", "Scales"}), {"Scale"});
  expect_refused(run({"--entry", "stepp"}), {"E0801", "did you mean 'step'"});
  expect_refused(run({}), {"E0802", "step", "other"});
  expect_refused(run({"--entry", "step", "--in", "w=" + u}), {"E0812", "scale.mg:11:"});
  expect_refused(run({"--entry", "step", "--out", "v=" + folder / "x.npy"}),
                 {"E0812", "only read"});
  expect_refused(run({"--entry", "step", "--set", "facto=1"}), {"E0814", "factor"});
}

TEST_F(Request, EverythingThatIsMissingAtOnce) {
  const Outcome outcome = run({"--entry", "step", "--shape", "4,5"});
  expect_refused(outcome, {"E0813", "u and v", "E0815", "factor and shift", "scale.mg:5:"});
}

TEST_F(Request, ShapesThatDiffer) {
  const std::string w = random_field(folder, "w", {5, 4}, 3);
  expect_refused(
      run({"--entry", "step", "--in", "u=" + u, "v=" + w, "--set", "factor=1", "shift=2"}),
      {"E0821", "5x4", "4x5", "w.npy"});
  expect_refused(run({"--entry", "step", "--shape", "4,6", "--in", "u=" + u, "v=" + v, "--set",
                      "factor=1", "shift=2"}),
                 {"E0821", "4x6", "4x5"});
}

TEST_F(Request, ValuesThatCannotBeRead) {
  expect_refused(run({"--entry", "step", "--set", "factor=fast"}), {"E0810", "fast"});
  expect_refused(run({"--entry", "step", "--set", "factor"}), {"E0810", "name=value"});
  expect_refused(run({"--entry", "step", "--set", "factor=1", "factor=2"}), {"E0811"});
  expect_refused(run({"--entry", "step", "--shape", "4,,5"}), {"E0810"});
  expect_refused(run({"--entry", "step", "--shape", "0,5"}), {"E0810"});
  expect_refused(run({"--entry", "step", "--repeat", "-1"}), {"--repeat"});
  expect_refused(run({"--entry", "step", "--dtype", "doubel"}), {"E0810", "double"});
  expect_refused(run({"--entry", "step", "--target", "openpm"}), {"E0810", "openmp"});
}

TEST_F(Request, FilesThatAreNoArrays) {
  folder.write("text.npy", "not an array");
  expect_refused(run({"--entry", "other", "--in", "u=" + folder / "text.npy", "--shape", "4,5"}),
                 {"E0820", "text.npy"});
  expect_refused(run({"--entry", "other", "--in", "u=" + folder / "none.npy", "--shape", "4,5"}),
                 {"E0820", "none.npy"});
  folder.write("short.npy", read(u).substr(0, read(u).size() - 1));
  expect_refused(run({"--entry", "other", "--in", "u=" + folder / "short.npy"}),
                 {"E0820", "--in u", "truncated"});
  const std::string number = random_field(folder, "number", {}, 1);
  const Outcome single = run({"--entry", "other", "--in", "u=" + number});
  expect_refused(single, {"E0821", "single number"});
  EXPECT_EQ(single.text().find("E0816"), std::string::npos) << single.text();
}

TEST_F(Request, OneDistanceForAllAxesOrOneEach) {
  expect_refused(run({"--entry", "other", "--in", "u=" + u, "--spacing", "1,2,3"}),
                 {"E0810", "3 distances", "2 axes"});
}

TEST_F(Request, OneFileForTwoOutputs) {
  // The same place in two spellings, and no file there yet.
  expect_refused(run({"--entry", "other", "--in", "u=" + u, "--out", "u=never-written.npy",
                      "--checkpoint", "./never-written.npy"}),
                 {"E0830", "written twice"});
  expect_refused(run({"--entry", "other", "--in", "u=some.npy", "--checkpoint", "./some.npy"}),
                 {"E0830", "--checkpoint: './some.npy' is an array of --in too"});
}

TEST_F(Request, FoldersThatCannotBeWritten) {
  expect_refused(run({"--entry", "other", "--in", "u=" + u, "--out", "u=/nowhere/u.npy"}),
                 {"E0830", "/nowhere"});
  expect_refused(run({"--entry", "other", "--in", "u=" + u, "--out", "u=" + folder / "u.txt"}),
                 {"E0810", ".npy"});
  expect_refused(run({"--entry", "other", "--in", "u=" + u, "--checkpoint", "/nowhere/c"}),
                 {"E0830"});
}

TEST_F(Request, JsonEndsWithAnObjectAfterAFailureToo) {
  const Outcome outcome = run({"--entry", "stepp", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("\"E0801\""), std::string::npos) << outcome.text();
}

TEST_F(Request, AModuleThatIsNoProgram) {
  expect_refused(rhopsi({"run", file, "-p", "Parameters", "--entry", "step"}), {"E0800", "Scale"});
}

TEST_F(Request, AFullDiskLeavesTheOldFile) {
  const std::string out = folder.write("out.npy", "as it was");
  Conditions full;
  full.largest_file = 200;  // enough for the header, not for 20 doubles more
  const auto names = folder.names();
  const Outcome outcome = rhopsi({"run", file, "-p", "Scale", "--entry", "other", "--in", "u=" + u,
                                  "--out", "u=" + out, "--backend", "reference", "--quiet"},
                                 full);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(read(out), "as it was");
  EXPECT_EQ(folder.names(), names);
}

// The reach of a schedule's element must stay within its pad.
TEST(Padding, AnOffsetLargerThanThePad) {
  const Folder folder;
  const std::string file = folder.write(
      "wide.mg",
      package("wide",
              "implementation PaddedByOne = {\n"
              "  require type Offset literals integer;\n"
              "  function padding(): Offset = 1;\n"
              "};\n"
              "program Wide = {\n"
              "  use Arrays;\n"
              "  use PaddedByOne;\n"
              "  function f(a: Array, ix: Index): Real = psi(rotateIxPadded(ix, 0, 2), a);\n"
              "  use PaddedSchedule[element => f, E => Real, schedule => all];\n"
              "  use Padding;\n"
              "  procedure step(upd a: Array) { a = all(a); call refillPadding(a); }\n"
              "};\n"));
  const std::string a = random_field(folder, "a", {6}, 1);
  expect_refused(rhopsi({"run", file, "-p", "Wide", "--in", "a=" + a}), {"E0520", "wide.mg:10:"});
  expect_refused(rhopsi({"emit", file, "-p", "Wide", "--rank", "1", "-o", folder / "emitted"}),
                 {"E0520", "wide.mg:10:"});
  EXPECT_FALSE(std::filesystem::exists(folder / "emitted"));
}

class UserHeader : public testing::Test {
 protected:
  Outcome run(const std::string& header) {
    const std::string file = folder.write("user.mg",
                                          "package user imports backend.kokkos;\n"
                                          "implementation Mine = external C++ mine.functions {\n"
                                          "  require type Real;\n"
                                          "  function twice(x: Real): Real;\n"
                                          "};\n"
                                          "program P = {\n"
                                          "  use Reals;\n"
                                          "  use Mine;\n"
                                          "  function f(x: Real): Real = twice(x);\n"
                                          "};\n");
    if (!header.empty()) folder.write("mine.hpp", header);
    return rhopsi({"run", file, "-p", "P", "--entry", "f", "--set", "x=1.5"});
  }
  const Folder folder;
};

TEST_F(UserHeader, MissingIsTold) { expect_refused(run(""), {"E0846", "user.mg:2:", "mine.hpp"}); }

TEST_F(UserHeader, WithAnErrorStopsTheCompiler) {
  if (on_device()) GTEST_SKIP() << "nvcc shows the place of an error in another way";
  const Outcome outcome = run("template <class Real> struct functions { nonsense; };\n");
  expect_refused(outcome,
                 {"E0704", "mine.hpp:1", "\n            1 | template", "\n        The whole log"});
}

// Called for each element, and through an operation of the program.
TEST_F(UserHeader, ReachesElements) {
  const std::string file = folder.write(
      "elements.mg",
      "package elements imports backend.kokkos;\n"
      "implementation Mine = external C++ mine.functions {\n"
      "  require type Real;\n"
      "  function twice(x: Real): Real;\n"
      "};\n"
      "program P = {\n"
      "  use Arrays;\n"
      "  use Mine;\n"
      "  function more(x: Real): Real = twice(x) + 1.0;\n"
      "  function element(u: Array, ix: Index): Real = more(psi(ix, u)) - twice(1.5);\n"
      "  use FlatSchedule[E => Real];\n"
      "  procedure step(upd u: Array) { u = schedule(u); }\n"
      "};\n");
  folder.write("mine.hpp", twice_in_kernels());
  const std::string u = random_field(folder, "u", {3, 5}, 1);
  const std::string out = folder / "out.npy";
  const Outcome outcome =
      rhopsi({"run", file, "-p", "P", "--in", "u=" + u, "--out", "u=" + out, "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto before = io::read_npy<double>(u).data;
  const auto after = io::read_npy<double>(out).data;
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t p = 0; p < before.size(); ++p) {
    EXPECT_EQ(after[p], before[p] + before[p] + 1.0 - 3.0);
  }
}

}  // namespace
}  // namespace rhopsi::exec
