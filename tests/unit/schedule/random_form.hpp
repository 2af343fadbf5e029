// Random procedures of 1 to 12 statements over arrays of 1 to 4 axes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

struct RandomForm {
  onf::Module module;
  std::vector<std::int64_t> shape;  // unequal sides, some shorter than what is read beyond them
};

// Reads go up to 3 elements along an axis. The same seed gives the same form.
RandomForm random_form(unsigned seed);

}  // namespace rhopsi::schedule
