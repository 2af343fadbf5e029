// Folds beside each other in an element, which are computed apart: emitted programs, strict and
// reassociating, beside the reference evaluator.
#include <utility>

#include <gtest/gtest.h>

#include "tests/exec/beside_reference.hpp"

namespace rhopsi::exec {
namespace {

const char* const separate_folds =
    "package folds imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function at2(A: Array, i: Int, k: Int): Number\n"
    "    guard dim(A) == 2 && 0 <= i && i < at(shape(A), 0) && 0 <= k && k < at(shape(A), 1) =\n"
    "    psi([i, k], A) : Number;\n"
    "  function total(A: Array, i: Int): Number\n"
    "    guard dim(A) == 2 && 0 <= i && i < at(shape(A), 0) =\n"
    "    fold _+_ (k < at(shape(A), 1)) at2(A, i, k);\n"
    "  function square(x: Number): Number = x * x;\n"
    // Of two arrays, whose rows have different lengths.
    "  procedure two(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 0) == at(shape(B), 0) {\n"
    "    C = forall (p < [at(shape(A), 0)])\n"
    "      0.3 * (fold _+_ (k < at(shape(A), 1)) at2(A, at(p, 0), k)) -\n"
    "      0.7 * (fold _+_ (k < at(shape(B), 1)) (at2(B, at(p, 0), k) * convert(k)));\n"
    "  };\n"
    // Two that are the same besides another one.
    "  procedure spread(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 {\n"
    "    C = forall (p < [at(shape(A), 0)])\n"
    "      (fold _+_ (k < at(shape(A), 1)) square(at2(A, at(p, 0), k))) -\n"
    "      total(A, at(p, 0)) * total(A, at(p, 0));\n"
    "  };\n"
    // One that another one needs, by a quotient.
    "  procedure variance(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 {\n"
    "    C = forall (p < [at(shape(A), 0)]) total(A, at(p, 0)) +\n"
    "      fold _+_ (k < at(shape(A), 1))\n"
    "        square(at2(A, at(p, 0), k) - total(A, at(p, 0)) / convert(at(shape(A), 1)));\n"
    "  };\n"
    // Across rows, of three.
    "  procedure three(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 {\n"
    "    C = forall (p < [at(shape(A), 1)])\n"
    "      (fold _+_ (k < at(shape(A), 0)) at2(A, k, at(p, 0))) *\n"
    "      (fold _*_ (k < at(shape(A), 0)) (1.0 + 0.01 * at2(A, k, at(p, 0)))) +\n"
    "      (fold _+_ (k < at(shape(A), 0)) abs(at2(A, k, at(p, 0))));\n"
    "  };\n"
    // Products over panels.
    "  procedure products(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 0) == at(shape(B), 0) {\n"
    "    C = forall (p < [at(shape(A), 1), at(shape(B), 1)])\n"
    "      (fold _+_ (k < at(shape(A), 0)) (at2(A, k, at(p, 0)) * at2(B, k, at(p, 1)))) -\n"
    "      (fold _+_ (k < at(shape(A), 0)) abs(at2(A, k, at(p, 0)) - at2(B, k, at(p, 1))));\n"
    "  };\n"
    // Scans beside each other.
    "  procedure scans(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 {\n"
    "    C = forall (p < shape(A))\n"
    "      (fold _+_ (k < at(p, 1) + 1) at2(A, at(p, 0), k)) -\n"
    "      (fold _+_ (k < at(p, 1) + 1) square(at2(A, at(p, 0), k)));\n"
    "  };\n"
    // In the place of the array that it reads.
    "  procedure place(obs A: Array, obs B: Array, upd C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && shape(C) == [at(shape(A), 0)] {\n"
    "    C = forall (p < shape(C))\n"
    "      (psi(p, C) : Number) * total(A, at(p, 0)) +\n"
    "      (fold _+_ (k < at(shape(A), 1)) (at2(A, at(p, 0), k) * (psi(p, C) : Number)));\n"
    "  };\n"
    // Of integers.
    "  procedure whole(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 {\n"
    "    C = forall (p < [at(shape(A), 0)]) convert(\n"
    "      (fold _+_ (k < at(shape(A), 1)) (at(p, 0) * 3037000500 * k + k)) -\n"
    "      (fold _+_ (k < at(shape(A), 1)) (at(p, 0) * k - k * k)));\n"
    "  };\n"
    "};\n";

const std::vector<std::string> entries = {"two",      "spread", "variance", "three",
                                          "products", "scans",  "place",    "whole"};

class SeparateFolds : public BesideReference {
 protected:
  SeparateFolds() : BesideReference("folds", separate_folds) {}

  void compare(double off) {
    for (const auto& [a, b] : {std::pair<Shape, Shape>{{1, 1}, {1, 0}},
                               {{3, 0}, {3, 5}},
                               {{0, 4}, {0, 1}},
                               {{17, 1}, {17, 9}},
                               {{2, 700}, {2, 31}},
                               {{70, 9}, {70, 130}},
                               {{33, 64}, {33, 3}}}) {
      random_field(folder, "A", a, 1);
      random_field(folder, "B", b, 2);
      random_field(folder, "C", {a[0]}, 3);
      for (const std::string& entry : entries) {
        std::vector<std::string> arrays = {"A", "B"};
        if (entry == "place") arrays.push_back("C");
        BesideReference::compare(entry, arrays, entry == "whole" ? 0 : off,
                                 shape_option(a) + " and " + shape_option(b));
      }
    }
  }
};

TEST_F(SeparateFolds, StrictProgramsKeepEveryBit) {
  ASSERT_NO_FATAL_FAILURE(build("OFF"));
  compare(0);
}

// Sums of fewer than a thousand numbers below 1.
TEST_F(SeparateFolds, ReassociatingOnesAreClose) {
  ASSERT_NO_FATAL_FAILURE(build("ON"));
  compare(1e-9);
}

TEST_F(SeparateFolds, HaveTilesOfTheirOwn) {
  const Outcome told = rhopsi({"explain", file, "-p", "P", "--schedule"});
  ASSERT_EQ(told.exit_code, 0) << told.text();
  for (const std::string line :
       {"tile at two: C1_1 in two: folds along rows", "tile at two: C1 in two: folds along rows",
        "tile at variance: C1 in variance", "tile at three: C1_2 in three: the rows that are",
        "tile at products: C1_1 in products: what is read for a row serves all lanes",
        "tile at scans: C1_1 in scans: each fold is that of the element before",
        "tile at place: C1 in place", "tile at whole: C1_1 in whole"}) {
    EXPECT_NE(told.out.find(line), std::string::npos) << line << "\n" << told.out;
  }
  const Outcome off = rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--schedule", "off"});
  EXPECT_EQ(off.out.find("C1_1"), std::string::npos) << off.out;
}

}  // namespace
}  // namespace rhopsi::exec
