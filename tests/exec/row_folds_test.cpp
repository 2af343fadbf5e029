// Folds over all elements of arrays that are made beside them, which are folded row by row in the
// pass that makes the arrays: bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// What is folded goes into the arrays, so that they tell of it. `solve` goes on until little
// changes; `both` is of two axes or three, with a fold of what the last one has decided.
const char* const text_of_solvers =
    "package solvers imports moa.library;\n"
    "program Solvers = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function mean(u: Array): Array guard 0 < dim(u) =\n"
    "    array(0.5) * (rotate(u, 0, 1) + rotate(u, 0, -1));\n"
    "  procedure solve(upd u: Array, obs f: Array, obs tol: Number, obs most: Int, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) && 0 <= most {\n"
    "    var r: Number = 2.0 * tol;\n"
    "    var rounds: Int = 0;\n"
    "    while tol < r bound most {\n"
    "      var n = 0.5 * (mean(u) + rotate(u, 1, -1)) * f;\n"
    "      r = psi([], maximum(ravel(abs(n - u)), 0));\n"
    "      u = n;\n"
    "      rounds = rounds + 1;\n"
    "    };\n"
    "    c = array(r) + array(convert(rounds)) * f;\n"
    "  };\n"
    "  procedure relax(upd u: Array, obs f: Array, upd r: Number) guard dim(u) == 2 &&\n"
    "      shape(f) == shape(u) {\n"
    "    var n = mean(u) * f;\n"
    "    r = 0.5 * r + psi([], maximum(ravel(abs(n - u)), 0));\n"
    "    u = n;\n"
    "  };\n"
    "  procedure settle(upd u: Array, obs f: Array, obs tol: Number, obs most: Int, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) && 0 <= most {\n"
    "    var r: Number = 2.0;\n"
    "    while tol < r bound most { relax(u, f, r); };\n"
    "    c = array(r) + f;\n"
    "  };\n"
    "  procedure some(upd u: Array, obs f: Array, obs n: Int, upd r: Number, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) && 0 <= n {\n"
    "    var k: Int = 0;\n"
    "    while k < n bound 100 { relax(u, f, r); k = k + 1; };\n"
    "    c = array(r + convert(k)) + f;\n"
    "  };\n"
    "  procedure given(upd u: Array, obs f: Array, obs n: Int, upd r: Number, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) {\n"
    "    var dt: Number;\n"
    "    var t: Number = 0.0;\n"
    "    while r < 2.0 bound n {\n"
    "      if t < 0.35 then { dt = 0.1; } else { dt = 0.05; };\n"
    "      t = t + dt;\n"
    "      var m = mean(u) + array(dt) * f;\n"
    "      r = r + psi([], maximum(ravel(abs(m - u)), 0));\n"
    "      u = m;\n"
    "    };\n"
    "    c = array(r + t) + f;\n"
    "  };\n"
    "  procedure tested(upd u: Array, obs f: Array, obs n: Int, obs z: Int, upd r: Number,\n"
    "      out c: Array) guard dim(u) == 2 && shape(f) == shape(u) {\n"
    "    var h: Int = 0;\n"
    "    for k in z .. n {\n"
    "      assert r < 1.5;\n"
    "      h = h + 100 / z;\n"
    "      var m = mean(u) + f;\n"
    "      r = r + psi([], maximum(ravel(abs(m - u)), 0));\n"
    "      u = m;\n"
    "    };\n"
    "    c = array(r + convert(h)) + f;\n"
    "  };\n"
    "  procedure watched(upd u: Array, obs f: Array, obs n: Int, upd r: Number, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) {\n"
    "    for k in 0 .. n {\n"
    "      var m = mean(u) + array(convert(k)) * f;\n"
    "      r = 0.5 * r + psi([], minimum(ravel(m - u), 0));\n"
    "      u = m;\n"
    "    };\n"
    "    c = array(r) + f;\n"
    "  };\n"
    // Nothing of what the number goes into is stored for it.
    "  procedure spread(upd u: Array, obs f: Array, out c: Array) guard dim(u) == 2 &&\n"
    "      shape(f) == shape(u) {\n"
    "    var n = mean(u);\n"
    "    var high: Number = 1.0 + psi([], maximum(ravel(abs(n)), 0));\n"
    "    var low: Number = psi([], minimum(ravel(f), 0));\n"
    "    var a = rotate(u, 0, 1) - u;\n"
    "    var b = rotate(u, 1, -1) - u;\n"
    "    var g = a * a + b * b + mean(f);\n"
    "    c = array(1.0 / high) * g + array(low) * a;\n"
    "    u = u + array(0.25 / high) * (mean(a) + b * f);\n"
    "  };\n"
    // What is set behind a fold is not what was read in front of it.
    "  procedure moved(upd u: Array, obs f: Array, out c: Array) guard dim(u) == 2 &&\n"
    "      shape(f) == shape(u) && 0 < at(shape(u), 0) && 0 < at(shape(u), 1) {\n"
    "    var m: Number = psi([0, 0], f);\n"
    "    var e = array(m) * rotate(f, 0, 1);\n"
    "    var s: Number = psi([], maximum(ravel(u), 0));\n"
    "    m = m + 7.0;\n"
    "    u = array(s) * e + array(m);\n"
    "    c = e - array(m);\n"
    "  };\n"
    "  procedure both(upd u: Array, obs f: Array, out c: Array) guard 2 <= dim(u) &&\n"
    "      dim(u) <= 3 && shape(f) == shape(u) {\n"
    "    var n = mean(mean(u)) - f;\n"
    "    var high: Number = psi([], maximum(ravel(n * u), 0));\n"
    "    u = mean(n) + f;\n"
    "    var low: Number = psi([], minimum(ravel(u - rotate(n, 1, 2)), 0));\n"
    "    var scaled: Number = high * low;\n"
    "    u = array(scaled) * u;\n"
    "    var last: Number = psi([], maximum(ravel(u), 0));\n"
    "    c = array(last) + f;\n"
    "  };\n"
    "  function greatest(a: Array): Number = psi([], maximum(ravel(abs(a)), 0));\n"
    "  procedure asked(upd u: Array, obs f: Array, obs tol: Number, obs most: Int, out c: Array)\n"
    "      guard dim(u) == 2 && shape(f) == shape(u) && 0 <= most {\n"
    "    var w = f;\n"
    "    var rounds: Int = 0;\n"
    "    while tol < greatest(u - w) bound most {\n"
    "      w = u;\n"
    "      u = 0.5 * (mean(u) + rotate(u, 1, -1)) * f;\n"
    "      rounds = rounds + 1;\n"
    "    };\n"
    "    c = w + array(convert(rounds)) * f;\n"
    "  };\n"
    "  procedure adaptive(upd u: Array, obs f: Array, obs tol: Number, obs most: Int,\n"
    "      out c: Array) guard dim(u) == 2 && shape(f) == shape(u) && 0 <= most {\n"
    "    var t: Number = 0.0;\n"
    "    var dt: Number = 1.0;\n"
    "    while t < 6.0 * tol bound most {\n"
    "      dt = 0.2 / (greatest(u) + greatest(f));\n"
    "      u = u - array(dt) * u * (u - rotate(u, 0, -1)) + array(dt) * f * rotate(u, 1, 1);\n"
    "      t = t + dt;\n"
    "    };\n"
    "    for k in 0 .. most {\n"
    "      t = t + 0.5 * greatest(u);\n"
    "      u = 0.5 * (mean(u) + f);\n"
    "    };\n"
    "    c = array(t + dt) + f;\n"
    "  };\n"
    "};\n"
    "schedule together = {\n"
    "  drop; fuse; pipeline; in_place; share; bind; require repeat(times = 3); threads(least = "
    "1);\n"
    "};\n"
    "schedule tiles on both = {\n"
    "  drop; fuse; require pipeline; tile(most_rows = 3); pad; in_place; refill; share; bind;\n"
    "  threads(least = 1);\n"
    "};\n"
    "schedule peeled = {\n"
    "  drop; fuse; require pipeline; in_place; share; bind; boundary(as = peel);\n"
    "  threads(least = 1);\n"
    "};\n";

class RowFolds : public testing::Test {
 protected:
  void compare(const std::string& entry, const Shape& shape, const Words& more,
               const std::string& schedule) const {
    for (const char* const result : {"u", "c"}) {
      Words words = {
          "run",      file, "-I",   source(""),        "-p",   "Solvers",        "--entry", entry,
          "--repeat", "2",  "--in", input("u", shape), "--in", input("f", shape)};
      words.insert(words.end(), more.begin(), more.end());
      (void)compared(folder, words, result, {"--schedule", schedule});
    }
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, name == "u" ? 1 : 2);
  }

  const Folder folder;
  const std::string file = folder.write("solvers.mg", text_of_solvers);
};

TEST_F(RowFolds, UntilLittleChanges) {
  const Words words = {"--set", "tol=0.02", "--set", "most=9"};
  for (const Shape& n : std::vector<Shape>{{41, 70}, {7, 130}, {1, 1}}) {
    compare("solve", n, words, "auto");
    if (n[0] < 10) compare("solve", n, words, "peeled");
  }
}

// Three rounds at a time, of which the last ones may be too many.
TEST_F(RowFolds, RoundsAreTriedTogether) {
  for (const char* const tol : {"0.1", "0.03", "0"}) {
    for (const char* const most : {"2", "7", "11"})
      compare("solve", {17, 20},
              {"--set", std::string("tol=") + tol, "--set", std::string("most=") + most},
              "together");
  }
  compare("solve", {1, 7}, {"--set", "tol=0.1", "--set", "most=11"}, "together");
}

// The rounds call a procedure, which has the number from before and changes it.
TEST_F(RowFolds, RoundsOfAProcedureAreTriedTogether) {
  for (const char* const tol : {"0.9", "0.4"})
    compare("settle", {19, 12}, {"--set", std::string("tol=") + tol, "--set", "most=10"},
            "together");
  for (const char* const rounds : {"2", "3", "8"})
    compare("some", {19, 12}, {"--set", std::string("n=") + rounds, "--set", "r=0.5"}, "together");
}

// A number that has no value before the loop is none that is put back.
TEST_F(RowFolds, NumbersWithoutAValueBeforeThem) {
  for (const char* const rounds : {"1", "5", "20"})
    compare("given", {19, 12}, {"--set", std::string("n=") + rounds, "--set", "r=0"}, "together");
}

// What a round begins with, and what decides whether there is another one, is folded in the round
// before.
TEST_F(RowFolds, InTheRoundBefore) {
  for (const char* const entry : {"asked", "adaptive"}) {
    for (const char* const tol : {"0.4", "0.05", "0"}) {
      for (const char* const most : {"0", "3", "10"}) {
        const Words words = {"--set", std::string("tol=") + tol, "--set",
                             std::string("most=") + most};
        compare(entry, {17, 20}, words, "together");
        if (most[0] == '3') compare(entry, {1, 5}, words, "auto");
      }
    }
  }
}

// What fails first is told; a loop whose ends are the wrong way round has no rounds.
TEST_F(RowFolds, TestsKeepTheirOrder) {
  const Shape shape = {19, 12};
  const auto words = [&](const char* n, const char* z, const char* r) {
    return Words{"run",        file,
                 "-I",         source(""),
                 "-p",         "Solvers",
                 "--entry",    "tested",
                 "--schedule", "together",
                 "--in",       input("u", shape),
                 "--in",       input("f", shape),
                 "--set",      std::string("n=") + n,
                 "--set",      std::string("z=") + z,
                 "--set",      std::string("r=") + r,
                 "--out",      "u=" + (folder / "found.npy")};
  };
  const Outcome asserted = rhopsi(words("4", "0", "2"));
  EXPECT_EQ(asserted.exit_code, 1);
  EXPECT_NE(asserted.err.find("E0607"), std::string::npos) << asserted.err;
  const Outcome divided = rhopsi(words("4", "0", "-9"));
  EXPECT_EQ(divided.exit_code, 1);
  EXPECT_NE(divided.err.find("E0612"), std::string::npos) << divided.err;
  const Outcome none = rhopsi(words("-9223372036854775807", "9223372036854775807", "0"));
  EXPECT_EQ(none.exit_code, 0) << none.text();
  EXPECT_EQ(difference(folder / "found.npy", folder / "u.npy"), 0.0);
}

TEST_F(RowFolds, RoundsHaveTheirOwn) {
  for (const char* const rounds : {"0", "2", "3", "7"})
    compare("watched", {23, 34}, {"--set", std::string("n=") + rounds, "--set", "r=0.25"},
            "together");
}

// With rows shorter than a vector, tiles of few rows, and several of each on all threads.
TEST_F(RowFolds, OfThreeAxes) {
  for (const Shape& n : std::vector<Shape>{{5, 7, 66}, {6, 7, 3}, {1, 1, 1}}) {
    for (const char* const schedule : {"auto", "tiles", "peeled"}) compare("both", n, {}, schedule);
  }
}

TEST_F(RowFolds, WhatTheyDoNotNeedComesBehindThem) {
  for (const Shape& n : std::vector<Shape>{{23, 34}, {1, 3}}) {
    for (const char* const schedule : {"auto", "peeled"}) compare("spread", n, {}, schedule);
    compare("moved", n, {}, "auto");
  }
  const std::string form =
      rhopsi({"emit", file, "-I", source(""), "-p", "Solvers", "--entry", "spread", "--shape",
              "23,34", "--schedule", "auto", "--emit", "schedule"})
          .out;
  for (const char* const stored : {", out a", ", out b", ", out g"})
    EXPECT_EQ(form.find(stored), std::string::npos) << form;
}

TEST_F(RowFolds, OfTwoAxes) {
  for (const Shape& n : std::vector<Shape>{{64, 65}, {3, 2}}) compare("both", n, {}, "peeled");
}

// Where reals may be regrouped, sums are folded so, too; threads make no difference.
TEST_F(RowFolds, SumsDoNotDependOnThreads) {
  const std::string text =
      "package sums imports moa.library;\n"
      "program Sums = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure step(upd u: Array, obs f: Array, out c: Array) guard dim(u) == 2 &&\n"
      "      shape(f) == shape(u) {\n"
      "    var n = 0.5 * (rotate(u, 0, 1) + rotate(u, 1, -1)) + f;\n"
      "    var s: Number = psi([], sum(ravel(n * u), 0));\n"
      "    u = n;\n"
      "    c = array(s) + f;\n"
      "  };\n"
      "};\n";
  const std::string sums = folder.write("sums.mg", text);
  const Words words = {"run",     sums,
                       "-I",      source(""),
                       "-p",      "Sums",
                       "--entry", "step",
                       "--in",    input("u", {301, 257}),
                       "--in",    input("f", {301, 257})};
  for (const char* const threads : {"1", "2"}) {
    Words compiled = words;
    compiled.insert(compiled.end(),
                    {"--reassociate", "--out", "c=" + (folder / (threads + std::string(".npy")))});
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = threads;
    const Outcome outcome = rhopsi(compiled, conditions);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  }
  EXPECT_EQ(difference(folder / "1.npy", folder / "2.npy"), 0.0);
  Words reference = words;
  reference.insert(reference.end(),
                   {"--backend", "reference", "--out", "c=" + (folder / "expected.npy")});
  ASSERT_EQ(rhopsi(reference).exit_code, 0);
  EXPECT_LT(difference(folder / "1.npy", folder / "expected.npy"), 1e-9);
}

}  // namespace
}  // namespace rhopsi::exec
