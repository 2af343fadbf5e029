#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Emit : public testing::Test {
 protected:
  Outcome emit(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "--rank", "2", "-o", target};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }

  const Folder folder;
  const std::string target = folder / "smooth";
};

TEST_F(Emit, WritesACompleteFolder) {
  const Outcome outcome = emit();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto names = folder.names();
  for (const char* name : {"smooth/CMakeLists.txt", "smooth/main.cpp", "smooth/rhopsi_shim.hpp"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  // Nothing of the work aside is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(Emit, EveryStageIsPrinted) {
  const auto printed = [&](const std::string& file, const std::string& stage) {
    const Outcome outcome =
        rhopsi({"emit", file, "-p", "DNF", "--rank", "2", "--emit", stage, "-I", source("")});
    EXPECT_EQ(outcome.exit_code, 0) << stage << "\n" << outcome.text();
    return outcome.out;
  };
  const std::string smooth = source("specs/smooth/smooth.mg");
  // The tree parses to itself.
  const std::string ast = printed(smooth, "ast");
  EXPECT_NE(ast.find("program DNF = {"), std::string::npos) << ast;
  EXPECT_EQ(printed(folder.write("specs/smooth/smooth.mg", ast), "ast"), ast);
  // Terms are those before the first rule, which rotate whole arrays; the normal form does not.
  const std::string terms = printed(smooth, "terms");
  const std::size_t element = terms.find("smoothIx(Array, Index): Real = ");
  ASSERT_NE(element, std::string::npos) << terms;
  EXPECT_NE(terms.substr(element, terms.find('\n', element) - element).find("rotate(a"),
            std::string::npos)
      << terms;
  const std::string dnf = printed(smooth, "dnf"), normal = "psi(rotateIx(ix, 0, -1), a)";
  EXPECT_EQ(terms.find(normal), std::string::npos) << terms;
  EXPECT_NE(dnf.find(normal), std::string::npos) << dnf;
  const Outcome checked = rhopsi({"check", folder.write("DNF.mg", dnf), "-I", source("")});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  for (const auto& [stage, part] : std::vector<std::pair<std::string, std::string>>{
           {"onf", "procedure step("}, {"schedule", "\nsteps\n"}, {"cxx", "struct DNF {"}}) {
    EXPECT_NE(printed(smooth, stage).find(part), std::string::npos) << stage;
  }
  const Outcome unknown = emit({"--emit", "assembler"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("E0810"), std::string::npos) << unknown.text();
}

TEST_F(Emit, AgainKeepsWhatDidNotChangeAndWhatIsNotIts) {
  ASSERT_EQ(emit().exit_code, 0);
  const auto time = std::filesystem::last_write_time(target + "/main.cpp");
  std::filesystem::create_directory(target + "/build");
  std::ofstream(target + "/build/mine") << "kept";
  std::ofstream(target + "/CMakeLists.txt") << "changed by hand";
  ASSERT_EQ(emit().exit_code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(target + "/main.cpp"), time);
  EXPECT_EQ(read(target + "/build/mine"), "kept");
  EXPECT_NE(read(target + "/CMakeLists.txt"), "changed by hand");
}

TEST_F(Emit, AForeignFolderIsRefusedWithoutForce) {
  folder.write("smooth/letter.txt", "dear reader");
  const Outcome outcome = emit();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0831"), std::string::npos) << outcome.text();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"smooth", "smooth/letter.txt"}));
  EXPECT_EQ(emit({"--force"}).exit_code, 0);
  EXPECT_EQ(read(folder / "smooth/letter.txt"), "dear reader");
}

TEST_F(Emit, AFullDiskLeavesNothing) {
  Conditions full;
  full.largest_file = 1000;
  const Outcome outcome = rhopsi(
      {"emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "--rank", "2", "-o", target}, full);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("E0832"), std::string::npos) << outcome.text();
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Emit, APlaceThatIsNoFolder) {
  folder.write("smooth", "a file");
  EXPECT_EQ(emit().exit_code, 1);
  EXPECT_EQ(read(target), "a file");
}

TEST_F(Emit, RankAndShapeMustAgree) {
  const Outcome outcome = emit({"--shape", "8,8,8"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0816"), std::string::npos) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
