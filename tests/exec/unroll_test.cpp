// Several rows in one loop, against the reference: bit for bit. A thread of a device has one
// element.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Unroll : public testing::Test {
 protected:
  // P, the program with a schedule of these steps.
  std::string scheduled_by(const std::string& program, const std::string& steps) const {
    return folder.write("solver.mg",
                        "package solver imports specs.stencils.stencils;\n"
                        "program P = specs.stencils.stencils." +
                            program + ";\nschedule rows on step = { " + steps + " };\n");
  }

  // Three steps of the program over arrays of each shape, with these steps of a schedule.
  void expect_the_references(const std::string& program, const std::string& steps,
                             const std::vector<Shape>& shapes) {
    const std::string scheduled = scheduled_by(program, steps);
    for (const Shape& shape : shapes) {
      const std::string u = random_field(folder, "u", shape, 5);
      const auto result = [&](const std::string& name, std::vector<std::string> run) {
        const std::string file = folder / (name + ".npy");
        run.insert(run.begin(), "run");
        run.insert(run.end(), {"--entry", "step", "--quiet", "--repeat", "3", "--in", "u=" + u,
                               "--out", "u=" + file});
        const Outcome outcome = rhopsi(run);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
        return file;
      };
      const std::string reference = result("reference", {source("specs/stencils/stencils.mg"), "-p",
                                                         program, "--backend", "reference"});
      const std::string found = result("found", {scheduled, "-p", "P", "-I", source(""),
                                                 "--schedule", on_device() ? "auto" : "rows"});
      EXPECT_EQ(difference(reference, found), 0.0) << "shape " << shape_option(shape);
    }
  }

  // The first loop along several rows that is emitted for it behind this, and whose index this is.
  std::string emitted_loop(const std::string& program, const std::string& rank,
                           const std::string& steps, const std::string& behind,
                           const std::string& index) {
    const Outcome outcome =
        rhopsi({"emit", scheduled_by(program, steps), "-p", "P", "-I", source(""), "--entry",
                "step", "--rank", rank, "--schedule", "rows", "--emit", "cxx"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    const std::string text =
        outcome.out.substr(std::min(outcome.out.find(behind), outcome.out.size()));
    const std::size_t first = std::min(text.find(index + " += "), text.size());
    return text.substr(first, text.find("++" + index, first) - first);
  }

  const Folder folder;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// As many rows as they save accesses for, which is four: fewer, some that are left, and so many
// that each thread has several.
TEST_F(Unroll, RowsOfASweepComputeWhatTheReferenceDoes) {
  expect_the_references("Blur", "drop; pad; in_place; refill; share; bind; require unroll;",
                        {{1, 1}, {3, 7}, {4, 1}, {6, 9}, {91, 70}});
}

// Of the planes of a pipeline in tiles of five rows, two calls in one.
TEST_F(Unroll, RowsOfTilesComputeWhatTheReferenceDoes) {
  expect_the_references("Heat",
                        "require pipeline; require tile(most_rows = 5); pad; in_place; refill; "
                        "share; bind; require repeat(times = 2); require unroll(most_rows = 3);",
                        {{1, 1, 1}, {3, 2, 5}, {20, 24, 33}, {2, 17, 1}});
}

// And where a sweep is a pass alone, in tiles of each plane.
TEST_F(Unroll, RowsOfPlanesInTilesComputeWhatTheReferenceDoes) {
  for (const std::string unroll : {"", " require unroll(most_rows = 3);"}) {
    expect_the_references(
        "Heat",
        "require tile(most_rows = 4); pad; refill; share; bind; threads(least = 1);" + unroll,
        {{1, 1, 1}, {3, 2, 5}, {20, 24, 33}, {2, 17, 1}, {5, 9, 70}});
  }
}

// What is printed of it: rows that several read are one variable, and the rest of the rows is a
// loop of its own.
TEST_F(Unroll, EmittedLoopsReadEachRowOnce) {
  const auto printed = [](const std::string& stage) {
    const Outcome outcome = rhopsi({"emit", source("specs/stencils/stencils.mg"), "-p", "Blur",
                                    "--entry", "step", "--rank", "2", "--schedule",
                                    "specs.schedules.stencil.rows_at_once", "--emit", stage});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  const std::string text = printed("cxx");
  for (const char* part :
       {"rows in parallel, 4 at once, vectors along them", "by\n    // unroll, bind\n",
        "rhopsi::for_each_rows<4>(\"step: u\", domain,\n"
        "          KOKKOS_LAMBDA(const rhopsi::Row rows, const rhopsi::Row row) {\n"
        "            std::int64_t i = rows.low;\n"
        "            for (; i + 3 < rows.high; i += 4) {\n"
        "              const auto u_row = rhopsi::shifted_row(u_at.row(i));\n",
        "            for (; i < rows.high; ++i) {\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  // Of the first sweep four rows, and those around them.
  const std::string loop = text.substr(text.find("i += 4"), text.find("++i") - text.find("i += 4"));
  EXPECT_EQ(count(loop, "u_at.row("), 6u) << loop;
  EXPECT_NE(printed("schedule").find("nest rows padded (i, j) by 4 rows \"step: u\""),
            std::string::npos);
}

// Without pads a row of the loop is one that others read too, and those around them alone go
// around, however these do.
TEST_F(Unroll, EmittedLoopsReadNoRowOfTheirOwnAround) {
  const std::string ends = " require unroll(most_rows = 4);";
  for (const auto& [as, around] :
       std::vector<std::pair<std::string, std::string>>{{"modulo", "u_at.row(rhopsi::wrap(i, "},
                                                        {"select", "u_at.row(rhopsi::around("},
                                                        {"mask", "u_at.row(((i "},
                                                        {"peel", "u_at.row(rhopsi::around("}}) {
    const std::string loop = emitted_loop(
        "Blur", "2", "bind; require boundary(as = " + as + ");" + ends, "void step(", "i");
    EXPECT_EQ(count(loop, "u_at.row("), 6u) << as << "\n" << loop;
    EXPECT_EQ(count(loop, around), 2u) << as << "\n" << loop;
  }
  // Of whole planes of a pipeline, its own one and those beside it; and those it asks for ahead.
  const std::string loop = emitted_loop(
      "Heat", "3",
      "require pipeline; bind; require boundary(as = peel); require repeat(times = 2);" + ends,
      "stage_0 = ", "j");
  EXPECT_EQ(count(loop, "u_plane.row("), 6u) << loop;
  EXPECT_EQ(count(loop, "u_plane.row(rhopsi::around("), 2u) << loop;
  EXPECT_EQ(count(loop, "= u_next_plane.row("), 4u) << loop;
}

// Rows that go around, of which no index is in a pad; some lengths are powers of two.
TEST_F(Unroll, RowsWithoutPadsComputeWhatTheReferenceDoes) {
  for (const auto& [as, rows] :
       std::vector<std::pair<std::string, std::string>>{{"select", "2"}, {"mask", "4"}}) {
    expect_the_references("Blur",
                          "drop; in_place; share; bind; require boundary(as = " + as +
                              "); require unroll(most_rows = " + rows + ");",
                          {{1, 3}, {2, 2}, {7, 33}, {8, 16}});
  }
}

// The same of whole planes, by as many rows as there are, fewer and more.
TEST_F(Unroll, RowsOfPlanesWithoutPadsComputeWhatTheReferenceDoes) {
  expect_the_references("Heat",
                        "require pipeline; in_place; share; bind; require boundary(as = peel); "
                        "require repeat(times = 2); require unroll(most_rows = 3);",
                        {{3, 3, 4}, {2, 2, 9}, {5, 7, 33}, {4, 4, 1}});
}

}  // namespace
}  // namespace rhopsi::exec
