// Folds beside each other in an element, which are computed apart: emitted programs, strict and
// reassociating, beside the reference evaluator.
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

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

class SeparateFolds : public testing::Test {
 protected:
  // Builds it so that few elements are dealt out to threads.
  void build(const std::string& fast_math) {
    const Outcome emitted = rhopsi({"emit", file, "-p", "P", "--target", "openmp", "-o", target});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
    const Outcome configured =
        execute("cmake", {"-S", target, "-B", target + "/build", "-DRHOPSI_SERIAL_BELOW=64",
                          "-DRHOPSI_FAST_MATH=" + fast_math});
    ASSERT_EQ(configured.exit_code, 0) << configured.text();
    const Outcome made = execute("cmake", {"--build", target + "/build"});
    ASSERT_EQ(made.exit_code, 0) << made.text();
  }

  // C of an entry by the built program, or by the reference evaluator.
  std::string result(const std::string& entry, bool reference) {
    const std::string out = folder / (entry + (reference ? "-r.npy" : ".npy"));
    std::vector<std::string> words = {"--entry", entry, "--out", "C=" + out, "--quiet"};
    for (const std::string name : {"A", "B", "C"}) {
      if (name != "C" || entry == "place")
        words.insert(words.end(), {"--in", name + "=" + (folder / (name + ".npy"))});
    }
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "2";
    if (reference) words.insert(words.begin(), {"run", file, "-p", "P", "--backend", "reference"});
    const Outcome outcome =
        reference ? rhopsi(words) : execute(target + "/build/P", words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << entry << ": " << outcome.text();
    return out;
  }

  // How far an entry is from the reference at most; nothing where it has the same bits.
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
        const std::string what = entry + " of " + shape_option(a) + " and " + shape_option(b);
        const std::string made = result(entry, false), wanted = result(entry, true);
        if (off == 0 || entry == "whole") {
          EXPECT_TRUE(read(made) == read(wanted)) << what;
        } else {
          EXPECT_LE(difference(made, wanted), off) << what;
        }
      }
    }
  }

  const Folder folder;
  const std::string target = folder / "emitted";
  const std::string file = folder.write("folds.mg", separate_folds);
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
