#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

struct Case {
  const char* file;
  const char* program;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  return stream << one.file << " -p " << one.program;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

class Rewritten : public testing::TestWithParam<Case> {};

TEST_P(Rewritten, IsAcceptedAgainAndPrintsTheSame) {
  const Folder folder;
  const std::string file = folder / "again.mg";
  Outcome outcome =
      rhopsi({"rewrite", source(GetParam().file), "-p", GetParam().program, "--trace", "-o", file});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text() << read(file);

  // What was printed is printed again with the same declarations; externals, which are
  // printed first, may move them.
  ASSERT_EQ(
      rhopsi({"rewrite", source(GetParam().file), "-p", GetParam().program, "-o", file}).exit_code,
      0);
  const auto printed = sorted_lines(read(file));
  outcome = rhopsi({"rewrite", file, "-p", GetParam().program, "-o", file});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(sorted_lines(read(file)), printed);
}

INSTANTIATE_TEST_SUITE_P(
    Specifications, Rewritten,
    testing::Values(Case{"specs/smooth/smooth.mg", "Base"}, Case{"specs/smooth/smooth.mg", "DNF"},
                    Case{"specs/burgers/paper.mg", "Base"}, Case{"specs/burgers/paper.mg", "MoA"},
                    Case{"specs/burgers/paper.mg", "DNF"}, Case{"specs/burgers/paper.mg", "Padded"},
                    Case{"specs/burgers/paper.mg", "3D"},
                    Case{"specs/burgers/paper.mg", "3DPadded"},
                    Case{"specs/burgers/burgers.mg", "DNF"},
                    Case{"specs/burgers/burgers.mg", "3DPadded"},
                    Case{"specs/matrix_chain/matrix_chain.mg", "DevProgram"}));

TEST(Rewrite, SaysWhyItStopped) {
  const Outcome outcome = rhopsi({"rewrite", source("specs/burgers/paper.mg"), "-p", "DNF"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("normal form after 15 passes, 33 steps"), std::string::npos)
      << outcome.err;
}

TEST(Rewrite, OneCallableOnly) {
  const Outcome outcome =
      rhopsi({"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-f", "smoothIx"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out.rfind("function smoothIx(", 0), 0U) << outcome.text();
  EXPECT_EQ(outcome.out.find("procedure"), std::string::npos) << outcome.text();
}

// The same on every machine, wherever the rule library lies.
TEST(Rewrite, TheTraceNamesFilesOfTheLibraryByTheirPackage) {
  Conditions here;
  here.folder = source("specs");
  const Outcome outcome =
      rhopsi({"rewrite", "smooth/smooth.mg", "-p", "DNF", "-f", "smoothIx", "--trace"}, here);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find(" (rules/moa/dnf.mg:"), std::string::npos) << outcome.text();
  EXPECT_EQ(outcome.out.find(source("rules")), std::string::npos) << outcome.text();
  const Outcome absolute = rhopsi(
      {"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-f", "smoothIx", "--trace"},
      here);
  EXPECT_EQ(absolute.out, outcome.out);
}

TEST(Rewrite, UnknownNamesAreAnswered) {
  const std::string file = source("specs/smooth/smooth.mg");
  Outcome outcome = rhopsi({"rewrite", file, "-p", "DNV"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("DNF"), std::string::npos) << outcome.text();
  outcome = rhopsi({"rewrite", file, "-p", "DNF", "-f", "smootIx"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("smoothIx"), std::string::npos) << outcome.text();
}

TEST(Rewrite, AFullDiskLeavesNothing) {
  const Folder folder;
  folder.write("kept.mg", "as it was\n");
  Conditions full;
  full.largest_file = 64;
  // The limit holds for what the test captures too, so standard error may be short.
  const Outcome outcome = rhopsi(
      {"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-o", folder / "kept.mg"}, full);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(read(folder / "kept.mg"), "as it was\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"kept.mg"});
}

TEST(Rewrite, AFullDiskBehindStandardOutput) {
  Conditions full;
  full.out_to = "/dev/full";
  const Outcome outcome = rhopsi({"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF"}, full);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0832"), std::string::npos) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
