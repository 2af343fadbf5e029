// burgers.mg against an exact periodic solution of Burgers' equation.
//
// Cole-Hopf: where phi solves the heat equation phi_t = nu phi_xx, u = -2 nu phi_x / phi
// solves u_t + u u_x = nu u_xx. With phi = a + b exp(-nu k^2 t) cos(k x),
//   u = 2 nu k b exp(-nu k^2 t) sin(k x) / (a + b exp(-nu k^2 t) cos(k x)).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi {
namespace {

using exec::Folder;
using exec::Shape;

constexpr double viscosity = 0.05;
constexpr double wave_number = 2 * std::numbers::pi;  // one wave on the unit interval
constexpr double final_time = 0.25;

double exact(double x, double t) {
  const double a = 2;
  const double b = std::exp(-viscosity * wave_number * wave_number * t);
  return 2 * viscosity * wave_number * b * std::sin(wave_number * x) /
         (a + b * std::cos(wave_number * x));
}

// The exact solution along `axis`, constant along the others.
std::vector<double> field(const Shape& shape, std::size_t axis, double t) {
  std::vector<double> values;
  Shape index(shape.size());
  const std::int64_t count = shape[0] * shape[1] * shape[2];
  for (std::int64_t p = 0; p < count; ++p) {
    index = {p / (shape[1] * shape[2]), p / shape[2] % shape[1], p % shape[2]};
    values.push_back(exact(double(index[axis]) / double(shape[axis]), t));
  }
  return values;
}

Shape shape_of(std::size_t axis, int points) {
  Shape shape = {3, 4, 5};
  shape[axis] = points;
  return shape;
}

struct Run {
  std::size_t axis;
  int points;
  int steps;
};

// The largest error of the velocity along the axis at the final time; the other
// components stay zero.
double error_of(const Run& run) {
  const Folder folder;
  const Shape shape = shape_of(run.axis, run.points);
  const std::vector<std::string> components = {"u", "v", "w"};
  const std::vector<double> begin = field(shape, run.axis, 0);
  const std::vector<double> zero(begin.size(), 0.0);
  std::vector<std::string> words = {"run",
                                    exec::source("specs/burgers/burgers.mg"),
                                    "-p",
                                    "3DPadded",
                                    "--entry",
                                    "step",
                                    "--quiet",
                                    "--repeat",
                                    std::to_string(run.steps)};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string in = folder / (components[c] + ".npy");
    io::write_npy(in, shape, (c == run.axis ? begin : zero).data());
    words.insert(words.end(), {"--in", components[c] + "=" + in, "--out",
                               components[c] + "=" + folder / (components[c] + "-out.npy")});
  }
  char number[40];
  const auto set = [&](const std::string& name, double value) {
    std::snprintf(number, sizeof number, "%.17g", value);
    words.insert(words.end(), {"--set", name + "=" + number});
  };
  set("nu", viscosity);
  set("dt", final_time / run.steps);
  const std::vector<std::string> spacings = {"dx", "dy", "dz"};
  for (std::size_t c = 0; c < 3; ++c) {
    // Of no account across: nothing varies there.
    set(spacings[c], c == run.axis ? 1.0 / run.points : 0.7);
  }
  const exec::Outcome outcome = exec::rhopsi(words);
  if (outcome.exit_code != 0) {
    ADD_FAILURE() << outcome.text();
    return INFINITY;
  }
  const std::vector<double> wanted = field(shape, run.axis, final_time);
  double largest = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto result = io::read_npy<double>(folder / (components[c] + "-out.npy"));
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      const double error = std::abs(result.data[p] - (c == run.axis ? wanted[p] : 0));
      if (c != run.axis) {
        EXPECT_EQ(error, 0) << components[c];
      }
      if (!(error <= largest)) largest = std::isnan(error) ? INFINITY : error;
    }
  }
  return largest;
}

class Axis : public testing::TestWithParam<int> {};

// dt is proportional to dx^2: four times the steps for twice the points.
TEST_P(Axis, ConvergesAtSecondOrder) {
  const auto axis = std::size_t(GetParam());
  const double coarse = error_of({axis, 16, 16});
  const double middle = error_of({axis, 32, 64});
  const double fine = error_of({axis, 64, 256});
  const double first = std::log2(coarse / middle);
  const double second = std::log2(middle / fine);
  EXPECT_GE(first, 1.9) << coarse << ", " << middle << ", " << fine;
  EXPECT_LE(first, 2.1) << coarse << ", " << middle << ", " << fine;
  EXPECT_GE(second, 1.9) << coarse << ", " << middle << ", " << fine;
  EXPECT_LE(second, 2.1) << coarse << ", " << middle << ", " << fine;
  EXPECT_LT(fine, 1e-3 * exact(0.25, 0));
}

INSTANTIATE_TEST_SUITE_P(InTurn, Axis, testing::Values(0, 1, 2));

// A step advances dt: any number of steps that makes up the final time comes close to the
// solution then, and not to that of half the time.
TEST(Time, StepsAddUpToTheFinalTime) {
  const double with_more = error_of({0, 32, 128});
  const double with_fewer = error_of({0, 32, 64});
  double moved = 0;
  for (int i = 0; i < 32; ++i) {
    moved =
        std::max(moved, std::abs(exact(i / 32.0, final_time) - exact(i / 32.0, final_time / 2)));
  }
  EXPECT_LT(with_more, moved / 50);
  EXPECT_LT(with_fewer, moved / 50);
}

// The exact solution solves the equation: its residual vanishes to the accuracy of the
// differences that it is taken with.
TEST(ExactSolution, HasNoResidual) {
  const double h = 1e-3;
  for (double x = 0.05; x < 1; x += 0.1) {
    const double t = 0.1;
    const double ut = (exact(x, t + h) - exact(x, t - h)) / (2 * h);
    const double ux = (exact(x + h, t) - exact(x - h, t)) / (2 * h);
    const double uxx = (exact(x + h, t) - 2 * exact(x, t) + exact(x - h, t)) / (h * h);
    EXPECT_NEAR(ut + exact(x, t) * ux, viscosity * uxx, 2e-4) << x;
  }
}

}  // namespace
}  // namespace rhopsi
