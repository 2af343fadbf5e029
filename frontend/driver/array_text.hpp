// Arrays as the two lines that `eval` prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/reference/value.hpp"

namespace rhopsi::driver {

// "shape: 2 4"; "shape:" of a single number.
std::string shape_line(const std::vector<std::int64_t>& shape);

// The elements in row-major order with single spaces between; empty if there are none. Truth
// values are 0 and 1, reals the shortest text that is read back as the same number, or nan,
// inf and -inf.
std::string elements_line(const reference::Elements& elements);

}  // namespace rhopsi::driver
