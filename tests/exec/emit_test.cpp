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
