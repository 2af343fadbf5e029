// A claim on every sample of a box: all small shapes, indices and numbers, with arrays whose
// elements are all different.
#pragma once

#include <cstddef>
#include <string>

#include "frontend/driver/judge.hpp"

namespace rhopsi::verify {

struct BoxOutcome {
  std::size_t samples = 0;
  std::size_t spoke = 0;  // for so many of them the claim said something
  std::string failure;    // the first sample that it does not hold for; empty if there is none
};

// The largest of a few boxes that has no more than `most` samples; all of these are tried.
BoxOutcome try_box(const term::Store& store, driver::Judge& judge, std::size_t most);

}  // namespace rhopsi::verify
