// Folds in blocks (rhopsi_fold_blocks.hpp) have the values of folds step by step: bit for bit, but
// for sums of reals where these may be regrouped.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

void compare_folds(bool fast_math, const std::string& kind) {
  BuildOptions options;
  options.fast_math = fast_math;
  options.flags = {"-DRHOPSI_SERIAL_BELOW=16"};  // short folds go to all threads, too
  const auto built = build(sample_files("folds"), options);
  ASSERT_TRUE(built) << built.error().message << "\n" << built.error().note;
  for (const std::string threads : {"1", "2", "3"}) {
    const Folder folder;
    RunOptions running;
    running.output = folder / "output";
    running.environment["OMP_NUM_THREADS"] = threads;
    const auto status = run(*built, {}, running);
    ASSERT_TRUE(status) << status.error().message;
    const std::string output = contents(folder / "output");
    EXPECT_EQ(*status, 0) << output;
    EXPECT_NE(output.find(" 0 differ, " + kind), std::string::npos) << output;
  }
}

TEST(FoldBlocks, AreThoseOfStepsInOrderWhereProgramsAreStrict) { compare_folds(false, "strict"); }
TEST(FoldBlocks, AreCloseWhereRealsMayBeRegrouped) { compare_folds(true, "reassociating"); }

}  // namespace
}  // namespace rhopsi::kokkos::test
