// Files in folders with names that C++, CMake, make and Python read as more than names.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/exec/compared.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

namespace fs = std::filesystem;

const char* const text =
    "package a imports backend.kokkos;\n"
    "program P = {\n"
    "  use Arrays;\n"
    "  function \xce\xb1(a: Array): Array = a + a;\n"
    "  procedure step(upd a: Array) { a = \xce\xb1(a); }\n"
    "};\n";

class HostileNames : public testing::TestWithParam<const char*> {
 protected:
  Folder folder;
  const fs::path inner = folder.path() / GetParam();
};

// The same text, whatever the folder is called.
TEST_P(HostileNames, AreInNothingThatIsEmitted) {
  folder.write(std::string(GetParam()) + "/a.mg", text);
  folder.write("plain/a.mg", text);
  const auto emitted = [&](const fs::path& where) {
    const std::string out = (where / "out").string();
    const Outcome outcome = rhopsi(
        {"emit", (where / "a.mg").string(), "-p", "P", "--rank", "1", "--python", "-o", out});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(out).string()] = read(entry.path().string());
    }
    return files;
  };
  EXPECT_EQ(emitted(inner), emitted(folder.path() / "plain"));
  const Outcome c = execute("cc", {"-fsyntax-only", "-xc", (inner / "out/P_kernels.h").string()});
  EXPECT_EQ(c.exit_code, 0) << c.text();
}

TEST_P(HostileNames, AreRead) {
  folder.write(std::string(GetParam()) + "/a.mg", text);
  const std::string u = random_field(folder, "u", {5}, 1);
  const std::string in = (inner / "u.npy").string(), out = (inner / "v.npy").string();
  fs::copy_file(u, in);
  const Outcome outcome = rhopsi({"run", (inner / "a.mg").string(), "-p", "P", "--backend",
                                  "reference", "--in", "a=" + in, "--out", "a=" + out, "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  auto expected = io::read_npy<double>(u).data;
  for (double& each : expected) each += each;
  EXPECT_EQ(io::read_npy<double>(out).data, expected);
}

// As ninja reads a rule: the file is found under the name that stands there.
TEST_P(HostileNames, StandInARuleForMake) {
  const std::string file = folder.write(std::string(GetParam()) + "/a.mg", text);
  const std::string rule = folder / "P.d";
  const Outcome outcome =
      rhopsi({"emit", file, "-p", "P", "--rank", "1", "-o", folder / "out", "--depfile", rule});
  if (std::string(GetParam()).find_first_of("\n\"*`;") != std::string::npos) {  // ninja has no way
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("a rule for make and ninja cannot name"), std::string::npos)
        << outcome.text();
    return;
  }
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  folder.write("build.ninja",
               std::string("rule copy\n  command = touch $out\n  depfile = P.d\nbuild ") +
                   folder / "P" + ": copy\n");
  Conditions there;
  there.folder = folder.path();
  ASSERT_EQ(execute("ninja", {}, there).exit_code, 0);
  EXPECT_NE(execute("ninja", {"-n"}, there).out.find("no work to do"), std::string::npos);
  fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_EQ(execute("ninja", {"-n"}, there).out.find("no work to do"), std::string::npos)
      << read(rule);
}

INSTANTIATE_TEST_SUITE_P(Names, HostileNames,
                         testing::Values("a b", "x */ #error \"y\"", "line\nbreak",
                                         "$HOME $(touch x) `y`", "quote\" and ' and ;",
                                         "back\\slash \\", "#hash %d ${x}",
                                         "\xe2\x80\xae"
                                         "turned"));

// A program that is called as a file of the runtime would replace it.
TEST(HostilePrograms, AreNotCalledAsAFileOfTheRuntime) {
  const Folder folder;
  const std::string file = folder.write(
      "a.mg",
      "package a imports backend.kokkos;\n"
      "program error = { use Arrays; procedure step(upd a: Array) { a = a + a; } };\n");
  const Outcome outcome =
      rhopsi({"emit", file, "-p", "error", "--rank", "1", "-o", folder / "out"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0707"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.err.find("'error.hpp' twice"), std::string::npos) << outcome.text();
}

// Numbers that are called as what loops and planes of emitted text are given.
TEST(HostilePrograms, HaveNumbersCalledAsRows) {
  const Folder folder;
  std::string arguments, sum;
  Words words = {"run", "", "-p", "Named", "--entry", "step", "--repeat", "4"};
  for (const std::string name : {"row", "rows", "slab", "tile", "near", "part", "fault", "Int"}) {
    arguments += ", obs " + name + ": Number";
    sum += " + " + name;
    words.insert(words.end(), {"--set", name + "=0.0" + std::to_string(words.size())});
  }
  words[1] = folder.write("named.mg",
                          "package named imports moa.library;\n"
                          "program Named = implement Expressions in {\n"
                          "  use Expressions;\n"
                          "  procedure step(upd u: Array" +
                              arguments +
                              ") guard dim(u) == 2 {\n"
                              "    var t = array(row) * u + rotate(u, 0, 1) * array(0" +
                              sum +
                              ");\n"
                              "    u = sin(t + array(slab) * rotate(t, 0, -1)) - array(rows) * t;\n"
                              "  };\n"
                              "};\n");
  words.insert(words.end(), {"--in", "u=" + random_field(folder, "u", {9, 14}, 1)});
  for (const Words& schedule : {Words{}, Words{"--schedule", "full"}, Words{"--schedule", "off"}})
    compared(folder, words, "u", schedule);
}

// What never ends is not read to its end.
TEST(HostileFiles, WithoutAnEnd) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "/dev/zero"},
        {"fmt", "--check", "/dev/zero"},
        {"analyze", "--trs", "/dev/zero"},
        {"normalize", "--trs", "/dev/zero", "--term", "a"}}) {
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find("error[E0"), std::string::npos) << outcome.text();
  }
}

// A pipe that nobody writes to would be waited for without an end.
TEST(HostileFiles, PipesAreNoTexts) {
  const Folder folder;
  const std::string pipe = folder / "x.mg";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string good = folder.write("y.mg", "package y;\nsignature S = { type T; };\n");
  const std::string imports = folder.write("z/w.mg", "package w imports x;\n");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", pipe},
                                                {"check", imports, "-I", folder.path().string()},
                                                {"fmt", "--check", pipe},
                                                {"eval", "--file", pipe},
                                                {"eval", "1", "--with", pipe},
                                                {"eval", "--file", "/dev/zero"},
                                                {"replay", pipe},
                                                {"analyze", "--trs", pipe},
                                                {"normalize", "--trs", pipe, "--term", "a"}}) {
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 1) << words[0] << outcome.text();
    EXPECT_NE(outcome.err.find(": it is not a regular file"), std::string::npos)
        << words[0] << outcome.text();
  }
  // Among the files of a folder it is none.
  fs::remove_all(folder.path() / "z");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", folder.path().string()},
        {"fmt", "--check", folder.path().string()},
        {"rules", "list", "--rules", folder.path().string()}}) {
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << words[0] << outcome.text();
  }
  // What a shell has opened is read, whatever it is.
  const Outcome opened =
      execute("bash", {"-c", "echo '2 + 3' | " RHOPSI_BINARY " eval --file /dev/stdin"});
  EXPECT_EQ(opened.exit_code, 0) << opened.text();
  EXPECT_NE(opened.out.find("5"), std::string::npos) << opened.text();
}

}  // namespace
}  // namespace rhopsi::exec
