// Reads beyond the ends of axes, however a schedule makes them, and passes over arrays of one axis:
// against the reference, bit for bit. Loops with ends are those of hosts: a device has its own way.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Boundaries : public testing::Test {
 protected:
  // Of a program of specs/ that has the array `names`, and the schedule `s` with these steps.
  struct Solver {
    std::string package, program;
    std::vector<std::string> names;
    std::vector<std::string> more = {};  // of the command line
    std::string path;
    std::vector<std::string> read = {};  // arrays that stay
  };
  Solver with_steps(Solver solver, const std::string& steps) const {
    solver.path =
        folder.write("solver.mg", "package solver imports " + solver.package +
                                      ";\nprogram P = " + solver.package + "." + solver.program +
                                      ";\nschedule s on step = { " + steps + " };\n");
    return solver;
  }

  void run(const Solver& solver, const Shape& shape, const std::string& suffix,
           const std::vector<std::string>& how) {
    std::vector<std::string> words = {"run",      solver.path, "-p",      "P",
                                      "--entry",  "step",      "--quiet", "-I",
                                      source(""), "--repeat",  "7"};
    unsigned seed = 1;
    for (const std::string& name : solver.names) {
      words.insert(words.end(), {"--in", name + "=" + random_field(folder, name, shape, seed++),
                                 "--out", name + "=" + file(name, suffix)});
    }
    for (const std::string& name : solver.read)
      words.insert(words.end(), {"--in", name + "=" + random_field(folder, name, shape, seed++)});
    words.insert(words.end(), solver.more.begin(), solver.more.end());
    words.insert(words.end(), how.begin(), how.end());
    const Outcome outcome = rhopsi(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  }
  std::string file(const std::string& name, const std::string& suffix) const {
    return folder / (name + suffix + ".npy");
  }
  void expect_the_references(const Solver& solver, const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      run(solver, shape, "-reference", {"--backend", "reference"});
      run(solver, shape, "-scheduled", {"--schedule", on_device() ? "auto" : "s"});
      for (const std::string& name : solver.names) {
        EXPECT_EQ(difference(file(name, "-reference"), file(name, "-scheduled")), 0.0)
            << name << ", shape " << shape_option(shape) << "\n"
            << read(solver.path);
      }
    }
  }

  const Solver leap{"specs.wave.leap", "DNF", {"h", "e"}, {}, {}};
  const Solver burgers{"specs.burgers.paper",
                       "3DPadded",
                       {"u0", "u1", "u2"},
                       {"--set", "nu=0.05", "--set", "dt=0.01", "--set", "dx=0.5"},
                       {}};
  const Solver acoustic{"specs.stencils.late", "Acoustic", {"p", "q"}, {}, {}, {"v"}};
  const Solver smooth{"specs.smooth.smooth", "DNF", {"a"}, {}, {}};
  const Folder folder;
};

// Some lengths are powers of two, and some sides shorter than what is read beyond them.
TEST_F(Boundaries, OfOnePassPerSweep) {
  for (const char* as : {"modulo", "select", "mask", "peel"}) {
    expect_the_references(
        with_steps(leap, "share; bind; require boundary(as = " + std::string(as) + ");"),
        {{8, 16}, {5, 7}, {1, 2}, {64, 90}});
  }
}

// Four elements at each end of a row, which are parts of blocks of eight.
TEST_F(Boundaries, OfBlocks) {
  for (const char* steps : {"share; bind; require boundary(as = peel);",
                            "require pipeline; in_place; share; bind; require boundary(as = peel); "
                            "require repeat(times = 2);"}) {
    expect_the_references(
        with_steps(acoustic, steps),
        {{3, 4, 1}, {2, 3, 3}, {1, 2, 8}, {3, 3, 15}, {2, 5, 16}, {9, 8, 19}, {12, 10, 64}});
  }
}

TEST_F(Boundaries, OfPlanes) {
  for (const char* as : {"mask", "peel"}) {
    expect_the_references(
        with_steps(leap, "require pipeline; in_place; bind; require boundary(as = " +
                             std::string(as) + ");"),
        {{8, 16}, {5, 7}, {1, 1}, {90, 64}});
  }
}

TEST_F(Boundaries, OfTiles) {
  expect_the_references(
      with_steps(burgers,
                 "fuse; require pipeline; tile(most_rows = 3); in_place; share; bind;\n"
                 "  require boundary(as = peel);"),
      {{5, 7, 6}, {1, 2, 9}, {20, 24, 33}});
}

// One element, fewer than a call reads beside, and so many that each thread has some.
TEST_F(Boundaries, OfArraysOfOneAxisInRuns) {
  expect_the_references(with_steps(smooth,
                                   "require pipeline; in_place; share; bind;\n"
                                   "  require repeat(times = 3);"),
                        {{1}, {2}, {5}, {301}, {9001}});
}

}  // namespace
}  // namespace rhopsi::exec
