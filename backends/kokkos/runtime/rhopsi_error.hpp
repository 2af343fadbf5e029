// The failure that programs and their driver report.
#pragma once

#include <stdexcept>

namespace rhopsi {

// A fault that the driver reports in a sentence and exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rhopsi
