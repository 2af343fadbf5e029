// What a checked build of the sample program refuses.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

Outcome run_checked(const std::string& entry, const Folder& folder) {
  write_random(folder / "u.npy", {3, 4, 5}, 1);
  return run_sample({"--entry", entry, "--in", "u=" + (folder / "u.npy"), "--set", "dt=1", "--out",
                     "u=" + (folder / "out.npy")},
                    true);
}

TEST(Checked, IndexOutsideTheBlock) {
  const Folder folder;
  const Outcome outcome = run_checked("outside", folder);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("error[E0609]: index outside the block of: 'u' at [4, "),
            std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("in outside: program.mg:9:1"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.npy"));
}

TEST(Checked, ReadOfAStalePad) {
  const Folder folder;
  const Outcome outcome = run_checked("stale", folder);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("error[E0610]: read of a stale pad of: 'u'"), std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("at program.mg:4:9"), std::string::npos) << outcome.errors;
}

TEST(Checked, NaNStored) {
  const Folder folder;
  const Outcome outcome = run_checked("not_a_number", folder);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("error[E0619]: not a number (NaN) stored to: 'root'"),
            std::string::npos)
      << outcome.errors;
}

TEST(Checked, ARightProgramPasses) {
  const Folder folder;
  write_random(folder / "u.npy", {3, 4, 5}, 1);
  const std::string u = folder / "u.npy";
  std::vector<std::string> arguments{
      "--entry", "step",        "--repeat", "3",
      "--set",   "dt=0.1",      "--set",    "nu=0.1",
      "--set",   "count=0",     "--in",     "u=" + u,
      "--in",    "source=" + u, "--out",    "u=" + (folder / "a.npy")};
  EXPECT_EQ(run_sample(arguments, true).status, 0);
  arguments.back() = "u=" + (folder / "b.npy");
  EXPECT_EQ(run_sample(arguments).status, 0);
  EXPECT_EQ(contents(folder / "a.npy"), contents(folder / "b.npy"));
}

}  // namespace
}  // namespace rhopsi::kokkos::test
