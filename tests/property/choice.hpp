// Random choices that are the same on every machine.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace rhopsi::property {

class Choice {
 public:
  explicit Choice(unsigned seed) : engine_(seed) {}

  // low, ..., high
  int between(int low, int high) { return low + int(engine_() % unsigned(high - low + 1)); }
  // True once in `n` times.
  bool once_in(int n) { return engine_() % unsigned(n) == 0; }

  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[engine_() % values.size()];
  }

 private:
  std::mt19937 engine_;
};

}  // namespace rhopsi::property
