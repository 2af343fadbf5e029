#include "tests/specs/known.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

namespace rhopsi::specs {

constexpr double pi = std::numbers::pi;

const Mode circular{[](auto i, auto n) { return std::cos(2 * pi * double(i) / double(n)); },
                    [](auto n) { return 2 * pi / double(n); }};
const Mode constant{[](auto i, auto n) { return std::sin(pi * double(i + 1) / double(n + 1)); },
                    [](auto n) { return pi / double(n + 1); }};
const Mode edge{[](auto i, auto n) { return std::cos(pi * (double(i) + 0.5) / double(n)); },
                [](auto n) { return pi / double(n); }};
const Mode constant_and_edge{
    [](auto i, auto n) { return std::sin(pi * double(i + 1) / double(2 * n + 1)); },
    [](auto n) { return pi / double(2 * n + 1); }};

std::pair<Values, double> mode_on(const Shape& shape, const std::vector<Mode>& modes) {
  Values values{1.0};
  double eigenvalue = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    Values longer;
    for (const double before : values) {
      for (std::int64_t i = 0; i < shape[axis]; ++i) {
        longer.push_back(before * modes[axis].value(i, shape[axis]));
      }
    }
    values = std::move(longer);
    eigenvalue += 2 * (std::cos(modes[axis].angle(shape[axis])) - 1);
  }
  return {values, eigenvalue};
}

Values product(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t l) {
  Values c(m * l, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < l; ++j) {
      for (std::size_t k = 0; k < n; ++k) c[i * l + j] += a[i * n + k] * b[k * l + j];
    }
  }
  return c;
}

Values product_of_factors(const Values& both, std::size_t n) {
  Values l(n * n, 0.0), u(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) (j < i ? l : u)[i * n + j] = both.at(i * n + j);
    l[i * n + i] = 1;
  }
  return product(l, u, n, n, n);
}

std::pair<Values, Values> direct_transform(const Values& re, const Values& im) {
  const std::size_t n = re.size();
  std::pair<Values, Values> result;
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += std::complex(re[j], im[j]) * std::polar(1.0, -2 * pi * double(j * k % n) / double(n));
    }
    result.first.push_back(sum.real());
    result.second.push_back(sum.imag());
  }
  return result;
}

void expect_near(const Values& found, const Values& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
  }
}

std::string input(const exec::Folder& folder, const std::string& name, const Shape& shape,
                  const Values& values) {
  const std::string path = folder / (name + ".npy");
  io::write_npy(path, shape, values.data());
  return name + "=" + path;
}

}  // namespace rhopsi::specs
