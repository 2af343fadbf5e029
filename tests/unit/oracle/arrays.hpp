// Arrays to test with.
#pragma once

#include <gtest/gtest.h>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {

// 0, 1, 2, ... in that shape.
inline Array consecutive(const Shape& shape) { return reshape(iota(product(shape)), shape); }

inline Array integers(const Shape& shape, const std::vector<std::int64_t>& elements) {
  return reshape(vector(elements), shape);
}

inline Array reals(const Shape& shape, const std::vector<double>& elements) {
  return make_array(Type::real, shape, {elements.begin(), elements.end()});
}

inline Array truths(const std::vector<std::int64_t>& elements) {
  return converted(vector(elements), Type::boolean);
}

inline testing::AssertionResult same(const Array& found, const Array& expected) {
  if (identical(found, expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "found " << to_string(found) << "\nexpected " << to_string(expected);
}

}  // namespace rhopsi::oracle
