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
  expect_says("folds", options, {"1", "2", "3"}, " 0 differ, " + kind);
}

TEST(FoldBlocks, AreThoseOfStepsInOrderWhereProgramsAreStrict) { compare_folds(false, "strict"); }
TEST(FoldBlocks, AreCloseWhereRealsMayBeRegrouped) { compare_folds(true, "reassociating"); }

}  // namespace
}  // namespace rhopsi::kokkos::test
