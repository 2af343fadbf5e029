// Several rows in one loop, against the reference: bit for bit. A thread of a device has one
// element.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Unroll : public testing::Test {
 protected:
  // Three steps of the program over arrays of each shape, with these steps of a schedule.
  void expect_the_references(const std::string& program, const std::string& steps,
                             const std::vector<Shape>& shapes) {
    const std::string scheduled =
        folder.write("solver.mg",
                     "package solver imports specs.stencils.stencils;\n"
                     "program P = specs.stencils.stencils." +
                         program + ";\nschedule rows on step = { " + steps + " };\n");
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

  const Folder folder;
};

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
        "              const auto u_row = u_at.row(i);\n",
        "            for (; i < rows.high; ++i) {\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  // Of the first sweep four rows, and those around them.
  const std::string loop = text.substr(text.find("i += 4"), text.find("++i") - text.find("i += 4"));
  std::size_t rows = 0;
  for (std::size_t at = loop.find("= u_at.row("); at != std::string::npos;
       at = loop.find("= u_at.row(", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, 6u) << loop;
  EXPECT_NE(printed("schedule").find("nest rows padded (i, j) by 4 rows \"step: u\""),
            std::string::npos);
}

// Rows that go around, of which no index is in a pad; and a build that tests every index.
TEST_F(Unroll, RowsWithoutPadsComputeWhatTheReferenceDoes) {
  expect_the_references("Blur",
                        "drop; in_place; share; bind; require boundary(as = select); "
                        "require unroll(most_rows = 2);",
                        {{1, 3}, {2, 2}, {7, 33}});
}

}  // namespace
}  // namespace rhopsi::exec
