// Numbers that know when they did not fit. Internal to this folder.
#pragma once

#include <cstdint>

namespace rhopsi::analysis {

class Exact {
 public:
  std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_add_overflow(a, b, &out)) fits_ = false;
    return out;
  }
  std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (__builtin_mul_overflow(a, b, &out)) fits_ = false;
    return out;
  }
  bool fits() const { return fits_; }

 private:
  bool fits_ = true;
};

}  // namespace rhopsi::analysis
