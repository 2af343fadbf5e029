// Random arrays on disk, and how far two of them are apart.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "backends/io/npy.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {

using Shape = std::vector<std::int64_t>;

inline std::vector<double> random_values(const Shape& shape, unsigned seed) {
  std::size_t count = 1;
  for (const std::int64_t length : shape) count *= std::size_t(length);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(generator);
  return values;
}

// Writes <name>.npy with random values in (-1, 1); returns its path.
inline std::string random_field(const Folder& folder, const std::string& name, const Shape& shape,
                                unsigned seed) {
  const std::string path = folder / (name + ".npy");
  io::write_npy(path, shape, random_values(shape, seed).data());
  return path;
}

// The largest absolute difference; infinite where shapes differ or a value is NaN.
inline double difference(const std::string& left, const std::string& right) {
  const auto a = io::read_npy<double>(left);
  const auto b = io::read_npy<double>(right);
  if (a.shape != b.shape) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    const double here = std::abs(a.data[i] - b.data[i]);
    if (!(here <= largest)) largest = std::isnan(here) ? INFINITY : here;
  }
  return largest;
}

inline std::string shape_option(const Shape& shape) {
  std::string text;
  for (const std::int64_t length : shape) {
    text += (text.empty() ? "" : ",") + std::to_string(length);
  }
  return text;
}

}  // namespace rhopsi::exec
