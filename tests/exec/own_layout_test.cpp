// Copies in rows along vectors, and in blocks: emitted programs, strict and reassociating, beside
// the reference evaluator.
#include "tests/exec/beside_reference.hpp"

namespace rhopsi::exec {
namespace {

const char* const across =
    "package across imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function at2(A: Array, i: Int, k: Int): Number\n"
    "    guard dim(A) == 2 && 0 <= i && i < at(shape(A), 0) && 0 <= k && k < at(shape(A), 1) =\n"
    "    psi([i, k], A) : Number;\n"
    "  function at1(x: Array, i: Int): Number\n"
    "    guard dim(x) == 1 && 0 <= i && i < at(shape(x), 0) = psi([i], x) : Number;\n"
    "  procedure nearest(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [at(shape(A), 0)]) fold min (j < at(shape(B), 0))\n"
    "      (fold _+_ (d < at(shape(A), 1)) abs(at2(A, at(p, 0), d) - at2(B, j, d)));\n"
    "  };\n"
    // The last row of steps may be none.
    "  procedure fewer(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [at(shape(A), 0)]) fold _+_ (j < at(shape(B), 0))\n"
    "      (fold _+_ (d < at(shape(A), 1) - 2) (at2(A, at(p, 0), d + 1) * at2(B, j, d)));\n"
    "  };\n"
    // Several folds, each in an array of its own, and three axes.
    "  procedure both(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [2, at(shape(A), 0)]) (fold _+_ (j < at(shape(B), 0))\n"
    "      (fold _+_ (d < at(shape(A), 1)) (at2(A, at(p, 1), d) * at2(B, j, d)))) *\n"
    "      (fold max (j < at(shape(B), 0)) (fold _+_ (d < at(shape(A), 1))\n"
    "      (at2(A, at(p, 1), d) - at2(B, j, d)))) + convert(at(p, 0));\n"
    "  };\n"
    "  procedure bodies(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [at(shape(A), 0), 3]) fold _+_ (j < at(shape(B), 0))\n"
    "      (convert(at(p, 1) + 1) / (0.1 + fold _+_ (d < at(shape(A), 1))\n"
    "        abs(at2(B, j, d) - at2(A, at(p, 0), d))));\n"
    "  };\n"
    // All rows have everything in common but a number.
    "  procedure common(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && 2 <= at(shape(A), 0) && 3 <= at(shape(A), 1) {\n"
    "    C = forall (p < [4, at(shape(A), 1) - 2]) (convert(at(p, 0)) *\n"
    "      (fold _+_ (j < 3) (fold max (d < 2) at2(A, d, at(p, 1) + j))));\n"
    "  };\n"
    // All but the last element, of which there may be none.
    "  procedure ends(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [at(shape(A), 0)]) if at(p, 0) + 1 < at(shape(A), 0) then\n"
    "      fold _+_ (j < at(shape(B), 0)) (fold _+_ (d < at(shape(A), 1))\n"
    "        (at2(A, at(p, 0) + 1, d) * at2(B, j, d))) else 0.0;\n"
    "  };\n"
    // What is chosen element by element.
    "  procedure chosen(obs A: Array, obs B: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && at(shape(A), 1) == at(shape(B), 1) {\n"
    "    C = forall (p < [at(shape(A), 0)]) fold _+_ (j < at(shape(B), 0))\n"
    "      (fold max (d < at(shape(A), 1)) (if at2(A, at(p, 0), d) < at2(B, j, d) then\n"
    "        sqrt(abs(at2(A, at(p, 0), d))) else 0.0 - at2(B, j, d)));\n"
    "  };\n"
    "};\n";

const std::vector<std::string> procedures = {"nearest", "fewer", "both",  "bodies",
                                             "common",  "ends",  "chosen"};

class Across : public BesideReference {
 protected:
  Across() : BesideReference("across", across) {}

  // Around the widths of vectors, tiles and blocks.
  void compare(double off) {
    for (const Shape& shape :
         {Shape{1, 1}, {3, 0}, {0, 4}, {7, 3}, {63, 2}, {64, 5}, {65, 1}, {200, 17}}) {
      random_field(folder, "A", shape, 1);
      for (const std::int64_t rows : {0, 15, 40}) {
        random_field(folder, "B", {rows, shape[1]}, 2);
        for (const std::string& entry : procedures) {
          // Extremes of none are infinite: their products are no numbers, and they differ by none.
          if (rows == 0 && (entry == "both" || (entry == "nearest" && off > 0))) continue;
          if (entry == "chosen" && shape[1] == 0) continue;
          if (entry == "common" && (shape[0] < 2 || shape[1] < 3)) continue;
          BesideReference::compare(entry, {"A", "B"}, off,
                                   shape_option(shape) + " and " + std::to_string(rows));
        }
      }
    }
  }
};

TEST_F(Across, StrictProgramsKeepEveryBit) {
  ASSERT_NO_FATAL_FAILURE(build("OFF"));
  compare(0);
}

// Of some hundred numbers below 3, and products of them.
TEST_F(Across, ReassociatingOnesAreClose) {
  ASSERT_NO_FATAL_FAILURE(build("ON"));
  compare(1e-9);
}

TEST_F(Across, IsExplained) {
  const Outcome told = rhopsi({"explain", file, "-p", "P", "--schedule"});
  ASSERT_EQ(told.exit_code, 0) << told.text();
  for (const std::string line :
       {"taken at nearest: C1: A[i, d], from row to row along i => A_di, in rows along i",
        "taken at bodies: C1: C1 in rows of 3 => C1_ji, and a copy",
        "the folds of neighbours go on in registers, A_di in blocks of 8"}) {
    EXPECT_NE(told.out.find(line), std::string::npos) << line << "\n" << told.out;
  }
  const Outcome off = rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--schedule", "off"});
  EXPECT_EQ(off.out.find("A_di"), std::string::npos) << off.out;
  const Outcome full =
      rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--schedule", "full"});
  EXPECT_EQ(full.out.find("A_di"), std::string::npos) << full.out;
}

// On a device neighbouring threads read it side by side; blocks are for vectors.
TEST_F(Across, DevicesHaveNoBlocks) {
  const Outcome device =
      rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--target", "cuda"});
  ASSERT_EQ(device.exit_code, 0) << device.text();
  EXPECT_NE(device.out.find("allocate A_di"), std::string::npos) << device.out;
  EXPECT_EQ(device.out.find("in blocks"), std::string::npos) << device.out;
}

TEST_F(Across, IsAStepOfARecipe) {
  const std::string recipes = with_schedules(
      "schedule one for P on nearest = { require layout; };\n"
      "schedule ordered for P on nearest = { require layout(order = 10); };\n");
  const Outcome one = scheduled(recipes, "one");
  EXPECT_EQ(one.exit_code, 0) << one.text();
  EXPECT_NE(one.out.find("nearest: A_di"), std::string::npos) << one.out;
  EXPECT_EQ(one.out.find("fewer: A_di"), std::string::npos) << one.out;
  for (const Outcome& refused :
       {scheduled(recipes, "ordered"), scheduled(recipes, "one", {"--checked"})}) {
    EXPECT_EQ(refused.exit_code, 1) << refused.text();
    EXPECT_NE(refused.text().find("E0535"), std::string::npos) << refused.text();
  }
}

}  // namespace
}  // namespace rhopsi::exec
