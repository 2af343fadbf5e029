// What the specifications compute, known otherwise: modes of the second difference, and plain
// loops.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/exec/fields.hpp"

namespace rhopsi::specs {

using exec::Shape;
using Values = std::vector<double>;

// Along an axis of length n: an eigenvector of the second difference under a boundary
// condition, and its eigenvalue 2 (cos(angle) - 1).
struct Mode {
  std::function<double(std::int64_t i, std::int64_t n)> value;
  std::function<double(std::int64_t n)> angle;
};

extern const Mode circular;
extern const Mode constant;           // 0 on both sides
extern const Mode edge;               // no difference across either boundary
extern const Mode constant_and_edge;  // 0 before the first element, no difference behind the last

// The product of a mode for each axis, and the sum of their eigenvalues.
std::pair<Values, double> mode_on(const Shape& shape, const std::vector<Mode>& modes);

// A of m x n times B of n x l.
Values product(const Values& a, const Values& b, std::size_t m, std::size_t n, std::size_t l);
// L U, of both in one matrix without the ones on the diagonal of L.
Values product_of_factors(const Values& both, std::size_t n);
// Real and imaginary parts of the Fourier transform by its sum.
std::pair<Values, Values> direct_transform(const Values& re, const Values& im);

void expect_near(const Values& found, const Values& expected, double tolerance);

// NAME=FILE, the file with these values.
std::string input(const exec::Folder& folder, const std::string& name, const Shape& shape,
                  const Values& values);

}  // namespace rhopsi::specs
