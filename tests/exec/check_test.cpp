#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

TEST(Check, TheSpecificationsAndTheLibraryAreClean) {
  const Outcome outcome =
      rhopsi({"check", source("rules"), source("specs"), "-I", source("rules")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out, "");
}

TEST(Check, SeveralMistakesInOneRun) {
  const Folder folder;
  const std::string file = folder.write("two.mg",
                                        "package two;\n"
                                        "concept A = { use Missing; };\n"
                                        "concept B = { function f(x: Nowhere): Nowhere; };\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("two.mg:2:"), std::string::npos) << outcome.text();
  EXPECT_NE(outcome.err.find("two.mg:3:"), std::string::npos) << outcome.text();
}

// What is wrong whatever the arrays are.
TEST(Check, ShapesThatNeverFit) {
  const Folder folder;
  const std::string begin =
      "package shapes imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure join(upd u: Array, obs v: Array) guard dim(u) == 2 && dim(v) == 2 &&\n"
      "    at(shape(u), 1) == 3 && at(shape(v), 1) == ";
  const std::string end =
      " {\n"
      "    u = 2 * u;\n"
      "    u = cat(u, v, 0);\n"
      "  };\n"
      "  procedure any(upd u: Array) { u = u + u; };\n"
      "};\n";
  const Outcome wrong = rhopsi({"check", folder.write("shapes.mg", begin + "4" + end)});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.text();
  EXPECT_NE(wrong.err.find("shapes.mg:7:"), std::string::npos) << wrong.text();
  EXPECT_NE(wrong.err.find("error[E0608]: cat on axis 0 needs equal lengths on axis 1: 3 and 4"),
            std::string::npos)
      << wrong.text();
  const Outcome right = rhopsi({"check", folder.write("shapes.mg", begin + "3" + end)});
  EXPECT_EQ(right.exit_code, 0) << right.text();
  EXPECT_EQ(right.err, "") << right.text();
}

// In the functions of the file too: those with a body, and those that an axiom gives one.
TEST(Check, FunctionsWhoseShapesNeverFit) {
  const Folder folder;
  const std::string file =
      folder.write("shapes.mg",
                   "package shapes imports moa.library;\n"
                   "concept Own = {\n"
                   "  use Expressions;\n"
                   "  function turned(A: Array): Array guard dim(A) == 2;\n"
                   "  axiom turnedDefinition(A: Array) { assert turned(A) == reverse(A, 2); }\n"
                   "};\n"
                   "program P = implement Own in {\n"
                   "  use Own;\n"
                   "  function open(u: Array): Array = rotate(u, 2, 1);\n"
                   "  function sum(u: Array, v: Array): Array\n"
                   "    guard shape(u) == [3, 4] && shape(v) == [4, 3] = u + v;\n"
                   "  function right(u: Array): Array guard dim(u) == 2 = rotate(u, 1, 1);\n"
                   "  procedure go(upd u: Array) guard dim(u) == 2 { u = turned(right(u)); };\n"
                   "};\n");
  const Outcome wrong = rhopsi({"check", file});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.text();
  EXPECT_NE(wrong.err.find("shapes.mg:5:58: error[E0608]: reverse on axis 2 needs"),
            std::string::npos)
      << wrong.text();
  EXPECT_NE(wrong.err.find("shapes.mg:11:54: error[E0608]: _+_ needs equal lengths on axis 0: 3 "
                           "and 4"),
            std::string::npos)
      << wrong.text();
  EXPECT_NE(wrong.err.find("\n2 errors\n"), std::string::npos) << wrong.text();
}

// In all procedures, and in one after what is wrong, as far as it does not depend on that.
TEST(Check, AllShapesThatNeverFit) {
  const Folder folder;
  const std::string file = folder.write(
      "shapes.mg",
      "package shapes imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure zeroth(upd u: Array) guard dim(u) == 1 { u = reverse(u, 1); };\n"
      "  procedure first(obs a: Array, out b: Array) guard shape(a) == [3, 4] {\n"
      "    b = take(a, 0, 4);\n"
      "    b = take(b, 0, 7);\n"
      "    b = a;\n"
      "    for k in 0 .. 2 { b = take(a, 1, 5); };\n"
      "    b = reshape(a, [2, 6]);\n"
      "    b = a + b;\n"
      "  };\n"
      "  procedure any(upd u: Array) { call zeroth(u); };\n"
      "  procedure second(upd u: Array) guard dim(u) == 1 { u = u + u; call zeroth(u); };\n"
      "};\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  std::size_t from = 0;
  for (const std::string place :
       {"shapes.mg:4:58: error[E0608]: reverse on axis 1 needs `axis < dim(A)`: 1 and 1",
        "shapes.mg:6:9: error[E0608]: take on axis 0 needs", "shapes.mg:9:27: error[E0608]",
        "shapes.mg:11:9: error[E0608]: _+_ needs equal lengths on axis 0: 3 and 2"}) {
    const std::size_t found = outcome.err.find(place, from);
    EXPECT_NE(found, std::string::npos) << place << "\n" << outcome.text();
    from = found == std::string::npos ? from : found;
  }
  const auto object = nlohmann::json::parse(rhopsi({"check", "--json", file}).out);
  EXPECT_EQ(object.at("errors"), 4) << outcome.text();
}

// What the rounds of a loop make of its own arrays.
TEST(Check, LoopsWhoseRoundsNeverFit) {
  const Folder folder;
  const std::string file = folder.write(
      "shapes.mg",
      "package shapes imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure first(upd u: Array) guard shape(u) == [8] {\n"
      "    for i in 0 .. 3 { u = u + take(u, 0, 5); };\n"
      "  };\n"
      "  procedure third(upd u: Array) guard shape(u) == [8] {\n"
      "    for i in 0 .. 3 { u = drop(u, 0, 3); };\n"
      "  };\n"
      "  procedure other(upd u: Array, upd v: Array) guard shape(u) == [8] && shape(v) == [8] {\n"
      "    for i in 0 .. 3 { u = cat(u, u, 0); v = v + u; };\n"
      "  };\n"
      "  procedure open(upd u: Array, obs n: Int) guard shape(u) == [8] {\n"
      "    for i in 0 .. n { u = u + take(u, 0, 5); };\n"
      "  };\n"
      "  procedure again(upd u: Array) guard shape(u) == [8] {\n"
      "    while at(shape(u), 0) > 1 bound 9 { u = drop(u, 0, 3); };\n"
      "  };\n"
      "  procedure cut(upd u: Array) guard dim(u) == 1 { u = drop(u, 0, 3); };\n"
      "  procedure called(upd u: Array) guard shape(u) == [8] { iterate 3 cut(u); };\n"
      "  procedure nested(upd u: Array, upd v: Array) guard shape(u) == [8] && shape(v) == [5] {\n"
      "    for i in 0 .. 3 {\n"
      "      for k in 0 .. 2 { v = v + u; };\n"
      "      u = take(u, 0, 5);\n"
      "    };\n"
      "  };\n"
      "  procedure counted(obs u: Array, out v: Array) guard shape(u) == [8] {\n"
      "    v = u;\n"
      "    for i in 0 .. 3 { v = take(u, 0, 7 + i); };\n"
      "  };\n"
      "};\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  for (const std::string line :
       {"shapes.mg:5:27: error[E0608]: _+_ needs equal lengths on axis 0: 8 and 5\n",
        "shapes.mg:8:27: error[E0608]: drop on axis 0 needs `abs(k) <= at(shape(A), axis)`: 3 and "
        "2 (in round 3 of the loop)\n",
        "shapes.mg:11:45: error[E0608]: _+_ needs equal lengths on axis 0: 8 and 16\n",
        "shapes.mg:14:27: error[E0608]: _+_ needs equal lengths on axis 0: 8 and 5\n",
        "shapes.mg:17:45: error[E0608]", "shapes.mg:19:55: error[E0608]",
        "shapes.mg:23:29: error[E0608]: _+_ needs equal lengths on axis 0: 5 and 8\n",
        "shapes.mg:29:27: error[E0608]", "\n8 errors\n"}) {
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\n" << outcome.text();
  }
}

// No round fails that runs: what a condition on elements or on the run's numbers leaves out is not
// known.
TEST(Check, LoopsWhoseRoundsMayFit) {
  const Folder folder;
  const std::string file = folder.write(
      "shapes.mg",
      "package shapes imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure doubled(upd u: Array) guard shape(u) == [2] {\n"
      "    for i in 0 .. 3 { u = cat(u, u, 0); };\n"
      "  };\n"
      "  procedure grow(upd u: Array) guard dim(u) == 1 { u = u + take(u, 0, 5); };\n"
      "  procedure never(upd u: Array) guard shape(u) == [8] {\n"
      "    for i in 0 .. 0 { u = u + take(u, 0, 5); };\n"
      "    for i in 3 .. at(shape(u), 0) - 5 { u = u + take(u, 0, 5); };\n"
      "    while at(shape(u), 0) < 5 bound 9 { u = u + take(u, 0, 5); };\n"
      "    iterate 0 grow(u);\n"
      "  };\n"
      "  procedure later(upd u: Array, upd v: Array) guard shape(u) == [8] && shape(v) == [5] {\n"
      "    var k: Int = 0;\n"
      "    for i in 0 .. 3 {\n"
      "      if k > 0 then { v = v + u; } else { skip; };\n"
      "      if i == 0 then { skip; } else { v = v + u; };\n"
      "      u = take(u, 0, 5);\n"
      "      k = k + 1;\n"
      "    };\n"
      "  };\n"
      "  procedure asked(upd u: Array, upd v: Array) guard shape(u) == [8] && shape(v) == [5] {\n"
      "    for i in 0 .. 3 {\n"
      "      if (psi([0], u): Number) == 7 then { v = v + u; } else { skip; };\n"
      "      u = take(u, 0, 5);\n"
      "    };\n"
      "  };\n"
      "  procedure inner(upd u: Array, upd v: Array, obs n: Int)\n"
      "    guard shape(u) == [8] && shape(v) == [5] {\n"
      "    for i in 0 .. 3 {\n"
      "      for k in 0 .. n * i { v = v + u; };\n"
      "      for k in i .. n { v = v + u; };\n"
      "      u = take(u, 0, 5);\n"
      "    };\n"
      "  };\n"
      "  procedure shorter(upd u: Array) guard shape(u) == [8] {\n"
      "    while at(shape(u), 0) > 4 bound 9 { u = drop(u, 0, 3); };\n"
      "    for i in 0 .. 2 { u = drop(u, 0, 1); };\n"
      "  };\n"
      "};\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.err, "");
}

// What the rounds that certainly run have come to is known behind them; where nothing but the
// loop's own variable changes they are followed too.
TEST(Check, WhatRoundsLeaveBehind) {
  const Folder folder;
  std::string procedures;
  for (const std::string body :
       {"for i in 0 .. 1 { w = drop(v, 0, 3); }; v = w + v;",
        "for i in 0 .. 100 { w = drop(v, 0, 3); }; v = w + v;",
        "for i in 0 .. 2 { for k in 0 .. 2 { w = drop(w, 0, 1); }; }; v = w + v;",
        "iterate 2 call cut(w); v = w + v;", "for i in 0 .. 5 { n = n + 2; }; v = drop(v, 0, n);",
        "while n < 6 bound 100 { n = n + 2; }; v = drop(v, 0, n + 3);",
        "for i in 0 .. 30 { w = drop(v, 0, 5); n = n + 1; }; v = drop(w, 0, 4);",
        "for i in 0 .. 10 { w = drop(v, 0, i); }; v = v + v;",
        "for i in 0 .. 9 { v = update(v, [i], [1], [1], [7]); };",
        "for i in 5 .. 9 { w = gather(v, 0, [0, i]); };",
        "for i in 0 .. 9 { w = psi([8 - i], v); };"}) {
    procedures += "  procedure p(upd v: Array) guard shape(v) == [8] {\n" +
                  std::string("    var w: Array = v; var n: Int = 0;\n    ") + body + "\n  };\n";
  }
  const auto programs = [&](const std::string& text) {
    std::string all = "package shapes imports moa.library;\n";
    std::size_t number = 0;
    for (std::size_t from = 0; from < text.size(); ++number) {
      const std::size_t end = text.find("  };\n", from) + 5;
      all += "program P" + std::to_string(number) +
             " = implement Expressions in {\n  use Expressions;\n"
             "  procedure cut(upd u: Array) guard dim(u) == 1 { u = drop(u, 0, 1); };\n" +
             text.substr(from, end - from) + "};\n";
      from = end;
    }
    return all;
  };
  const Outcome outcome = rhopsi({"check", folder.write("shapes.mg", programs(procedures))});
  EXPECT_TRUE(outcome.err.ends_with("\n11 errors\n")) << outcome.text();
  // What may not run, or is not followed to its end, says nothing.
  const std::string open =
      "  procedure p(upd v: Array, obs n: Int) guard shape(v) == [8] {\n"
      "    var w: Array = v; var m: Int = 0;\n"
      "    for i in 0 .. n { w = drop(v, 0, 3); m = m + 9; };\n"
      "    w = w + v;\n"
      "    for i in 0 .. 40 { m = m + 1; };\n"
      "    w = drop(v, 0, m);\n"
      "    for i in 0 .. 3 { if n > i then { w = v; } else { w = drop(v, 0, i); }; };\n"
      "    w = w + v;\n"
      "    for i in 0 .. 3 { for j in 0 .. 3 { for k in 0 .. 3 { w = take(v, 0, i + j + k); }; }; "
      "};\n"
      "    v = v + cat(w, [1, 2], 0);\n"
      "  };\n";
  const Outcome fine = rhopsi({"check", folder.write("shapes.mg", programs(open))});
  EXPECT_EQ(fine.exit_code, 0) << fine.text();
}

// Lists in variables, as long as they are constants.
TEST(Check, ListsInVariables) {
  const Folder folder;
  const std::string file = folder.write("lists.mg",
                                        "package lists imports moa.library;\n"
                                        "program P = implement Expressions in {\n"
                                        "  use Expressions;\n"
                                        "  procedure places(upd u: Array) guard shape(u) == [3] {\n"
                                        "    var v: Array = [0, 3];\n"
                                        "    u = gather(u, 0, v);\n"
                                        "  };\n"
                                        "  procedure mask(upd u: Array) guard shape(u) == [3] {\n"
                                        "    var v: Array = reverse([1, 0, 1, 1], 0);\n"
                                        "    u = compress(cat(u, [7], 0), 0, v);\n"
                                        "    u = u + [1, 2];\n"
                                        "  };\n"
                                        "  procedure fine(upd u: Array) guard shape(u) == [3] {\n"
                                        "    var v: Array = [2, 0, 2];\n"
                                        "    u = gather(u, 0, v);\n"
                                        "    for i in 0 .. 3 { v = reverse(v, 0) - 1; };\n"
                                        "    u = gather(u, 0, v);\n"
                                        "    v = [1, 0, 1, 0];\n"
                                        "    u = expand(gather(u, 0, [0, 1]), 0, v);\n"
                                        "  };\n"
                                        "};\n");
  const Outcome outcome = rhopsi({"check", file});
  for (const std::string line :
       {"lists.mg:6:9: error[E0608]: gather on axis 0 needs `entry(v, m) < at(shape(A), axis)`: 3 "
        "and 3, where m = 1\n",
        "lists.mg:11:9: error[E0608]: _+_ needs equal lengths on axis 0: 3 and 2\n",
        "\n2 errors\n"}) {
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\n" << outcome.text();
  }
}

// Elements that are computed in any case, of numbers and of boxes that have some.
TEST(Check, ValuesThatNeverAre) {
  const Folder folder;
  const std::string file = folder.write(
      "values.mg",
      "package values imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure a(obs u: Array, out x: Number) guard dim(u) == 1 {\n"
      "    x = psi([at(shape(u), 0)], u);\n"
      "  };\n"
      "  procedure b(upd u: Array) guard shape(u) == [3] { u = drop(u, 0, 7 / (dim(u) - 1)); };\n"
      "  procedure c(upd u: Array) guard shape(u) == [3] {\n"
      "    u = forall (i < [3]) (psi([at(i, 0) + 1], u): Number);\n"
      "  };\n"
      "  procedure d(upd u: Array) guard shape(u) == [3] {\n"
      "    u = forall (i < [3]) (psi(i, [1, 2]): Number);\n"
      "  };\n"
      "  procedure e(upd u: Array) guard dim(u) == 1 {\n"
      "    u = forall (i < shape(u)) (psi([at(i, 0) + 1], u): Number);\n"
      "    u = forall (i < [3]) (if at(i, 0) > 2 then (psi([7], u): Number) else 1);\n"
      "  };\n"
      "  procedure stops(upd u: Array) guard shape(u) == [3] {\n"
      "    if forall (k < 50) ((psi([k], u): Number) == 7) then { u = u + u; } else { skip; };\n"
      "  };\n"
      "  function f(u: Array): Int guard dim(u) == 1 = 7 % (dim(u) - 1);\n"
      "};\n");
  const Outcome outcome = rhopsi({"check", file});
  for (const std::string line :
       {"values.mg:5:9: error[E0609]: the index shape(u)[0] is out of range on axis 0 of u",
        "values.mg:7:57: error[E0612]: division by zero: 7 / 0\n",
        "values.mg:9:9: error[E0609]: the index i + 1 is out of range on axis 0 of u, which has "
        "length 3, where i = 2\n",
        "values.mg:12:27: error[E0609]: the index i is out of range on axis 0 of an array of "
        "length 2\n",
        "values.mg:21:49: error[E0612]: division by zero: 7 % 0\n", "\n5 errors\n"}) {
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\n" << outcome.text();
  }
}

// Lists that are written out, of the elements that a program has.
TEST(Check, ListsThatNeverFit) {
  const Folder folder;
  std::string procedures;
  for (const auto& [length, value] : std::vector<std::pair<std::string, std::string>>{
           {"3", "gather(u, 0, [0, 3])"},
           {"3", "gather(u, 0, [0, 0 - 1])"},
           {"3", "gather(u, 0, [0, 1, 2, 0, 1, 2, 0, 1, 2, 3])"},
           {"3", "compress(u, 0, [1, 0])"},
           {"3", "compress(u, 0, [0, 2, 1])"},
           {"3", "expand(u, 0, [1, 0])"},
           {"3", "expand(u, 0, [0, 1, 1, 0, 1, 1, 0, 1, 1, 1])"},
           {"9", "u + compress(u, 0, [1, 1, 1, 0, 1, 1, 0, 1, 1])"},
           {"3", "gather(u, 0, [2, 0, 1, 2, 0, 1, 2, 0, 1])"},
           {"9",
            "expand(compress(u, 0, [1, 0, 1, 0, 1, 0, 1, 0, 1]), 0, [0, 1, 1, 1, 0, 1, 1])"}}) {
    procedures += "  procedure p" + std::to_string(procedures.size()) +
                  "(upd u: Array) guard shape(u) == [" + length + "] {\n    u = " + value +
                  ";\n  };\n";
  }
  const std::string file = folder.write("lists.mg",
                                        "package lists imports moa.library;\n"
                                        "program P = implement Expressions in {\n"
                                        "  use Expressions;\n" +
                                            procedures + "};\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  for (const std::string line :
       {"lists.mg:5:9: error[E0608]: gather on axis 0 needs `entry(v, m) < at(shape(A), axis)`: 3 "
        "and 3, where m = 1\n",
        "lists.mg:8:9: error[E0608]: gather on axis 0 needs `0 <= entry(v, m)`: 0 and -1, where m "
        "= 1\n",
        "lists.mg:11:9: error[E0608]: gather on axis 0 needs `entry(v, m) < at(shape(A), axis)`: 3 "
        "and 3, where m = 9\n",
        "lists.mg:14:9: error[E0608]: compress on axis 0 needs equal lengths on axis 0: 2 and 3\n",
        "lists.mg:17:9: error[E0608]: compress on axis 0 needs `psi([k], m) == 1`: 2.0 and 1.0, "
        "where k = 1\n",
        "lists.mg:20:9: error[E0608]: expand on axis 0 needs", "lists.mg:23:9: error[E0608]",
        "lists.mg:26:9: error[E0608]: _+_ needs equal lengths on axis 0: 9 and 7\n",
        "\n8 errors\n"}) {
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\n" << outcome.text();
  }
}

// The same twice, under other names, is one.
TEST(Check, AxiomsThatSayDifferently) {
  const Folder folder;
  const std::string begin =
      "package own imports moa.library, definitions.arrays, definitions.numbers, "
      "definitions.vectors;\n"
      "concept Own = {\n"
      "  use Numbers;\n"
      "  use Dimension[E => Number];\n"
      "  use VectorAlgebra;\n"
      "  function half(A: Array): Array guard dim(A) == 1;\n"
      "  axiom one(A: Array) { assert shape(half(A)) == [at(shape(A), 0) / 2]; }\n"
      "  axiom other(B: Array) { assert shape(half(B)) == ";
  const auto checked = [&](const std::string& shape) {
    return rhopsi({"check", folder.write("own.mg", begin + shape + "; }\n};\n")});
  };
  const Outcome same = checked("[at(shape(B), 0) / 2]");
  EXPECT_EQ(same.exit_code, 0) << same.text();
  EXPECT_EQ(same.err, "");
  const Outcome equal = checked("[at(shape(B), dim(B) - 1) / (1 + 1)]");
  EXPECT_EQ(equal.exit_code, 0) << equal.text();
  EXPECT_EQ(equal.err, "");
  const Outcome differ = checked("[at(shape(B), 0) / 2 + 1]");
  EXPECT_EQ(differ.exit_code, 0) << differ.text();
  EXPECT_NE(differ.err.find("own.mg:8:"), std::string::npos) << differ.text();
  EXPECT_NE(differ.err.find("warning[E0344]"), std::string::npos) << differ.text();
  EXPECT_NE(differ.err.find("own.mg:7:"), std::string::npos) << differ.text();
}

// One has a condition and the other one has none.
TEST(Check, ACaseThatContradictsADefinition) {
  const Folder folder;
  const auto checked = [&](const std::string& first, const std::string& second) {
    return rhopsi({"check", folder.write("cases.mg",
                                         "package cases imports definitions.arrays;\n"
                                         "concept C = {\n"
                                         "  use Integers;\n"
                                         "  function f(a: Int): Int;\n"
                                         "  axiom one(a: Int) { assert " +
                                             first +
                                             "; }\n"
                                             "  axiom two(a: Int) { assert " +
                                             second + "; }\n};\n")});
  };
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"f(a) == 0", "a <= 0 => f(a) == 1"}, {"a <= 0 => f(a) == 1", "f(a) == 0"}}) {
    const Outcome differ = checked(first, second);
    EXPECT_EQ(differ.exit_code, 0) << differ.text();
    EXPECT_NE(
        differ.err.find("warning[E0344]: two axioms say what f(a) is, and where the condition "
                        "of one holds, they could not be proved to say the same"),
        std::string::npos)
        << differ.text();
    EXPECT_NE(differ.err.find("cases.mg:5:"), std::string::npos) << differ.text();
    EXPECT_NE(differ.err.find("cases.mg:6:"), std::string::npos) << differ.text();
  }
  EXPECT_EQ(checked("f(a) == abs(a)", "0 <= a => f(a) == a").err, "");
  EXPECT_EQ(checked("f(a) == 0", "a < a => f(a) == 1").err, "");
  // A law, and no other definition.
  EXPECT_EQ(checked("0 <= a => f(a) == a", "f(a) == f(0 - a)").err, "");
}

// A program that cannot be made hides nothing of the others.
TEST(Check, ShapesBesideOtherMistakes) {
  const Folder folder;
  const auto checked = [&](const std::string& mistake) {
    return rhopsi({"check", folder.write("beside.mg",
                                         "package beside imports moa.library;\n" + mistake +
                                             "program B = implement Expressions in {\n"
                                             "  use Expressions;\n"
                                             "  procedure p(upd u: Array) guard shape(u) == [3] {\n"
                                             "    u = u + take(u, 0, 2);\n"
                                             "  };\n"
                                             "};\n")});
  };
  for (const auto& [mistake, code] : std::vector<std::pair<std::string, std::string>>{
           {"program A = implement Nowhere in { use Expressions; };\n", "2:23: error[E0301]"},
           {"program A = { use Expressions; procedure p() { foo(); }; };\n", "2:48: error[E0202]"},
           {"program A = { procedure p( { }; };\n", "2:26: error[E0106]"}}) {
    const Outcome outcome = checked(mistake);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find(code), std::string::npos) << outcome.text();
    EXPECT_NE(outcome.err.find("beside.mg:6:9: error[E0608]: _+_ needs equal lengths on axis 0: 3 "
                               "and 2"),
              std::string::npos)
        << outcome.text();
    EXPECT_NE(outcome.err.find("\n2 errors\n"), std::string::npos) << outcome.text();
  }
}

// No expression could have both, but the file alone may be what is wanted. An axiom about another
// operation has the name only.
TEST(Check, AxiomsThatTheLibraryHasOtherwise) {
  const Folder folder;
  const auto checked = [&](const std::string& axiom, const std::string& left) {
    return rhopsi(
        {"check", folder.write("own.mg",
                               "package own imports moa.library, definitions.arrays, "
                               "definitions.numbers, definitions.selection;\n"
                               "concept Own = {\n"
                               "  use Numbers;\n"
                               "  use signature(Gather)[E => Number];\n"
                               "  function half(A: Array): Array guard dim(A) == 1;\n"
                               "  axiom " +
                                   axiom + " { assert shape(" + left + ") == [2]; }\n};\n")});
  };
  const std::string parameters = "(A: Array, axis: Int, v: Array)";
  const Outcome clash = checked("gatherShape" + parameters, "gather(A, axis, v)");
  EXPECT_EQ(clash.exit_code, 0) << clash.text();
  EXPECT_NE(clash.err.find("own.mg:6:9: warning[E0321]: axiom `gatherShape` is declared twice"),
            std::string::npos)
      << clash.text();
  EXPECT_NE(clash.err.find("selection.mg:"), std::string::npos) << clash.text();
  EXPECT_EQ(checked("gatherShape" + parameters, "half(A)").err, "");
  EXPECT_EQ(checked("gatherShape(A: Array)", "half(A)").err, "");
  EXPECT_EQ(checked("halfShape(A: Array)", "half(A)").err, "");
}

// A mistake is told once, whichever programs of the file share it.
TEST(Check, OneMistakeOfSeveralPrograms) {
  const Folder folder;
  const Outcome wrong = rhopsi(
      {"check", folder.write("shared.mg",
                             "package shared imports moa.library;\n"
                             "program P = implement Expressions in {\n"
                             "  use Expressions;\n"
                             "  procedure p(upd u: Array) guard dim(u) == 1 && at(shape(u), 0) == 4"
                             " { u = u + take(u, 0, 9); };\n"
                             "};\n"
                             "program Q = { use P; };\n"
                             "program R = { use Q; };\n")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("shared.mg:4:"), std::string::npos) << wrong.text();
  EXPECT_NE(wrong.err.find("\n1 error\n"), std::string::npos) << wrong.text();
}

// A variable without a type has that of its value, which may be another than what is meant.
TEST(Check, ATypeThatIsLeftOut) {
  const Folder folder;
  const auto checked = [&](const std::string& declaration) {
    return rhopsi({"check", folder.write("typed.mg",
                                         "package typed imports moa.library;\n"
                                         "program P = implement Expressions in {\n"
                                         "  use Expressions;\n"
                                         "  procedure p(out u: Array) {\n"
                                         "    " +
                                             declaration +
                                             "\n    v = cat(v, v, 0);\n"
                                             "    u = v;\n  };\n};\n")});
  };
  const Outcome wrong = checked("var v = [1, 2, 3];");
  EXPECT_EQ(wrong.exit_code, 1);
  const std::string advice = "`var v: Array = ...` declares `v` as Array";
  const std::size_t first = wrong.err.find(advice);
  EXPECT_NE(first, std::string::npos) << wrong.text();
  EXPECT_NE(wrong.err.find(advice, first + 1), std::string::npos) << wrong.text();
  EXPECT_EQ(checked("var v: Array = [1, 2, 3];").err, "");
  // Where the type is stated, or the value can have no other, it is not the declaration's.
  EXPECT_EQ(checked("var v: Index = [1, 2, 3];").err.find("declares `v`"), std::string::npos);
  EXPECT_EQ(checked("var v = shape([1, 2]: Array);").err.find("declares `v`"), std::string::npos);
}

// A length that is negative whatever the arrays are.
TEST(Check, LengthsThatAreNegative) {
  const Folder folder;
  const Outcome wrong =
      rhopsi({"check", folder.write("lengths.mg",
                                    "package lengths imports moa.library;\n"
                                    "program P = implement Expressions in {\n"
                                    "  use Expressions;\n"
                                    "  procedure p(upd u: Array) guard dim(u) == 1 {\n"
                                    "    u = forall (i < ([0 - 2]: Index)) (psi(i, u): Number);\n"
                                    "  };\n"
                                    "};\n")});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.text();
  EXPECT_NE(wrong.err.find("lengths.mg:5:"), std::string::npos) << wrong.text();
  EXPECT_NE(wrong.err.find("error[E0611]"), std::string::npos) << wrong.text();
}

TEST(Check, JsonHoldsOneEntryPerFile) {
  const Folder folder;
  const std::string good = folder.write("good.mg", "package good;\nconcept A = { type T; };\n");
  const std::string bad = folder.write("bad.mg", "package bad;\nconcept A = { use Missing; };\n");
  const Outcome outcome = rhopsi({"check", "--json", good, bad});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  const auto object = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(object.at("files").size(), 2U);
  EXPECT_EQ(object.at("files")[0].at("path"), good);
  EXPECT_EQ(object.at("files")[0].at("errors"), 0);
  const auto& diagnostic = object.at("files")[1].at("diagnostics").at(0);
  EXPECT_EQ(diagnostic.at("severity"), "error");
  EXPECT_EQ(diagnostic.at("path"), bad);
  EXPECT_EQ(diagnostic.at("line"), 2);
}

TEST(Check, AFolderStandsForTheFilesBelow) {
  const Folder folder;
  folder.write("a/one.mg", "package a.one;\nconcept A = { type T; };\n");
  folder.write("a/b/two.mg", "package a.b.two;\nconcept A = { use Missing; };\n");
  folder.write(".hidden/three.mg", "nothing\n");
  const Outcome outcome = rhopsi({"check", folder.path().string()});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("two.mg:2:"), std::string::npos) << outcome.text();
  EXPECT_EQ(outcome.err.find("three.mg"), std::string::npos) << outcome.text();
}

TEST(Check, AMissingFileIsNamed) {
  const Outcome outcome = rhopsi({"check", "nowhere.mg"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("nowhere.mg"), std::string::npos) << outcome.text();
}

TEST(Check, BytesThatAreNotUtf8HaveAPlace) {
  const Folder folder;
  const std::string file =
      folder.write("bytes.mg", "package bytes;\n// \xff\xfe\nconcept A = {};\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("bytes.mg:2:4"), std::string::npos) << outcome.text();
}

TEST(Check, PackagesThatImportEachOther) {
  const Folder folder;
  const std::string file = folder.write("a.mg", "package a imports b;\nconcept A = { type T; };\n");
  folder.write("b.mg", "package b imports a;\nconcept B = { type T; };\n");
  const Outcome outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("E0404"), std::string::npos) << outcome.text();
}

TEST(Check, ImportsAreFoundByEveryPartOfTheSearchPath) {
  const Folder folder;
  const Folder library;
  library.write("lib/sets.mg", "package lib.sets;\nconcept Set = { type S; };\n");
  const std::string file =
      folder.write("user.mg", "package user imports lib.sets;\nconcept U = { use Set; };\n");
  EXPECT_EQ(rhopsi({"check", file}).exit_code, 1);
  EXPECT_EQ(rhopsi({"check", file, "-I", library.path().string()}).exit_code, 0);
  Conditions conditions;
  conditions.environment["RHOPSI_PATH"] = ":/nowhere:" + library.path().string();
  EXPECT_EQ(rhopsi({"check", file}, conditions).exit_code, 0);
}

TEST(CommandLine, MistakesAreExplained) {
  Outcome outcome = rhopsi({"chek"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("did you mean 'check'"), std::string::npos) << outcome.text();
  outcome = rhopsi({"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "--trac"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("--trace"), std::string::npos) << outcome.text();
  outcome = rhopsi({"rewrite", source("specs/smooth/smooth.mg")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("--program"), std::string::npos) << outcome.text();
  EXPECT_EQ(rhopsi({}).exit_code, 1);
}

TEST(CommandLine, HelpAndVersion) {
  Outcome outcome = rhopsi({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.rfind("rhopsi ", 0), 0U) << outcome.text();
  for (const std::string command : {"check", "rewrite", "emit", "run", "eval"}) {
    outcome = rhopsi({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_NE(outcome.out.find("Exit codes"), std::string::npos) << outcome.text();
  }
}

TEST(CommandLine, NoColourAwayFromATerminal) {
  const Outcome outcome = rhopsi({"check", "nowhere.mg"});
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace rhopsi::exec
