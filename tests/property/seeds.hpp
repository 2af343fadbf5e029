// Which random programs a run takes: the ordinary run the first ones, and one where
// RHOPSI_TEST_SEEDS is set those that come behind them, so that both together try each once.
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

// From begin to end - 1.
struct Seeds {
  unsigned begin = 0, end = 0;
  unsigned size() const { return end - begin; }
};

inline bool is_long_run() { return std::getenv("RHOPSI_TEST_SEEDS") != nullptr; }

// Of `all` the first `ordinary` ones, or the others.
inline Seeds seeds(unsigned ordinary, unsigned all) {
  return is_long_run() ? Seeds{ordinary, all} : Seeds{0, ordinary};
}

// The same of many small ones.
inline Seeds expressions_of(unsigned ordinary, unsigned all) {
  return seeds(ordinary / part, all / part);
}

}  // namespace rhopsi::property
