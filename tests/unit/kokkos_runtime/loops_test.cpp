// Loops in strips, and how a plane is cut into tiles (program/loops.cpp).
#include <gtest/gtest.h>

#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

TEST(Loops, StripsVisitEveryIndexAndTilesHaveEveryRowOnce) {
  BuildOptions options;
  options.flags = {"-DRHOPSI_SERIAL_BELOW=16", "-DRHOPSI_CORE_CACHE=4096",
                   "-DRHOPSI_LAST_CACHE=65536"};
  expect_says("loops", options, {"1", "3"}, " 0 wrong");
}

}  // namespace
}  // namespace rhopsi::kokkos::test
