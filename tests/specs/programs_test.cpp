// The programs of the specifications on both backends: the same values, and those that are known.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"
#include "tests/specs/cases.hpp"
#include "tests/specs/known.hpp"

namespace rhopsi::specs {
namespace {

struct Request {
  std::string specification;
  std::string program;
  std::string entry;
  std::vector<std::string> inputs;   // NAME=FILE
  std::vector<std::string> numbers;  // NAME=VALUE
  std::vector<std::string> outputs;  // NAME
  int steps = 1;
};

struct Result {
  std::map<std::string, Values> arrays;
  std::string printed;
};

Result ran(const exec::Folder& folder, const Request& request, const std::string& backend) {
  std::vector<std::string> words{"run",       file_of(request.specification),
                                 "-p",        request.program,
                                 "--entry",   request.entry,
                                 "--repeat",  std::to_string(request.steps),
                                 "--backend", backend};
  for (const std::string& each : request.inputs) words.insert(words.end(), {"--in", each});
  for (const std::string& each : request.numbers) words.insert(words.end(), {"--set", each});
  const auto file = [&](const std::string& name) {
    return folder / (backend + "-" + name + ".npy");
  };
  for (const std::string& each : request.outputs) {
    words.insert(words.end(), {"--out", each + "=" + file(each)});
  }
  const exec::Outcome outcome = exec::rhopsi(words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  Result result;
  result.printed = outcome.out;
  if (outcome.exit_code != 0) return result;
  for (const std::string& each : request.outputs) {
    result.arrays[each] = io::read_npy<double>(file(each)).data;
  }
  return result;
}

// By the reference, and compiled with the same result to the bit.
Result run(const exec::Folder& folder, const Request& request, bool compiled = true) {
  SCOPED_TRACE(request.program + ", " + request.entry);
  const Result reference = ran(folder, request, "reference");
  if (compiled) {
    const Result other = ran(folder, request, "kokkos");
    EXPECT_EQ(other.arrays, reference.arrays);
    EXPECT_EQ(other.printed, reference.printed);
  }
  return reference;
}

Values scaled(Values values, double factor, double offset) {
  for (double& value : values) value = offset + factor * value;
  return values;
}

// ------------------------------------------------------------------------- heat

// A mode decays by the same factor in each step.
struct Decay {
  const char* entry;
  std::vector<Mode> modes;
  double offset;
  std::vector<std::string> numbers;
  std::size_t compiled_axes;  // compiled in ordinary runs of the tests
};

const Decay decays[] = {
    {"circular", {circular, circular, circular}, 0.5, {"r=0.125"}, 1},
    {"constant", {constant, constant, constant}, 1.5, {"r=0.125", "c=1.5"}, 2},
    {"edge", {edge, edge, edge}, 0.5, {"r=0.125"}, 3},
    {"mixed", {circular, constant_and_edge, constant_and_edge}, 1.5, {"r=0.125", "c=1.5"}, 2}};

TEST(Heat, ModesDecayInAnyNumberOfDimensions) {
  const bool all = std::getenv("RHOPSI_TEST_SEEDS") != nullptr;
  for (const Decay& decay : decays) {
    for (const Shape& shape : {Shape{7}, Shape{5, 6}, Shape{3, 4, 5}}) {
      SCOPED_TRACE(exec::shape_option(shape));
      const exec::Folder folder;
      const auto [mode, eigenvalue] = mode_on(shape, decay.modes);
      constexpr int steps = 6;
      const Values start = scaled(mode, 1, decay.offset);
      const Request request{"heat",        "Heat", decay.entry, {input(folder, "u", shape, start)},
                            decay.numbers, {"u"},  steps};
      const Result result = run(folder, request, all || shape.size() == decay.compiled_axes);
      const double factor = std::pow(1 + 0.125 * eigenvalue, steps);
      expect_near(result.arrays.at("u"), scaled(mode, factor, decay.offset), 1e-14);
    }
  }
}

TEST(Heat, ASourceAndABoundaryThatSwings) {
  const exec::Folder folder;
  constexpr double r = 0.25, dt = 0.125;
  Values u = exec::random_values({9}, 1);
  const Values f = exec::random_values({9}, 2);
  const Result result = run(folder, {"heat",
                                     "Heat",
                                     "driven",
                                     {input(folder, "u", {9}, u), input(folder, "f", {9}, f)},
                                     {"r=0.25", "dt=0.125", "steps=20"},
                                     {"u"}});
  for (int n = 0; n < 20; ++n) {
    const Values old = u;
    const double around = std::sin(n * dt);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double left = i == 0 ? around : old[i - 1];
      const double right = i + 1 == u.size() ? around : old[i + 1];
      u[i] = old[i] + r * (left - 2 * old[i] + right) + dt * f[i];
    }
  }
  expect_near(result.arrays.at("u"), u, 1e-14);
}

TEST(Heat, StopsAtATolerance) {
  const exec::Folder folder;
  const Shape shape{5, 4};
  const auto [mode, eigenvalue] = mode_on(shape, {constant, constant});
  const double factor = 1 + 0.125 * eigenvalue, tolerance = 1e-3;
  const double largest = *std::max_element(mode.begin(), mode.end());
  int steps = 1;
  for (double change = largest * (1 - factor); change > tolerance; change *= factor) ++steps;
  ASSERT_GT(steps, 10);
  Request request{"heat",
                  "Heat",
                  "settle",
                  {input(folder, "u", shape, scaled(mode, 1, 2))},
                  {"r=0.125", "c=2", "tolerance=0.001", "most=1000"},
                  {"u"}};
  const Result result = run(folder, request);
  EXPECT_EQ(result.printed, "steps: " + std::to_string(steps) + "\n");
  expect_near(result.arrays.at("u"), scaled(mode, std::pow(factor, steps), 2), 1e-14);
  request.numbers.back() = "most=3";
  EXPECT_EQ(run(folder, request, false).printed, "steps: 3\n");
}

// ------------------------------------------------------------------------- wave

// A mode of the membrane swings: of both levels, cos(n w) with cos(w) = 1 + s * eigenvalue / 2.
TEST(Wave, AModeSwings) {
  const exec::Folder folder;
  const Shape shape{5, 7};
  const auto [mode, eigenvalue] = mode_on(shape, {constant, constant});
  const double w = std::acos(1 + 0.25 * eigenvalue / 2);
  constexpr int steps = 25;
  const Result result = run(folder, {"wave",
                                     "Wave",
                                     "step",
                                     {input(folder, "u", shape, mode),
                                      input(folder, "v", shape, scaled(mode, std::cos(w), 0))},
                                     {"s=0.25"},
                                     {"u", "v"},
                                     steps});
  expect_near(result.arrays.at("u"), scaled(mode, std::cos(steps * w), 0), 1e-13);
  expect_near(result.arrays.at("v"), scaled(mode, std::cos((steps - 1) * w), 0), 1e-13);
}

// Pads as wide as a number of the run, which is more than one side: every h-th point is a grid of
// its own. One compiled program for all sizes.
TEST(Heat, NeighboursAtADistance) {
  constexpr std::int64_t h = 2;
  constexpr double r = 0.125;
  for (const Shape& shape : {Shape{5, 4}, Shape{7, 3}, Shape{1, 9}}) {
    SCOPED_TRACE(exec::shape_option(shape));
    const exec::Folder folder;
    const Values u = exec::random_values(shape, 4);
    const auto at = [&](std::int64_t i, std::int64_t j) {
      i = std::clamp<std::int64_t>(i, 0, shape[0] - 1);
      j = std::clamp<std::int64_t>(j, 0, shape[1] - 1);
      return u[static_cast<std::size_t>(i * shape[1] + j)];
    };
    Values expected;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      for (std::int64_t j = 0; j < shape[1]; ++j) {
        const double sum = at(i - h, j) + at(i + h, j) + at(i, j - h) + at(i, j + h);
        expected.push_back(at(i, j) + r * (sum - 4 * at(i, j)));
      }
    }
    const Request request{
        "heat", "Heat", "distant", {input(folder, "u", shape, u)}, {"r=0.125", "h=2"}, {"u"}};
    expect_near(run(folder, request).arrays.at("u"), expected, 1e-14);
  }
}

// ---------------------------------------------------------------- linear algebra

TEST(Matmul, WholeAndByBlocks) {
  const exec::Folder folder;
  const Values a = exec::random_values({6, 9}, 1), b = exec::random_values({9, 3}, 2);
  const Values expected = product(a, b, 6, 9, 3);
  Request request{"matmul", "Products",
                  "matmul", {input(folder, "A", {6, 9}, a), input(folder, "B", {9, 3}, b)},
                  {},       {"result"}};
  expect_near(run(folder, request).arrays.at("result"), expected, 0);
  request.entry = "matmul_blocked";
  request.numbers = {"q=3"};
  expect_near(run(folder, request).arrays.at("result"), expected, 1e-14);
}

// Blocks that do not fit: pads as wide as the sides and the run's number ask for.
TEST(Matmul, ByPaddedBlocksOfAnySize) {
  for (const Shape& sides : {Shape{5, 4, 3}, Shape{7, 3, 2}, Shape{2, 9, 4}}) {
    for (const char* q : {"q=3", "q=5"}) {
      SCOPED_TRACE(exec::shape_option(sides) + " " + q);
      const exec::Folder folder;
      const Shape left{sides[0], sides[1]}, right{sides[1], sides[2]};
      const Values a = exec::random_values(left, 1), b = exec::random_values(right, 2);
      const Request request{"matmul",
                            "Products",
                            "matmul_padded",
                            {input(folder, "A", left, a), input(folder, "B", right, b)},
                            {q},
                            {"result"}};
      const auto side = [&](std::size_t k) { return static_cast<std::size_t>(sides[k]); };
      expect_near(run(folder, request).arrays.at("result"),
                  product(a, b, side(0), side(1), side(2)), 1e-14);
    }
  }
}

TEST(LU, FactorsMultiplyToTheMatrix) {
  const exec::Folder folder;
  constexpr std::size_t n = 7;
  Values a = exec::random_values({n, n}, 3);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 4;  // pivots far from 0
  const Result result =
      run(folder, {"lu", "LU", "decompose", {input(folder, "A", {n, n}, a)}, {}, {"A"}});
  expect_near(product_of_factors(result.arrays.at("A"), n), a, 1e-14);
}

// One compiled program for any power of two.
TEST(FFT, IsTheDirectSum) {
  for (const std::int64_t n : {1, 2, 16, 64}) {
    SCOPED_TRACE(n);
    const exec::Folder folder;
    const Values re = exec::random_values({n}, 4), im = exec::random_values({n}, 5);
    const Result result = run(folder, {"fft",
                                       "FFT",
                                       "transform",
                                       {input(folder, "re", {n}, re), input(folder, "im", {n}, im)},
                                       {},
                                       {"re", "im"}});
    const auto [sum_re, sum_im] = direct_transform(re, im);
    expect_near(result.arrays.at("re"), sum_re, 1e-13);
    expect_near(result.arrays.at("im"), sum_im, 1e-13);
  }
}

}  // namespace
}  // namespace rhopsi::specs
