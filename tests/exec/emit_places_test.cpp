// Where emitted loops are from: the line of the specification, above each of them and in messages
// of its kernel.
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const text =
    "package places imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure relax(upd u: Array) guard dim(u) == 2 {\n"
    "    var t = u + rotate(u, 0, 1);\n"
    "    u = t - rotate(t, 0, -1);\n"
    "  };\n"
    "  procedure solve(upd u: Array, obs n: Int) guard dim(u) == 2 {\n"
    "    for k in 0 .. n { call relax(u); };\n"
    "  };\n"
    "  procedure layer(obs A: Array, obs x: Array, out y: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 && at(shape(A), 1) == at(shape(x), 0) {\n"
    "    y = matmul(A, x);\n"
    "  };\n"
    "  procedure turn(upd u: Array, upd v: Array) guard dim(u) == 2 && shape(v) == shape(u) {\n"
    "    var t = u + v;\n"
    "    v = u - v;\n"
    "    u = t;\n"
    "  };\n"
    "  procedure total(obs A: Array, out y: Array) guard dim(A) == 1 {\n"
    "    y = A / sum(A, 0);\n"
    "  };\n"
    "};\n";

class EmitPlaces : public testing::Test {
 protected:
  std::string emitted(std::vector<std::string> more) const {
    more.insert(more.begin(), {"emit", file, "-p", "P", "--emit", "cxx"});
    const Outcome outcome = rhopsi(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }
  static void expect_in(const std::string& all, const std::string& part) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n--- in\n" << all;
  }

  const Folder folder;
  const std::string file = folder.write("places.mg", text);
};

bool begins_loop(const std::string& line) {
  for (const char* head : {"rhopsi::for_each_", "rhopsi::run_pipeline", "const auto stage_",
                           "rhopsi::fold_in_", "rhopsi::fold_over_"}) {
    if (line.find(head) != std::string::npos) return true;
  }
  return false;
}

// The loops that no comment with a line stands above, in their function.
std::string without_place(const std::string& all) {
  std::istringstream lines(all);
  std::string found;
  bool placed = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(") const {") != std::string::npos) placed = false;
    if (line.find("    // places.mg:") == 0 || line.find("      // places.mg:") == 0) placed = true;
    if (begins_loop(line) && !placed) found += line + "\n";
  }
  return found;
}

TEST_F(EmitPlaces, LoopsOverOneShape) {
  const std::string all = emitted({"--schedule", "full", "--shape", "300,300", "--entry", "relax"});
  expect_in(all, "    // places.mg:5-6: 2 sweeps in one, plane by plane; ");
  expect_in(all, "      // places.mg:5: 0 planes behind");
  expect_in(all, "      // places.mg:6: 1 plane behind");
  expect_in(all, "RHOPSI_SITE(\"places.mg:5\");");
  expect_in(all, "RHOPSI_SITE(\"places.mg:6\");");
}

// A loop that is made of several statements is from all of them.
TEST_F(EmitPlaces, LoopsOfSeveralStatements) {
  const std::string all = emitted({"--schedule", "full", "--shape", "300,300", "--entry", "turn"});
  expect_in(all, "    // places.mg:16-17: rows in parallel");
  const std::string own = emitted({"--schedule", "auto", "--entry", "turn"});
  expect_in(own, "    // places.mg:16-17: ");
}

// A loop is from the statement of the procedure that is called.
TEST_F(EmitPlaces, LoopsOfAProcedureThatIsCalled) {
  const std::string all = emitted({"--schedule", "full", "--shape", "300,300", "--entry", "solve"});
  expect_in(all, "  // solve_part_1, places.mg:5\n");
  expect_in(all, "      // places.mg:6: 1 plane behind");
  expect_in(all, "    // places.mg:9\n    for (std::int64_t round = 0; ");
  EXPECT_EQ(without_place(all), "");
}

TEST_F(EmitPlaces, LoopsOfAnyShapes) {
  for (const char* schedule : {"off", "auto"}) {
    const std::string all = emitted({"--schedule", schedule});
    EXPECT_EQ(without_place(all), "") << schedule;
    expect_in(all, "RHOPSI_SITE(\"places.mg:5\");");
  }
}

TEST_F(EmitPlaces, Folds) {
  const std::string tiles = emitted({"--entry", "layer"});
  expect_in(tiles, "    // places.mg:13: 8 elements side by side, the fold around them\n");
  const std::string blocks = emitted({"--entry", "total"});
  expect_in(
      blocks,
      "    // places.mg:21: step by step; in blocks of 4096 steps where reals may be regrouped\n");
  // As they are written.
  const std::string in_order = emitted({"--entry", "total", "--schedule", "off"});
  expect_in(in_order, "    // places.mg:21\n    double x1 = double{};\n");
  expect_in(in_order, "RHOPSI_SITE(\"places.mg:21\");");
}

}  // namespace
}  // namespace rhopsi::exec
