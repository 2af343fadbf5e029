// What the equations of the specifications give, against what is known otherwise: eigenvectors of
// the differences, and plain loops.
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/specs/cases.hpp"

namespace rhopsi::specs {
namespace {

using exec::Shape;
using Values = std::vector<double>;

constexpr double pi = std::numbers::pi;

std::string input(const exec::Folder& folder, const std::string& name, const Shape& shape,
                  const Values& values) {
  const std::string path = folder / (name + ".npy");
  io::write_npy(path, shape, values.data());
  return name + "=" + path;
}

void expect_near(const Values& found, const Values& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
  }
}

// ------------------------------------------------------------------- differences

// Along an axis of length n: an eigenvector of the second difference under a boundary
// condition, and its eigenvalue 2 (cos(angle) - 1).
struct Mode {
  std::function<double(std::int64_t i, std::int64_t n)> value;
  std::function<double(std::int64_t n)> angle;
};

const Mode circular{[](auto i, auto n) { return std::cos(2 * pi * double(i) / double(n)); },
                    [](auto n) { return 2 * pi / double(n); }};
const Mode constant{[](auto i, auto n) { return std::sin(pi * double(i + 1) / double(n + 1)); },
                    [](auto n) { return pi / double(n + 1); }};
const Mode edge{[](auto i, auto n) { return std::cos(pi * (double(i) + 0.5) / double(n)); },
                [](auto n) { return pi / double(n); }};
// 0 before the first element, no difference behind the last.
const Mode constant_and_edge{
    [](auto i, auto n) { return std::sin(pi * double(i + 1) / double(2 * n + 1)); },
    [](auto n) { return pi / double(2 * n + 1); }};

// The product of a mode for each axis, and the sum of their eigenvalues.
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

// laplace(offset + mode) = eigenvalue * mode.
void expect_mode(const std::string& laplacian, const Shape& shape, const std::vector<Mode>& modes,
                 double offset = 0) {
  SCOPED_TRACE(laplacian + " on " + exec::shape_option(shape));
  auto [values, eigenvalue] = mode_on(shape, modes);
  Values expected = values;
  for (double& value : expected) value *= eigenvalue;
  for (double& value : values) value += offset;
  const exec::Folder folder;
  expect_near(elements("heat", laplacian, {input(folder, "u", shape, values)}), expected, 1e-13);
}

const Shape shapes[] = {{6}, {5, 6}, {3, 4, 5}};

TEST(Laplacians, HaveTheModesOfTheirBoundaries) {
  for (const Shape& shape : shapes) {
    expect_mode("laplace_circular(u)", shape, {circular, circular, circular}, 2);
    expect_mode("laplace_constant(u, 0)", shape, {constant, constant, constant});
    expect_mode("laplace_constant(u, 1.5)", shape, {constant, constant, constant}, 1.5);
    expect_mode("laplace_edge(u)", shape, {edge, edge, edge}, 2);
    expect_mode("laplace_mixed(u, 1.5)", shape, {circular, constant_and_edge, constant_and_edge},
                1.5);
  }
}

// ---------------------------------------------------------------------- products

Values product(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t l) {
  Values c(m * l, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < l; ++j) {
      for (std::size_t k = 0; k < n; ++k) c[i * l + j] += a[i * n + k] * b[k * l + j];
    }
  }
  return c;
}

TEST(Products, ByBlocksAreThoseOfPlainLoops) {
  const exec::Folder folder;
  const Values a = exec::random_values({6, 9}, 1), b = exec::random_values({9, 3}, 2);
  const std::vector<std::string> inputs{input(folder, "A", {6, 9}, a),
                                        input(folder, "B", {9, 3}, b)};
  const Values expected = product(a, b, 6, 9, 3);
  expect_near(elements("matmul", "matmul(A, B)", inputs), expected, 0);
  expect_near(elements("matmul", "matmul_blocked(A, B, 3)", inputs), expected, 1e-14);
}

TEST(Decomposition, TimesItsFactorsIsTheMatrix) {
  constexpr std::size_t n = 5;
  Values a = exec::random_values({n, n}, 3);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 4;  // pivots far from 0
  const exec::Folder folder;
  const Values both = elements("lu", "eliminate(eliminate(eliminate(eliminate(A, 0), 1), 2), 3)",
                               {input(folder, "A", {n, n}, a)});
  ASSERT_EQ(both.size(), n * n);
  Values l(n * n, 0.0), u(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) (j < i ? l : u)[i * n + j] = both[i * n + j];
    l[i * n + i] = 1;
  }
  expect_near(product(l, u, n, n, n), a, 1e-14);
}

// --------------------------------------------------------------------- transforms

TEST(Transform, IsTheDirectSum) {
  constexpr std::size_t n = 8;
  const Values re = exec::random_values({n}, 4), im = exec::random_values({n}, 5);
  Values sum_re, sum_im;
  for (std::size_t k = 0; k < n; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += std::complex(re[j], im[j]) * std::polar(1.0, -2 * pi * double(j * k) / double(n));
    }
    sum_re.push_back(sum.real());
    sum_im.push_back(sum.imag());
  }
  const exec::Folder folder;
  Values x = re, y = im;
  for (const char* l : {"4", "2", "1"}) {
    const std::vector<std::string> inputs{input(folder, "re", {n}, x), input(folder, "im", {n}, y)};
    const std::string arguments = std::string("(re, im, ") + l + ")";
    x = elements("fft", "stage_re" + arguments, inputs);
    y = elements("fft", "stage_im" + arguments, inputs);
  }
  expect_near(x, sum_re, 1e-14);
  expect_near(y, sum_im, 1e-14);
}

}  // namespace
}  // namespace rhopsi::specs
