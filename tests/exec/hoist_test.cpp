// What elements have in common, computed once: emitted programs, strict and reassociating, beside
// the reference evaluator.
#include "tests/exec/beside_reference.hpp"

namespace rhopsi::exec {
namespace {

const char* const common =
    "package common imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function at2(A: Array, i: Int, k: Int): Number\n"
    "    guard dim(A) == 2 && 0 <= i && i < at(shape(A), 0) && 0 <= k && k < at(shape(A), 1) =\n"
    "    psi([i, k], A) : Number;\n"
    "  function at1(x: Array, i: Int): Number\n"
    "    guard dim(x) == 1 && 0 <= i && i < at(shape(x), 0) = psi([i], x) : Number;\n"
    // Of rows, and of columns.
    "  procedure shares(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 {\n"
    "    C = forall (p < shape(A)) (psi(p, A) : Number) /\n"
    "      (3.0 + fold _+_ (k < at(shape(A), 1)) abs(at2(A, at(p, 0), k)));\n"
    "  };\n"
    "  procedure centred(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 {\n"
    "    C = forall (p < shape(A)) (psi(p, A) : Number) -\n"
    "      (fold _+_ (k < at(shape(A), 1)) at2(A, at(p, 0), k)) -\n"
    "      0.5 * (fold max (k < at(shape(A), 0)) at2(A, k, at(p, 1)));\n"
    "  };\n"
    // Of the steps of a fold.
    "  procedure chain(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && shape(x) == [at(shape(A), 1)] {\n"
    "    C = forall (p < [at(shape(A), 1)]) fold _+_ (k < at(shape(A), 0)) (at2(A, k, at(p, 0)) *\n"
    "      (fold _+_ (l < at(shape(A), 1)) (at2(A, k, l) * at1(x, l))));\n"
    "  };\n"
    // Functions of columns, and of steps.
    "  procedure pairs(obs A: Array, obs x: Array, out C: Array) guard dim(A) == 2 && dim(x) == 1 "
    "{\n"
    "    C = forall (p < [at(shape(A), 0), at(shape(x), 0)])\n"
    "      cos(convert(at(p, 0))) * exp(at1(x, at(p, 1)));\n"
    "  };\n"
    "  procedure weights(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && shape(x) == [at(shape(A), 1)] {\n"
    "    C = forall (p < [at(shape(A), 0)]) fold _+_ (k < at(shape(A), 1))\n"
    "      (at2(A, at(p, 0), k) * exp(at1(x, k)));\n"
    "  };\n"
    // Of fewer elements than an axis has, or none.
    "  procedure fewer(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && shape(x) == [at(shape(A), 1)] {\n"
    "    C = forall (p < [at(shape(A), 0)]) fold _+_ (k < at(shape(A), 1) - 2)\n"
    "      (at2(A, at(p, 0), k + 1) * exp(at1(x, k)));\n"
    "  };\n"
    "  procedure edges(obs A: Array, obs x: Array, out C: Array) guard dim(A) == 2 && dim(x) == 1 "
    "{\n"
    "    C = forall (p < shape(A)) if at(p, 0) + 1 < at(shape(A), 0) then\n"
    "      (psi(p, A) : Number) * (fold _+_ (k < at(shape(A), 1)) at2(A, at(p, 0) + 1, k))\n"
    "    else psi(p, A) : Number;\n"
    "  };\n"
    // A function of a column and a step alone, which is an operand of a product.
    "  procedure waves(obs A: Array, obs x: Array, out C: Array) guard dim(A) == 2 && dim(x) == 1 "
    "{\n"
    "    C = forall (p < shape(A)) fold _+_ (k < at(shape(A), 1))\n"
    "      (at2(A, at(p, 0), k) * cos(convert(k) * convert(at(p, 1) + 1)));\n"
    "  };\n"
    // A root that a fold needs in each step, and none where it has none.
    "  procedure roots(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 {\n"
    "    C = forall (p < [at(shape(x), 0)]) sqrt(abs(at1(x, at(p, 0)))) + fold _+_\n"
    "      (k < at(shape(A), 1)) (sqrt(abs(at1(x, at(p, 0)))) * convert(k));\n"
    "  };\n"
    // As long as the index says.
    "  procedure lengths(obs A: Array, obs x: Array, out C: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 {\n"
    "    C = forall (p < shape(A)) (psi(p, A) : Number) -\n"
    "      (fold _+_ (k < at(p, 0)) at2(A, k, 0));\n"
    "  };\n"
    // In the place of what it reads.
    "  procedure place(obs A: Array, obs x: Array, upd C: Array)\n"
    "    guard dim(A) == 2 && dim(x) == 1 && shape(C) == shape(A) {\n"
    "    C = forall (p < shape(C)) (psi(p, C) : Number) *\n"
    "      (fold _+_ (k < at(shape(A), 1)) at2(A, at(p, 0), k)) +\n"
    "      (fold min (k < at(shape(C), 1)) at2(C, at(p, 0), k));\n"
    "  };\n"
    // Three axes, one of them left out.
    "  procedure planes(obs A: Array, obs x: Array, out C: Array) guard dim(A) == 2 && dim(x) == 1 "
    "{\n"
    "    C = forall (p < [at(shape(A), 0), at(shape(x), 0), at(shape(A), 1)])\n"
    "      at1(x, at(p, 1)) + (fold _*_ (k < 9) (0.9 + at2(A, at(p, 0), at(p, 2)) * convert(k)));\n"
    "  };\n"
    "};\n";

const std::vector<std::string> entries = {"shares",  "centred", "chain",   "pairs",
                                          "weights", "roots",   "lengths", "place",
                                          "planes",  "waves",   "fewer",   "edges"};

class Hoisted : public BesideReference {
 protected:
  Hoisted() : BesideReference("common", common) {}

  void compare(double off) {
    for (const Shape& shape : {Shape{1, 1}, {3, 0}, {0, 4}, {17, 1}, {2, 300}, {70, 9}, {33, 64}}) {
      random_field(folder, "A", shape, 1);
      random_field(folder, "x", {shape[1]}, 2);
      random_field(folder, "C", shape, 3);
      for (const std::string& entry : entries) {
        // It reads the first column.
        if (entry == "lengths" && shape[1] == 0) continue;
        std::vector<std::string> arrays = {"A", "x"};
        if (entry == "place") arrays.push_back("C");
        BesideReference::compare(entry, arrays, off, shape_option(shape));
      }
    }
  }
};

TEST_F(Hoisted, StrictProgramsKeepEveryBit) {
  ASSERT_NO_FATAL_FAILURE(build("OFF"));
  compare(0);
}

// Of some hundred numbers below 3, and products of them.
TEST_F(Hoisted, ReassociatingOnesAreClose) {
  ASSERT_NO_FATAL_FAILURE(build("ON"));
  compare(1e-9);
}

TEST_F(Hoisted, IsExplained) {
  const Outcome told = rhopsi({"explain", file, "-p", "P", "--schedule"});
  ASSERT_EQ(told.exit_code, 0) << told.text();
  for (const std::string line :
       {"taken at shares: C1: the fold x1 for each j => an array over i",
        "for each i => an array over j", "taken at chain: C1: the fold",
        "taken at pairs: C1: `exp(x[j])` for each i => an array over j\n     it is the same for "
        "all i",
        "taken at weights: C1: `exp(x[k])`",
        "taken at planes: C1: the fold x1 for each j => an array over i, k",
        "tile at shares: C1_i in shares: folds along rows",
        "tile at waves: C1 in waves: what is read for a row serves all lanes"}) {
    EXPECT_NE(told.out.find(line), std::string::npos) << line << "\n" << told.out;
  }
  const Outcome off = rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--schedule", "off"});
  EXPECT_EQ(off.out.find("C1_i"), std::string::npos) << off.out;
}

// It is a step as others are: of the function that it is on, and taken where a recipe has it.
TEST_F(Hoisted, IsAStepOfARecipe) {
  const std::string recipes = with_schedules(
      "schedule without for P = { drop; fuse; in_place; bind; };\n"
      "schedule rows for P on shares = { require hoist; };\n"
      "schedule folds for P on edges = { require hoist; };\n");
  const Outcome without = scheduled(recipes, "without");
  EXPECT_EQ(without.exit_code, 0) << without.text();
  EXPECT_EQ(without.out.find("C1_i"), std::string::npos) << without.out;
  const Outcome rows = scheduled(recipes, "rows");
  EXPECT_EQ(rows.exit_code, 0) << rows.text();
  EXPECT_NE(rows.out.find("C1_i"), std::string::npos) << rows.out;
  EXPECT_EQ(rows.out.find("C1_j"), std::string::npos) << rows.out;
  // Only some elements read it there.
  const Outcome folds = scheduled(recipes, "folds");
  EXPECT_EQ(folds.exit_code, 1) << folds.text();
  EXPECT_NE(folds.text().find("E0535"), std::string::npos) << folds.text();
  const Outcome checked = scheduled(recipes, "rows", {"--checked"});
  EXPECT_EQ(checked.exit_code, 1) << checked.text();
  EXPECT_NE(checked.text().find("tells each access where it is written"), std::string::npos)
      << checked.text();
}

}  // namespace
}  // namespace rhopsi::exec
