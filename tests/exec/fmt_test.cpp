// The layout of specifications: what it makes of a file, and what it leaves alone.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const untidy =
    "package   untidy ;\n"
    "\n\n\n"
    "// Kept.\n"
    "concept   A={\n"
    "\ttype T;   \n"
    "      function f( a:T,b :T):T guard   a==b ;\n"
    "    axiom x( a:T ){assert f( a,a )==a;}\n"
    "      axiom y(a: T, b: T) {\n"
    "        assert f(a,b)       == a;  // first\n"
    "        assert f(f(a,b),b)  == a;  // second\n"
    "\n"
    "      }\n"
    "  function g(a: T,\n"
    "             b: T): T;\n"
    "}; /* end */\n";

const char* const tidy =
    "package untidy;\n"
    "\n"
    "// Kept.\n"
    "concept A = {\n"
    "  type T;\n"
    "  function f(a: T, b: T): T guard a == b;\n"
    "  axiom x(a: T) { assert f(a, a) == a; }\n"
    "  axiom y(a: T, b: T) {\n"
    "    assert f(a, b)        == a;  // first\n"
    "    assert f(f(a, b), b)  == a;  // second\n"
    "  }\n"
    "  function g(a: T,\n"
    "             b: T): T;\n"
    "}; /* end */\n";

TEST(Fmt, MakesOfAFileWhatIsUsual) {
  const Folder folder;
  const std::string file = folder.write("untidy.mg", untidy);
  const Outcome named = rhopsi({"fmt", "--check", file});
  EXPECT_EQ(named.exit_code, 1);
  EXPECT_EQ(named.out, file + "\n");
  EXPECT_EQ(read(file), untidy);
  const Outcome done = rhopsi({"fmt", file});
  EXPECT_EQ(done.exit_code, 0) << done.text();
  EXPECT_EQ(done.out, file + "\n");
  EXPECT_EQ(read(file), tidy);
  const Outcome again = rhopsi({"fmt", "--check", folder.path().string()});
  EXPECT_EQ(again.exit_code, 0) << again.text();
  EXPECT_EQ(again.out, "");
}

TEST(Fmt, TheLibraryAndTheSpecificationsAreLaidOut) {
  const Outcome outcome = rhopsi({"fmt", "--check", source("rules"), source("specs")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out, "");
}

TEST(Fmt, ANewProjectIsLaidOut) {
  const Folder folder;
  Conditions here;
  here.folder = folder.path();
  ASSERT_EQ(rhopsi({"new", "ripple"}, here).exit_code, 0);
  EXPECT_EQ(rhopsi({"fmt", "--check", "ripple"}, here).exit_code, 0);
}

TEST(Fmt, AFileWithMistakesIsLeftAlone) {
  const Folder folder;
  const std::string text = "package  wrong;\nconcept C={ type T };\n";
  const std::string wrong = folder.write("wrong.mg", text);
  const std::string good = folder.write("untidy.mg", untidy);
  const Outcome outcome = rhopsi({"fmt", folder.path().string()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0114"), std::string::npos) << outcome.text();
  EXPECT_EQ(read(wrong), text);
  EXPECT_EQ(read(good), tidy);
  const Outcome missing = rhopsi({"fmt", folder / "nowhere.mg"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("E0804"), std::string::npos) << missing.text();
}

TEST(Fmt, WritesWholeFilesWhereLinksLeadAndWithTheirRights) {
  namespace fs = std::filesystem;
  const Folder folder;
  const std::string file = folder.write("untidy.mg", untidy);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = folder.path() / "link.mg";
  fs::create_symlink("untidy.mg", link);
  EXPECT_EQ(rhopsi({"fmt", link.string()}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read(file), tidy);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  folder.write("untidy.mg", untidy);
  Conditions full;
  full.largest_file = 16;
  const Outcome outcome = rhopsi({"fmt", file}, full);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0832"), std::string::npos) << outcome.text();
  EXPECT_EQ(read(file), untidy);
  EXPECT_EQ(folder.names().size(), 2U);  // nothing is left beside the file and its link
}

}  // namespace
}  // namespace rhopsi::exec
