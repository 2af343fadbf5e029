// Loops in strips, and how a plane is cut into tiles (program/loops.cpp).
#include <gtest/gtest.h>

#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

TEST(Loops, StripsVisitEveryIndexAndTilesHaveEveryRowOnce) {
  BuildOptions options;
  options.flags = {"-DRHOPSI_SERIAL_BELOW=16", "-DRHOPSI_CORE_CACHE=4096",
                   "-DRHOPSI_LAST_CACHE=65536"};
  const auto built = build(sample_files("loops"), options);
  ASSERT_TRUE(built) << built.error().message << "\n" << built.error().note;
  for (const std::string threads : {"1", "3"}) {
    const Folder folder;
    RunOptions running;
    running.output = folder / "output";
    running.environment["OMP_NUM_THREADS"] = threads;
    const auto status = run(*built, {}, running);
    ASSERT_TRUE(status) << status.error().message;
    const std::string output = contents(folder / "output");
    EXPECT_EQ(*status, 0) << output;
    EXPECT_NE(output.find(" 0 wrong"), std::string::npos) << output;
  }
}

}  // namespace
}  // namespace rhopsi::kokkos::test
