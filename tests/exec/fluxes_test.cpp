// What flows through the faces of elements, with boundary conditions: the flux through both faces
// is one function between the ends of the axes, and stored; bit for bit what the reference
// computes.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const programs_of_fluxes =
    "package fluxes imports moa.library;\n"
    "program Fluxes = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function g(d: Array): Array = exp(-(d * d * 4)) * d;\n"
    "  function edge(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) =\n"
    "    g(drop(pad_edge(u, axis, 0, 1), axis, 1) - u)\n"
    "    - g(u - drop(pad_edge(u, axis, 1, 0), axis, -1));\n"
    "  function ring(u: Array, axis: Int, c: Number): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) =\n"
    "    g(drop(pad_constant(u, axis, 0, 1, array(c)), axis, 1) - u)\n"
    "    - g(u - drop(pad_constant(u, axis, 1, 0, array(c)), axis, -1));\n"
    "  function limited(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) = {\n"
    "    var a = drop(pad_edge(u, axis, 0, 1), axis, 1);\n"
    "    var b = drop(pad_edge(u, axis, 1, 0), axis, -1);\n"
    "    value max(a - u, 0.5 * (u - a) / (1 + abs(a + u)))\n"
    "          - max(u - b, 0.5 * (b - u) / (1 + abs(u + b)));\n"
    "  };\n"
    "  procedure plate(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    u = u + 0.2 * (edge(u, 0) + edge(u, 1));\n"
    "  };\n"
    "  procedure block(upd u: Array, obs c: Number)\n"
    "    guard dim(u) == 3 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1)\n"
    "          && 1 <= at(shape(u), 2) {\n"
    "    u = u + 0.1 * (edge(u, 0) + ring(u, 1, c) + edge(u, 2));\n"
    "  };\n"
    "  procedure upwind(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    u = u - 0.1 * (limited(u, 0) + limited(u, 1));\n"
    "  };\n"
    "};\n"
    "schedule stored for Fluxes = {\n"
    "  drop; fuse; require materialise(least_saved = 8); pad; refill; share; bind;\n"
    "};\n"
    "schedule planes for Fluxes = {\n"
    "  drop; fuse; require materialise(least_saved = 8); pipeline(max_planes = 40);\n"
    "  tile(most_rows = 2); pad; in_place; refill; share; bind; threads(least = 1);\n"
    "  repeat(times = 2);\n"
    "};\n";

class Fluxes : public testing::Test {
 protected:
  void compare(const std::string& entry, const std::string& schedule,
               const std::vector<Shape>& shapes, const std::vector<std::string>& more = {}) const {
    for (const Shape& shape : shapes) {
      std::vector<std::string> words = {
          "run", file,       "-p", "Fluxes", "--entry",
          entry, "--repeat", "5",  "--in",   "u=" + random_field(folder, "u", shape, 1)};
      words.insert(words.end(), more.begin(), more.end());
      words.insert(words.end(), {"--out", "u=" + found});
      std::vector<std::string> scheduled = words;
      scheduled.insert(scheduled.end(), {"--schedule", schedule});
      const Outcome outcome = rhopsi(scheduled);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      words.back() = "u=" + expected;
      words.insert(words.end(), {"--backend", "reference", "--quiet"});
      const Outcome reference = rhopsi(words);
      ASSERT_EQ(reference.exit_code, 0) << reference.text();
      // A device has an exponential function of its own.
      const bool same = entry == "upwind" || !on_device();
      EXPECT_LE(difference(found, expected), same ? 0.0 : 1e-14)
          << entry << " " << schedule << " " << testing::PrintToString(shape);
    }
  }

  const Folder folder;
  const std::string file = folder.write("fluxes.mg", programs_of_fluxes);
  const std::string found = folder / "found.npy", expected = folder / "expected.npy";
};

// Domains without anything between the ends too.
const std::vector<Shape> sheets = {{1, 1}, {2, 3}, {17, 1}, {1, 9}, {5, 5}, {40, 33}};
const std::vector<Shape> bodies = {{1, 1, 1}, {2, 3, 1}, {3, 5, 4}, {12, 9, 33}};

TEST_F(Fluxes, ThroughFacesWithRepeatedEnds) {
  for (const char* schedule : {"stored", "planes"}) compare("plate", schedule, sheets);
}
TEST_F(Fluxes, AlongThreeAxes) { compare("block", "planes", bodies, {"--set", "c=0.3"}); }
TEST_F(Fluxes, OfLimitedSlopes) { compare("upwind", "stored", sheets); }

// What is predicted to be fastest computes each flux once, and rows between the ends nothing else.
TEST_F(Fluxes, RowsBetweenTheEndsHaveALoopOfTheirOwn) {
  const Outcome outcome = rhopsi({"emit", file, "-p", "Fluxes", "--entry", "plate", "--emit", "cxx",
                                  "--schedule", "auto", "--shape", "512,512"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("by materialise"), std::string::npos) << outcome.out;
  const std::size_t plain = outcome.out.find("if (!here");
  ASSERT_NE(plain, std::string::npos) << outcome.out;
  const std::size_t loop = outcome.out.find("RHOPSI_SIMD", plain);
  const std::size_t end = outcome.out.find("}", loop);
  EXPECT_EQ(outcome.out.substr(loop, end - loop).find("exp("), std::string::npos) << outcome.out;
  compare("plate", "auto", {{64, 65}});
}

}  // namespace
}  // namespace rhopsi::exec
