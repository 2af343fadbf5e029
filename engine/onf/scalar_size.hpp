// How many bytes an element takes in memory, and whether it is a real.
#pragma once

#include <cstddef>

#include "engine/onf/primitive.hpp"

namespace rhopsi::onf {

constexpr std::size_t bytes_of(Scalar element) {
  switch (element) {
    case Scalar::boolean:
      return 1;
    case Scalar::int32:
    case Scalar::float32:
      return 4;
    default:
      return 8;
  }
}

constexpr bool is_real(Scalar element) {
  return element == Scalar::float32 || element == Scalar::float64;
}

}  // namespace rhopsi::onf
