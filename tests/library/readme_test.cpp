// What rules/README.md shows is so.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::library {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(exec::source(path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The rest of the fenced block in which `first` stands, from there on.
std::string block_from(const std::string& text, const std::string& first) {
  const std::size_t begin = text.find(first);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find("\n```", begin) + 1 - begin);
}

TEST(Readme, AnOperationIsShownAsItStandsInTheLibrary) {
  const std::string block =
      block_from(text_of("rules/README.md"), "// Element i comes from i + o, circularly.");
  ASSERT_FALSE(block.empty());
  EXPECT_NE(text_of("rules/definitions/structure.mg").find(block), std::string::npos);
}

TEST(Readme, TheOwnOperationIsTakenAsItIs) {
  const std::string readme = text_of("rules/README.md");
  const std::string package = block_from(readme, "package mine.shift");
  ASSERT_FALSE(package.empty());
  const exec::Folder folder;
  const std::string file = folder.write("mine/shift.mg", package);
  const exec::Outcome outcome =
      exec::rhopsi({"eval", "shift(A, 1, 1)", "--with", file, "--in", "A=iota:2,3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  const std::string shown = "--in A=iota:2,3\n" + outcome.out + "$ rhopsi";
  EXPECT_NE(readme.find(shown), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace rhopsi::library
