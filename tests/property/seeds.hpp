// How many random programs a run takes: more where RHOPSI_TEST_SEEDS is set.
#pragma once

#include <cstdlib>

namespace rhopsi::property {

inline unsigned seeds(unsigned ordinary, unsigned many) {
  return std::getenv("RHOPSI_TEST_SEEDS") != nullptr ? many : ordinary;
}

}  // namespace rhopsi::property
