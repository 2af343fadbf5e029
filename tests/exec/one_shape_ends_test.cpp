// Arrays of one shape whose elements are others at the ends of axes: over a domain, with all
// schedules of such programs, bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const programs_with_ends =
    "package ends imports moa.library;\n"
    "program Ends = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function inner(u: Array): Array guard dim(u) == 1 && 2 <= at(shape(u), 0) =\n"
    "    drop(drop(u, 0, 1), 0, -1);\n"
    "  procedure rod(upd u: Array) guard dim(u) == 1 && 2 <= at(shape(u), 0) {\n"
    "    u = cat(cat(take(u, 0, 1),\n"
    "                inner(u) + 0.2 * (drop(u, 0, 2) - 2 * inner(u) + drop(u, 0, -2)), 0),\n"
    "            take(u, 0, -1), 0);\n"
    "  };\n"
    "  function plate_of(u: Array): Array guard dim(u) == 2 =\n"
    "    forall (p < shape(u))\n"
    "      (if at(p, 0) == 0 || at(p, 1) == 0\n"
    "          || at(p, 0) == at(shape(u), 0) - 1 || at(p, 1) == at(shape(u), 1) - 1\n"
    "        then (psi(p, u): Number)\n"
    "        else 0.25 * ((psi([at(p, 0) - 1, at(p, 1)], u): Number)\n"
    "               + psi([at(p, 0) + 1, at(p, 1)], u) + psi([at(p, 0), at(p, 1) - 1], u)\n"
    "               + psi([at(p, 0), at(p, 1) + 1], u)));\n"
    "  procedure plate(upd u: Array) guard dim(u) == 2 { u = plate_of(u); };\n"
    "  function clamped_of(u: Array): Array guard dim(u) == 2 =\n"
    "    forall (p < shape(u))\n"
    "      0.5 * ((psi([max(at(p, 0) - 2, 0), at(p, 1)], u): Number)\n"
    "        + psi([at(p, 0), min(at(p, 1) + 1, at(shape(u), 1) - 1)], u));\n"
    "  procedure clamped(upd u: Array) guard dim(u) == 2 { u = clamped_of(u); };\n"
    "  function near(u: Array, a: Int, o: Int): Array guard 0 <= a && a < dim(u) =\n"
    "    forall (p < shape(u))\n"
    "      (psi(replace(p, a, min(max(at(p, a) + o, 0), at(shape(u), a) - 1)), u): Number);\n"
    "  procedure nearest(upd u: Array) guard dim(u) == 2 {\n"
    "    u = 0.5 * u + 0.1 * near(u * near(u, 1, -1), 1, -1)\n"
    "      - 0.1 * near(near(rotate(u, 0, 1) - near(u, 1, 2), 1, -2) * near(u, 0, 1), 0, -1);\n"
    "  };\n"
    "  procedure mirrored(upd u: Array)\n"
    "    guard dim(u) == 2 && 3 <= at(shape(u), 0) && 3 <= at(shape(u), 1) {\n"
    "    u = 0.9 * u + 0.05 * (drop(pad_reflect(u, 0, 0, 2), 0, 2)\n"
    "                        + drop(pad_reflect(u, 1, 2, 0), 1, -2));\n"
    "  };\n"
    "  procedure box(upd u: Array, obs c: Number) guard dim(u) == 3 {\n"
    "    u = u + 0.1 * (drop(pad_edge(u, 0, 0, 1), 0, 1) + drop(pad_edge(u, 1, 1, 0), 1, -1)\n"
    "                 + drop(pad_constant(u, 2, 1, 0, array(c)), 2, -1) - 3 * u)\n"
    "          + drop(pad_constant(u, 1, 1, 0, array(c)), 1, -1)\n"
    "            * rotate(drop(pad_constant(u, 1, 1, 0, array(c)), 1, -1), 2, 1);\n"
    "  };\n"
    "  procedure named(upd u: Array) guard dim(u) == 2 && 3 <= at(shape(u), 1) &&\n"
    "      2 <= at(shape(u), 0) {\n"
    "    var first = take(u, 1, 1);\n"
    "    var ends = first;\n"
    "    var top = take(drop(u, 0, 1), 0, 1);\n"
    "    var inner = drop(drop(u, 1, 1), 1, -1);\n"
    "    var made = inner + 0.2 * (drop(u, 1, 2) - 2 * inner + drop(u, 1, -2));\n"
    "    u = cat(cat(ends, made, 1), take(made, 1, -1), 1);\n"
    "    u = cat(top, drop(u, 0, 1), 0) + cat(drop(0.5 * u, 0, -1), top, 0);\n"
    "  };\n"
    "  procedure far(upd u: Array) guard dim(u) == 2 {\n"
    "    u = u + reverse(u, 0);\n"
    "  };\n"
    "  procedure other_length(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 1) && at(shape(u), 1) <= at(shape(u), 0) {\n"
    "    u = forall (p < shape(u))\n"
    "      (psi([at(p, 0) % at(shape(u), 1), at(p, 1)], u): Number);\n"
    "  };\n"
    "  procedure divided(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      (if at(p, 0) > 0\n"
    "        then (if 10 / at(p, 0) > 2 then 2.0 * (psi(p, u): Number) else "
    "2.0)\n"
    "        else 3.0);\n"
    "  };\n"
    "  procedure none_of(upd u: Array, obs k: Int) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      (if at(p, 0) < k then (if 100 / k > at(p, 1) then 1.0 else (psi(p, u): Number))\n"
    "        else 0.5 * (psi(p, u): Number));\n"
    "  };\n"
    "  procedure by_value(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      (psi([at(p, 0),\n"
    "            if (psi([at(p, 0), min(at(p, 1) + 1, at(shape(u), 1) - 1)], u): Number) > 0.5\n"
    "              then at(p, 1) else max(at(p, 1) - 1, 0)], u): Number);\n"
    "  };\n"
    "  procedure without_guard(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      (if at(p, 0) == 5 then 0.5\n"
    "        else (psi([(at(p, 0) + 1) % at(shape(u), 0), at(p, 1)], u): Number));\n"
    "  };\n"
    "  procedure ahead(upd u: Array) guard dim(u) == 2 && 1 <= at(shape(u), 0) {\n"
    "    u = rotate(u, 0, 100000) + u;\n"
    "  };\n"
    "  procedure stale(upd u: Array, obs k: Int) guard dim(u) == 1 && 10 <= at(shape(u), 0) {\n"
    "    if 0 <= k && k < at(shape(u), 0)\n"
    "      then { u = forall (p < shape(u))\n"
    "               ((psi([min(k % at(shape(u), 0), 5)], u): Number) + (psi(p, u): Number)); }\n"
    "      else { u = forall (p < shape(u))\n"
    "               (if min(k % at(shape(u), 0), 5) <= k + 3 then 1.0\n"
    "                 else (psi(p, u): Number)); };\n"
    "  };\n"
    "  procedure padded(upd u: Array, upd v: Array)\n"
    "    guard dim(u) == 2 && shape(u) == shape(v) && 1 <= at(shape(u), 0) {\n"
    "    var p = pad_edge(u, 0, 1, 1);\n"
    "    u = 2 * u - v;\n"
    "    v = drop(p, 0, 2) + drop(p, 0, -2) - u;\n"
    "    var d = drop(pad_constant(v, 1, 1, 1, 1), 1, 1) - drop(pad_constant(v, 1, 1, 1, 1), 1, "
    "-1);\n"
    "    u = u + 0.1 * (drop(d, 1, 1) - drop(d, 1, -1)) * drop(p, 0, 2);\n"
    "  };\n"
    "  function mean(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) = {\n"
    "    var p = pad_edge(u, axis, 2, 2);\n"
    "    value 0.2 * (fold _+_ (k < 5) drop(drop(p, axis, k), axis, k - 4));\n"
    "  }\n"
    "  procedure means(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    u = mean(mean(u, 0), 1);\n"
    "  };\n"
    "  function before(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) =\n"
    "    drop(pad_edge(u, axis, 1, 0), axis, -1);\n"
    "  function after(u: Array, axis: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) =\n"
    "    drop(pad_edge(u, axis, 0, 1), axis, 1);\n"
    "  function curved(u: Array): Array\n"
    "    guard 0 < dim(u) && (forall (m < dim(u)) 0 < at(shape(u), m)) =\n"
    "    fold _+_ (axis < dim(u)) (before(u, axis) + after(u, axis) - 2 * u);\n"
    "  procedure plate_that_bends(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    u = u - 0.01 * curved(curved(u));\n"
    "  };\n"
    "  procedure thrice(upd u: Array, obs c: Number)\n"
    "    guard dim(u) == 2 && 3 <= at(shape(u), 0) && 3 <= at(shape(u), 1) {\n"
    "    u = 0.5 * before(before(before(u, 1), 1), 0)\n"
    "      + 0.25 * after(drop(pad_constant(before(u, 0), 0, 0, 2, array(c)), 0, 2), 1)\n"
    "      - 0.125 * before(drop(pad_reflect(after(u, 1), 1, 0, 2), 1, 2), 1);\n"
    "  };\n"
    "  procedure limited(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      (if at(p, 1) + 1 < at(shape(u), 1)\n"
    "          && (psi([at(p, 0), at(p, 1) + 1], u): Number) < (psi(p, u): Number)\n"
    "        then (psi([at(p, 0), at(p, 1) + 1], u): Number)\n"
    "        else (psi([if 0 < at(p, 0) then at(p, 0) - 1 else -at(p, 0), at(p, 1)], u): "
    "Number));\n"
    "  };\n"
    "  procedure chosen(upd u: Array, obs k: Int) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u))\n"
    "      ((psi(p, u): Number)\n"
    "        + convert((if at(p, 1) == 0 then k else 100000) * (if at(p, 1) == 0 then k else "
    "200000)\n"
    "                  + max(at(p, 1), if at(p, 1) == 0 then k else -7)));\n"
    "  };\n"
    "  procedure distant(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 1) {\n"
    "    u = 0.25 * rotate(u, 1, 100000) * rotate(u, 1, -2) + 0.5 * rotate(u, 1, 1) / (2 + u * "
    "u);\n"
    "  };\n"
    "  function around(u: Array, axis: Int, o: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) && -3 <= o && o <= 3 =\n"
    "    drop(drop(pad_constant(u, axis, 3, 3, 2), axis, 3 + o), axis, o - 3);\n"
    "  procedure wide(upd u: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    var p = pad_edge(u, 1, 2, 2);\n"
    "    u = 0.25 * u + 0.1 * (around(u, 1, 3) * around(u, 1, -3) + around(u, 1, 1) / (2 + u * u)\n"
    "          - around(u, 0, 2) * around(u, 1, -2)) + 0.05 * (drop(p, 1, 4) - drop(p, 1, -4))\n"
    "        + 0.2 * rotate(u, 1, 1) * rotate(u, 1, -2);\n"
    "  };\n"
    "  function paired(u: Array, axis: Int, first: Int): Array\n"
    "    guard 0 <= axis && axis < dim(u) =\n"
    "    forall (p < shape(u))\n"
    "      (if at(p, axis) % 2 == first\n"
    "        then 0.75 * (psi(p, u): Number) + 0.25 * psi(p, rotate(u, axis, 1))\n"
    "        else 0.75 * (psi(p, u): Number) + 0.25 * psi(p, rotate(u, axis, -1)));\n"
    "  procedure pairs(upd u: Array) guard dim(u) == 2 {\n"
    "    u = paired(u, 1, 0);\n"
    "    u = paired(u, 0, 0);\n"
    "    u = paired(u, 1, 1);\n"
    "    u = paired(u, 0, 1);\n"
    "  };\n"
    "  function coloured(u: Array, colour: Int): Array guard dim(u) == 3 =\n"
    "    forall (p < shape(u))\n"
    "      (if (at(p, 0) + at(p, 1) + at(p, 2)) % 2 == colour\n"
    "        then 0.25 * (psi(p, rotate(u, 0, 1)): Number) + 0.25 * psi(p, rotate(u, 0, -1))\n"
    "          + 0.25 * psi(p, rotate(u, 1, 1)) + 0.125 * psi(p, rotate(u, 2, -1))\n"
    "        else psi(p, u));\n"
    "  procedure colours(upd u: Array) guard dim(u) == 3 {\n"
    "    u = coloured(u, 0);\n"
    "    u = coloured(u, 1);\n"
    "  };\n"
    "};\n"
    "schedule by_turns for Ends = {\n"
    "  pad; pipeline(max_planes = 40); in_place; refill; share; bind; threads(least = 1);\n"
    "  repeat(times = 2);\n"
    "};\n"
    "schedule planes for Ends on plate = {\n"
    "  pad; pipeline(max_planes = 40); in_place; refill; share; bind; threads(least = 1);\n"
    "  repeat(times = 3);\n"
    "};\n"
    "schedule rows for Ends on plate = { boundary(as = peel); in_place; bind; threads(least = 1); "
    "};\n"
    "schedule wide_rows for Ends on wide = {\n"
    "  require boundary(as = peel); in_place; share; bind; threads(least = 1); };\n"
    "schedule distant_rows for Ends on distant = {\n"
    "  require boundary(as = peel); share; bind; threads(least = 1); };\n"
    "schedule wide_planes for Ends on wide = {\n"
    "  require pipeline; require boundary(as = peel); in_place; share; bind; threads(least = 1);\n"
    "  repeat(times = 2); };\n"
    "schedule loops for Ends on plate = { pad; bind(to = nested); };\n"
    "schedule slabs for Ends on box = {\n"
    "  pad; pipeline(max_planes = 40); tile(most_rows = 2); in_place; refill; share; bind;\n"
    "  threads(least = 1); repeat(times = 2);\n"
    "};\n"
    "schedule jammed for Ends on box = {\n"
    "  pad; in_place; refill; share; bind; require unroll(most_rows = 2); };\n";

class OneShapeEnds : public testing::Test {
 protected:
  // Over a domain; its results have the bits of the reference's.
  // `set` is what its numbers are.
  void compare(const std::string& entry, const std::string& schedule,
               const std::vector<Shape>& shapes, const std::string& set = "",
               bool over_a_domain = true) const {
    for (const Shape& shape : shapes) {
      std::vector<std::string> words = {
          "run", file,       "-p", "Ends", "--entry",
          entry, "--repeat", "5",  "--in", "u=" + random_field(folder, "u", shape, 1)};
      if (two) words.insert(words.end(), {"--in", "v=" + random_field(folder, "v", shape, 2)});
      if (!set.empty()) words.insert(words.end(), {"--set", set});
      words.insert(words.end(), {"--out", "u=" + found});
      std::vector<std::string> scheduled = words;
      scheduled.insert(scheduled.end(), {"--schedule", schedule});
      const Outcome outcome = rhopsi(scheduled);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      EXPECT_EQ(outcome.err.find("shapes of their own") == std::string::npos, over_a_domain)
          << outcome.err;
      words.back() = "u=" + expected;
      words.insert(words.end(), {"--backend", "reference", "--quiet"});
      const Outcome reference = rhopsi(words);
      ASSERT_EQ(reference.exit_code, 0) << reference.text();
      EXPECT_EQ(difference(found, expected), 0.0)
          << entry << " " << schedule << " " << testing::PrintToString(shape);
    }
  }

  // Schedules that require loops over rows or planes, or "auto" where no loop has them.
  static std::vector<const char*> of_hosts(std::vector<const char*> schedules) {
    if (on_device()) return {"auto"};
    return schedules;
  }

  bool two = false;  // is there another array, v?
  const Folder folder;
  const std::string file = folder.write("ends.mg", programs_with_ends);
  const std::string found = folder / "found.npy", expected = folder / "expected.npy";
};

// Lengths of 1 and 2, rows that are shorter than a vector and longer than two.
const std::vector<Shape> plates = {{1, 1}, {2, 1}, {1, 2}, {3, 5}, {9, 16}, {4, 33}, {40, 50}};

TEST_F(OneShapeEnds, EdgesThatStay) {
  compare("rod", "auto", {{2}, {3}, {16}, {33}, {40000}});
  compare("plate", "auto", plates);
}
TEST_F(OneShapeEnds, InEverySchedule) {
  for (const char* schedule : {"planes", "rows", "loops"}) compare("plate", schedule, plates);
}
// Sweeps over every other element, plane by plane: which rows these are is known before each row.
TEST_F(OneShapeEnds, EveryOtherElement) {
  const Outcome text = rhopsi({"emit", file, "-p", "Ends", "--entry", "pairs", "--shape", "40,50",
                               "--schedule", "by_turns", "--emit", "cxx"});
  EXPECT_NE(text.out.find("const std::int64_t place = rhopsi::position(i, n0);"), std::string::npos)
      << text.text();
  for (const char* schedule : of_hosts({"by_turns", "auto", "full"})) {
    compare("pairs", schedule, plates);
    compare("colours", schedule, {{1, 1, 1}, {2, 3, 4}, {3, 2, 17}, {5, 4, 33}, {12, 9, 10}});
  }
}
// Rows whose ends are blocks: shorter than one, as long as one or two, and longer by some.
TEST_F(OneShapeEnds, MuchAtTheEndsOfRows) {
  const Outcome text = rhopsi({"emit", file, "-p", "Ends", "--entry", "wide", "--shape", "40,50",
                               "--schedule", "wide_rows", "--emit", "cxx"});
  EXPECT_NE(text.out.find("rhopsi::NearRow<double, 3, 3, 8> u_row_near("), std::string::npos)
      << text.text();
  for (const char* schedule : of_hosts({"wide_rows", "wide_planes", "auto"})) {
    compare("wide", schedule,
            {{1, 1}, {3, 2}, {2, 7}, {3, 8}, {4, 15}, {1, 16}, {5, 17}, {9, 32}, {40, 50}});
  }
}
// A block would not fit on a stack.
TEST_F(OneShapeEnds, WhatIsReadFarAlongRows) {
  const Outcome text = rhopsi({"emit", file, "-p", "Ends", "--entry", "distant", "--shape", "4,50",
                               "--schedule", "distant_rows", "--emit", "cxx"});
  EXPECT_NE(text.out.find("rhopsi::PeeledRow part("), std::string::npos) << text.text();
  for (const char* schedule : of_hosts({"distant_rows"}))
    compare("distant", schedule, {{3, 1}, {3, 5}, {4, 50}});
}
TEST_F(OneShapeEnds, IndicesThatStopAtTheEnds) { compare("clamped", "auto", plates); }
TEST_F(OneShapeEnds, OfWhatIsComputedOfNeighboursWithinThem) {
  for (const char* schedule : {"auto", "full"}) compare("nearest", schedule, plates);
}
TEST_F(OneShapeEnds, MirrorsOfTwoElements) {
  compare("mirrored", "full", {{3, 3}, {4, 5}, {20, 17}, {5, 64}});
}
TEST_F(OneShapeEnds, ConditionsOfEachAxis) {
  const std::vector<Shape> boxes = {{1, 1, 1}, {2, 1, 3}, {3, 4, 17}, {6, 7, 40}};
  compare("box", "slabs", boxes, "c=0.5");
  for (const char* schedule : of_hosts({"jammed"})) compare("box", schedule, boxes, "c=0.5");
}

// What is asked for nowhere, or for some elements alone, fails nowhere else.
TEST_F(OneShapeEnds, QuotientsByNothing) {
  compare("divided", "auto", {{20, 30}, {300, 400}});
  compare("divided", "full", {{20, 30}, {1, 40}});
  compare("none_of", "auto", {{20, 30}}, "k=0");
}
// 9 planes, of which one is read that is 100000 further.
TEST_F(OneShapeEnds, WhatIsReadFarAhead) { compare("ahead", "full", {{9, 30}}); }
TEST_F(OneShapeEnds, ConditionsOnElementsWithinIndices) { compare("by_value", "auto", plates); }
TEST_F(OneShapeEnds, LengthsAreNotZero) { compare("without_guard", "auto", plates); }
TEST_F(OneShapeEnds, QuotientsByAnotherLength) {
  compare("other_length", "auto", {{9, 4}, {4, 4}}, "", false);
}
// A bound of one branch is none of the other.
TEST_F(OneShapeEnds, WhatHoldsInABranch) {
  compare("stale", "auto", {{12}}, "k=-20", false);
  compare("stale", "auto", {{12}}, "k=7", false);
}

// Arrays that are longer than the domain, whose elements are read as those of what they are made
// of, as it was then.
TEST_F(OneShapeEnds, PaddedArraysWithNames) {
  two = true;
  for (const char* schedule : {"auto", "full"})
    compare("padded", schedule, {{1, 1}, {2, 1}, {3, 5}, {40, 50}});
}
// What is read at indices that stop at the ends is stored once.
TEST_F(OneShapeEnds, MeansOfMeans) {
  for (const char* schedule : {"auto", "full"})
    compare("means", schedule, {{1, 1}, {1, 2}, {3, 5}, {40, 50}});
}
// Which element is the nearest is chosen among those that are chosen so themselves.
TEST_F(OneShapeEnds, NearestOfTheNearest) {
  for (const char* schedule : {"auto", "full"}) {
    compare("plate_that_bends", schedule,
            {{2, 2}, {2, 3}, {3, 2}, {4, 33}, {9, 16}, {40, 50}, {300, 40}});
    compare("thrice", schedule, {{3, 3}, {4, 5}, {20, 17}, {5, 64}}, "c=0.5");
  }
  compare("plate_that_bends", "auto", {{1, 4}, {5, 1}, {1, 1}});
}
// What is read in a condition and again where it holds.
TEST_F(OneShapeEnds, NeighboursThatAreCompared) { compare("limited", "full", plates); }
// Between the ends of rows they are literals.
TEST_F(OneShapeEnds, IntegersThatAreChosen) {
  for (const char* schedule : {"auto", "full"}) compare("chosen", schedule, {{2, 40}}, "k=3");
}

// They are read where they come from, as often as they are named on the way.
TEST_F(OneShapeEnds, ColumnsAndRowsThatHaveNames) {
  compare("named", "auto", {{2, 3}, {5, 4}, {4, 33}, {17, 40}});
}

TEST_F(OneShapeEnds, WhatIsElsewhereKeepsShapesOfItsOwn) {
  const Outcome outcome = rhopsi({"run", file, "-p", "Ends", "--entry", "far", "--in",
                                  "u=" + random_field(folder, "u", {4, 3}, 1)});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("far reads u at an index that is no constant offset"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace rhopsi::exec
