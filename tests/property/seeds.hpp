// How many random programs a run takes: more where RHOPSI_TEST_SEEDS is set.
#pragma once

#include <cstdlib>

namespace rhopsi::property {

// Sanitizers look for faults of memory and arithmetic, at several times the cost: of a large
// number of expressions they take a part. What they mean is tested without them.
#ifdef RHOPSI_SANITIZED
inline constexpr unsigned part = 16;
#else
inline constexpr unsigned part = 1;
#endif

inline unsigned expressions_of(unsigned ordinary, unsigned many) {
  return (std::getenv("RHOPSI_TEST_SEEDS") != nullptr ? many : ordinary) / part;
}

inline unsigned seeds(unsigned ordinary, unsigned many) {
  return std::getenv("RHOPSI_TEST_SEEDS") != nullptr ? many : ordinary;
}

}  // namespace rhopsi::property
