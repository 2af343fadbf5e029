// What the equations of the specifications give, against what is known otherwise: eigenvectors of
// the differences, and plain loops.
#include <gtest/gtest.h>

#include "tests/specs/cases.hpp"
#include "tests/specs/known.hpp"

namespace rhopsi::specs {
namespace {

// ------------------------------------------------------------------- differences

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
  expect_near(product_of_factors(both, n), a, 1e-14);
}

// --------------------------------------------------------------------- transforms

TEST(Transform, IsTheDirectSum) {
  constexpr std::size_t n = 8;
  const Values re = exec::random_values({n}, 4), im = exec::random_values({n}, 5);
  const auto [sum_re, sum_im] = direct_transform(re, im);
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
