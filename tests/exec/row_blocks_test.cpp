// Sweeps that go through their rows by turns: bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// `layers` normalises rows and keeps a copy of what comes in; `soft` the last axis of three;
// `within` is repeated in a loop.
const char* const text_of_turns =
    "package turns imports moa.library;\n"
    "program Turns = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure layers(upd x: Array, obs g: Array, out y: Array) guard dim(x) == 2 &&\n"
    "      shape(g) == [at(shape(x), 1)] {\n"
    "    y = x;\n"
    "    var n: Number = convert(at(shape(x), 1));\n"
    "    var m = sum(x, 1) * array(1.0 / (1.0 + n));\n"
    "    var d: Array = forall (p < shape(x)) (psi(p, x) - psi(take(p, 1), m));\n"
    "    var v = sum(d * d, 1) * array(1.0 / (1.0 + n));\n"
    "    x = forall (p < shape(x)) (psi(drop(p, 1), g) *\n"
    "      (psi(p, d) / sqrt(psi(take(p, 1), v) + 0.00001)));\n"
    "  };\n"
    "  procedure soft(upd x: Array) guard dim(x) == 3 && 0 < at(shape(x), 2) {\n"
    "    var m = maximum(x, 2);\n"
    "    var e: Array = forall (p < shape(x)) (exp(psi(p, x) - psi(take(p, 2), m)));\n"
    "    var s = sum(e, 2);\n"
    "    x = forall (p < shape(x)) (psi(p, e) / psi(take(p, 2), s));\n"
    "  };\n"
    "  procedure within(upd x: Array, obs n: Int) guard dim(x) == 2 {\n"
    "    for k in 0 .. n {\n"
    "      var s = sum(x * x, 1);\n"
    "      x = forall (p < shape(x)) (psi(p, x) / (1.0 + psi(take(p, 1), s)));\n"
    "    };\n"
    "  };\n"
    "};\n";

class RowTurns : public testing::Test {
 protected:
  void compare(const std::string& entry, const std::string& result, const Words& more) const {
    Words words = {"run", file, "-I", source(""), "-p", "Turns", "--entry", entry, "--repeat", "2"};
    words.insert(words.end(), more.begin(), more.end());
    (void)compared(folder, words, result);
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }

  const Folder folder;
  const std::string file = folder.write("turns.mg", text_of_turns);
};

// Arrays that the caches of cores do not hold and others; numbers of rows that are no multiples of
// what is done side by side; no rows, and rows without elements.
TEST_F(RowTurns, OfMatrices) {
  for (const Shape& n :
       std::vector<Shape>{{601, 301}, {17, 9001}, {5, 7}, {1, 1}, {0, 4}, {3, 0}}) {
    for (const char* const result : {"x", "y"}) {
      if (result[0] == 'x' || n[0] < 600)
        compare("layers", result, {"--in", input("x", n), "--in", input("g", {n[1]})});
    }
  }
}

TEST_F(RowTurns, InALoop) {
  for (const Shape& n : std::vector<Shape>{{4001, 33}, {9, 8}})
    compare("within", "x", {"--in", input("x", n), "--set", "n=2"});
}

TEST_F(RowTurns, OfArraysOfThreeAxes) {
  for (const Shape& n : std::vector<Shape>{{301, 7, 41}, {2, 3, 4}, {40, 0, 5}})
    compare("soft", "x", {"--in", input("x", n)});
}

}  // namespace
}  // namespace rhopsi::exec
