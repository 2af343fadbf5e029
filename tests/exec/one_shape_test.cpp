// Programs whose arrays have shapes of their own, in runs in which all of them have one: over a
// domain, with the schedules of such programs, bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

const char* const texts =
    "package one imports moa.library;\n"
    "program One = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function spread(u: Array): Array\n"
    "    guard dim(u) == 2 && (forall (axis < 2) 2 <= at(shape(u), axis)) =\n"
    "    rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1) - 4 * u;\n"
    "  procedure step(upd u: Array, obs k: Number) guard dim(u) == 2 {\n"
    "    u = u + array(k) * spread(u);\n"
    "    u = u - array(k) * rotate(u, 0, 2);\n"
    "  };\n"
    "  procedure rounds(upd u: Array, obs w: Array, upd n: Int)\n"
    "    guard dim(u) == 2 && dim(w) == 2 {\n"
    "    for i in 0 .. n { u = 0.25 * spread(u) + w; };\n"
    "    n = n + at(shape(u), 0);\n"
    "  };\n"
    "  procedure solved(upd u: Array, out rest: Number, out sums: Int) guard dim(u) == 2 {\n"
    "    rest = 1;\n"
    "    sums = 0;\n"
    "    while 0.001 < rest bound 30 {\n"
    "      var next = u + 0.125 * spread(u);\n"
    "      rest = psi([], sum(ravel((next - u) * (next - u)), 0));\n"
    "      u = next;\n"
    "      sums = sums + 1;\n"
    "    };\n"
    "    rest = psi([], sum(sum(u, 0) * sum(u, 0), 0));\n"
    "  };\n"
    "  procedure products(upd u: Array, obs w: Array) guard dim(u) == 2 && dim(w) == 2 {\n"
    "    u = rotate(u * w, 0, 1) + rotate(u + rotate(w, 1, 1), 1, -2);\n"
    "  };\n"
    "  procedure flows(upd h: Array, upd p: Array, upd q: Array)\n"
    "    guard dim(h) == 2 && dim(p) == 2 && dim(q) == 2 {\n"
    "    var f = p * q / h;\n"
    "    var a = h + rotate(q, 0, 1) - rotate(p, 1, -1);\n"
    "    p = p + rotate(f, 0, -1) * rotate(h, 1, 2);\n"
    "    q = q - rotate(f, 1, 1) + rotate(h, 0, 1);\n"
    "    h = a;\n"
    "  };\n"
    "  procedure joined(upd u: Array, obs w: Array) guard dim(u) == 2 && dim(w) == 2 {\n"
    "    u = cat(u, w, 0);\n"
    "  };\n"
    "  procedure literal(upd u: Array) guard dim(u) == 2 && at(shape(u), 0) == 4 {\n"
    "    if at(shape(u), 1) < 3 then { u = reverse(u, 1); } else { u = u + rotate(u, 0, 1); };\n"
    "  };\n"
    "  function doubled(u: Array): Array guard dim(u) == 2 = {\n"
    "    var t = reverse(u, 0);\n"
    "    for k in 0 .. 2 { t = 2 * t; };\n"
    "    value t * u;\n"
    "  };\n"
    "  procedure until(upd u: Array, out m: Int) guard dim(u) == 2 {\n"
    "    m = 0;\n"
    "    while psi([], sum(ravel(doubled(u)), 0)) < 100.0 bound 30 { u = u * 2; m = m + 1; };\n"
    "  };\n"
    "  procedure weighed(upd u: Array, out total: Number) guard dim(u) == 2 {\n"
    "    total = psi([], sum(ravel(reverse(u, 0) * u), 0));\n"
    "    u = 2 * u;\n"
    "  };\n"
    "  procedure centred(upd u: Array) guard dim(u) == 2 {\n"
    "    u = u * 2 - sum(ravel(u), 0) * (1 / product(1 + ravel(u * u), 0));\n"
    "  };\n"
    "  procedure chosen(upd u: Array, obs k: Number) guard dim(u) == 2 {\n"
    "    u = if k < 1.0 then select(u > 0, u - sum(ravel(u), 0), u)\n"
    "        else u * maximum(ravel(u), 0);\n"
    "  };\n"
    "  procedure parts(upd u: Array) guard dim(u) == 2 && 0 < at(shape(u), 0) {\n"
    "    u = cat(take(u, 0, 1) - sum(ravel(u), 0), drop(u, 0, 1) * sum(ravel(u), 0), 0);\n"
    "  };\n"
    "  function edges(u: Array): Array\n"
    "    guard dim(u) == 2 && (forall (axis < 2) 4 <= at(shape(u), axis)) {\n"
    "    var x = drop(u, 1, 2) - drop(u, 1, -2);\n"
    "    var g = 0.25 * (drop(x, 0, 2) + 2 * drop(drop(x, 0, 1), 0, -1) + drop(x, 0, -2));\n"
    "    var s = drop(g * g, 1, 1) * drop(g, 1, -1);\n"
    "    value drop(s, 0, 2) - drop(s, 0, -2);\n"
    "  };\n"
    "  procedure faces(out f: Array, upd u: Array, obs k: Number)\n"
    "    guard dim(u) == 2 && 1 < at(shape(u), 0) {\n"
    "    f = array(k) * (drop(u, 0, 1) - drop(u, 0, -1));\n"
    "    var d = drop(f, 0, 1) - drop(f, 0, -1);\n"
    "    u = u + pad_constant(d, 0, 1, 1, 0.0);\n"
    "  };\n"
    "  procedure staggered(upd e: Array, upd h: Array, upd g: Array, obs n: Int, obs c: Number)\n"
    "    guard dim(e) == 2 && dim(h) == 2 && dim(g) == 2 && 2 <= at(shape(e), 0)\n"
    "      && 2 <= at(shape(e), 1) && at(shape(h), 0) == at(shape(e), 0)\n"
    "      && at(shape(h), 1) + 1 == at(shape(e), 1) && at(shape(g), 0) + 1 == at(shape(e), 0)\n"
    "      && at(shape(g), 1) == at(shape(e), 1) {\n"
    "    for k in 0 .. n {\n"
    "      h = h - array(c) * (drop(e, 1, 1) - drop(e, 1, -1));\n"
    "      g = g + array(c) * (drop(e, 0, 1) - drop(e, 0, -1));\n"
    "      var x = drop(drop(drop(g, 0, 1) - drop(g, 0, -1), 1, 1), 1, -1);\n"
    "      var y = drop(drop(drop(h, 1, 1) - drop(h, 1, -1), 0, 1), 0, -1);\n"
    "      e = e + pad_constant(pad_constant(array(c) * (x - y), 0, 1, 1, 0.0), 1, 1, 1, 0.0);\n"
    "    };\n"
    "  };\n"
    "  procedure turns(upd u: Array) guard dim(u) == 2 && 2 < at(shape(u), 0) {\n"
    "    var d = drop(u, 0, 1) - drop(u, 0, -1);\n"
    "    u = u + pad_constant(rotate(d, 0, 1), 0, 1, 0, 0.5);\n"
    "  };\n"
    "  function turned(u: Array): Array guard dim(u) == 2 = u + transpose(u);\n"
    "  procedure shortened(upd u: Array) guard dim(u) == 2 && 1 < at(shape(u), 0) {\n"
    "    u = drop(u, 0, 1);\n"
    "  };\n"
    "};\n";

class OneShape : public testing::Test {
 protected:
  Outcome run(const std::string& entry, const Words& more) const {
    Words words = {"run", file, "-p", "One", "--entry", entry};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }
  // Standard error of the compiled run, whose results have the bits of the reference's.
  std::string compared(const std::string& entry, const std::string& result, Words words,
                       const Words& schedule = {}) const {
    const Words program = {"run", file, "-p", "One", "--entry", entry};
    words.insert(words.begin(), program.begin(), program.end());
    return exec::compared(folder, words, result, schedule);
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }

  const Folder folder;
  const std::string file = folder.write("one.mg", texts);
  const std::string found = folder / "found.npy", expected = folder / "expected.npy";
};

// A length of 2 is less than what is read beyond it twice; 300 rows are more than a tile.
TEST_F(OneShape, RunsOverADomain) {
  for (const Shape& shape : {Shape{2, 3}, Shape{300, 40}}) {
    const Words words = {"--in", input("u", shape), "--set", "k=0.125", "--repeat", "5"};
    const std::string told = compared("step", "u", words);
    EXPECT_NE(told.find("schedule auto: "), std::string::npos) << told;
    EXPECT_NE(told.find(", predicted "), std::string::npos) << told;
  }
}

TEST_F(OneShape, LoopsAndNumbersStayAroundIt) {
  const std::string told = compared(
      "rounds", "u", {"--in", input("u", {9, 7}), "--in", input("w", {9, 7}), "--set", "n=3"});
  EXPECT_NE(told.find(", predicted "), std::string::npos) << told;
  const Outcome outcome = run(
      "rounds", {"--in", input("u", {9, 7}), "--in", input("w", {9, 7}), "--set", "n=3", "--json"});
  const auto json = last_line(outcome);
  EXPECT_EQ(json["values"]["n"], 12) << outcome.text();
  EXPECT_EQ(json["shapes"]["w"], (Shape{9, 7})) << outcome.text();
  EXPECT_FALSE(json.contains("shape"));
  const Outcome reference = run("rounds", {"--in", input("u", {9, 7}), "--in", input("w", {9, 7}),
                                           "--set", "n=3", "--json", "--backend", "reference"});
  EXPECT_EQ(last_line(reference)["shapes"], json["shapes"]) << reference.text();
}

// A number that folds elements is made between passes, in the order of the reference.
TEST_F(OneShape, NumbersThatFoldElementsAreMadeBetweenPasses) {
  const Shape shape = {9, 13};
  const Words words = {"--in", input("u", shape)};
  const std::string told = compared("solved", "u", words);
  // On a device it is predicted to be fastest as it is written, of which nothing is told.
  if (!exec::on_device()) {
    EXPECT_NE(told.find(", predicted "), std::string::npos) << told;
  }
  const auto numbers = [&](Words more) {
    more.insert(more.end(), {"--in", input("u", shape), "--json", "--quiet"});
    return last_line(run("solved", more))["values"];
  };
  const auto values = numbers({});
  EXPECT_GT(values["sums"], 1);
  EXPECT_LT(values["sums"], 30);
  EXPECT_EQ(values, numbers({"--backend", "reference"}));
}

TEST_F(OneShape, IsTestedByTheInputs) {
  // The guard fails, and another shape beside it: messages are those of any shapes.
  const Outcome narrow = run("step", {"--in", input("u", {5, 1}), "--set", "k=0.5"});
  EXPECT_EQ(narrow.exit_code, 1);
  EXPECT_NE(narrow.err.find("error[E0608]: spread needs `2 <= at(shape(u), axis)` on axis 1"),
            std::string::npos)
      << narrow.text();
  const Outcome other =
      run("rounds", {"--in", input("u", {5, 4}), "--in", input("w", {5, 3}), "--set", "n=1"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.err.find("E0608"), std::string::npos) << other.text();
}

// An index that several reads share, a length that the guard says, a branch that lengths choose.
TEST_F(OneShape, CircularIndicesAreFoundByAnyName) {
  std::string told = compared(
      "products", "u", {"--in", input("u", {5, 7}), "--in", input("w", {5, 7}), "--repeat", "3"});
  EXPECT_NE(told.find(", predicted "), std::string::npos) << told;
  told = compared("literal", "u", {"--in", input("u", {4, 6}), "--repeat", "2"});
  EXPECT_NE(told.find(", predicted "), std::string::npos) << told;
  told = compared("literal", "u", {"--in", input("u", {4, 2})});
  EXPECT_EQ(told.find(", predicted "), std::string::npos) << told;
}

// Where the obstacle stands in a loop's condition; and where an argument's block is taken over
// beside a fold over it.
// In turns: whose lengths an array has is not what counts.
TEST_F(OneShape, SeveralArraysAreReadSideBySide) {
  for (const char* const result : {"h", "p", "q"}) {
    const std::string told = compared("flows", result,
                                      {"--in", input("h", {6, 5}), "--in", input("p", {6, 5}),
                                       "--in", input("q", {6, 5}), "--repeat", "3"});
    EXPECT_EQ(told.find("shapes of their own"), std::string::npos) << told;
  }
}

// What windows of neighbours have in common is shorter than the array: its first elements are those
// of one over the domain, also where there are none.
TEST_F(OneShape, PartsOfTheDomainAreArraysOverIt) {
  for (const Shape& shape : {Shape{300, 40}, {37, 29}, {4, 9}, {5, 4}, {4, 4}}) {
    const Words words = {"--in", input("u", shape)};
    Words twice = words;
    twice.insert(twice.end(), {"--set", "k=0.125", "--repeat", "2"});
    for (const Words& schedule : {Words{}, Words{"--schedule", "full"}}) {
      for (const std::string& told :
           {compared("edges", "result", words, schedule), compared("faces", "u", twice, schedule),
            compared("faces", "f", twice, schedule)})
        EXPECT_EQ(told.find("shapes of their own"), std::string::npos) << told;
    }
  }
  compared("faces", "f", {"--in", input("u", {2, 3}), "--set", "k=0.125"});
  const Outcome form = rhopsi({"emit", file, "-p", "One", "--entry", "edges", "--shape", "30,40",
                               "--emit", "onf", "--schedule", "off"});
  EXPECT_EQ(form.out.find("without the last"), std::string::npos) << "off keeps shapes";
  const Outcome made = rhopsi({"emit", file, "-p", "One", "--entry", "edges", "--shape", "30,40",
                               "--emit", "onf", "--schedule", "full"});
  EXPECT_NE(made.out.find("array float64 without the last [4, 3]"), std::string::npos)
      << made.text();
}

// Arrays that come in may be parts, too, and go into the next step.
TEST_F(OneShape, InputsMayBePartsOfTheFirstOne) {
  for (const Shape& shape : {Shape{300, 40}, {9, 7}, {2, 3}, {2, 2}}) {
    const Words words = {"--in",     input("e", shape),
                         "--in",     input("h", {shape[0], shape[1] - 1}),
                         "--in",     input("g", {shape[0] - 1, shape[1]}),
                         "--set",    "c=0.5",
                         "--set",    "n=2",
                         "--repeat", "3"};
    for (const char* const result : {"e", "h", "g"}) {
      const std::string told = compared("staggered", result, words, {"--schedule", "full"});
      EXPECT_EQ(told.find("shapes of their own"), std::string::npos) << told;
    }
  }
  const std::string state = folder / "state";
  const Words words = {"--in",  input("e", {9, 7}),
                       "--in",  input("h", {9, 6}),
                       "--in",  input("g", {8, 7}),
                       "--set", "c=0.5",
                       "--set", "n=1"};
  Words three = words;
  three.insert(three.end(), {"--repeat", "3"});
  compared("staggered", "h", three);
  Words first = words;
  first.insert(first.end(), {"--checkpoint", state});
  Outcome outcome = run("staggered", first);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  outcome = run("staggered", {"--restart", state, "--repeat", "3", "--out", "h=" + found});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(difference(found, expected), 0.0);
}

// Around a part there is another way than around the domain.
TEST_F(OneShape, PartsThatAreTurnedAreNone) {
  for (const Shape& shape : {Shape{300, 40}, {3, 2}})
    compared("turns", "u", {"--in", input("u", shape)});
}

TEST_F(OneShape, ProgramsThatKeepShapesRunAsTheyAre) {
  const std::string told = compared("until", "u", {"--in", "u=iota:3,2:1"});
  EXPECT_NE(told.find("until "), std::string::npos) << told;
  compared("weighed", "u", {"--in", input("u", {3, 4})});
}

TEST_F(OneShape, WhatNoIndexIsInIsComputedWhereThereAreElements) {
  for (const auto& lengths : std::vector<std::vector<std::int64_t>>{{6, 5}, {1, 1}, {0, 3}, {4, 0}})
    compared("centred", "u", {"--in", input("u", lengths), "--repeat", "2"});
  for (const char* const k : {"k=0.5", "k=1.5"})
    compared("chosen", "u", {"--in", input("u", {6, 5}), "--set", k});
  // The second part has no element where there is one row.
  for (const auto& lengths : std::vector<std::vector<std::int64_t>>{{6, 5}, {1, 4}, {3, 0}})
    compared("parts", "u", {"--in", input("u", lengths), "--repeat", "2"});
}

TEST_F(OneShape, WhyAProgramKeepsShapesOfItsOwnIsTold) {
  std::string told = compared("turned", "result", {"--in", input("u", {4, 4})});
  EXPECT_NE(told.find("turned reads u at an index that is no constant offset"), std::string::npos)
      << told;
  told = compared("shortened", "u", {"--in", input("u", {5, 4}), "--repeat", "2"});
  EXPECT_NE(told.find("shortened makes an array of other lengths"), std::string::npos) << told;
  told = compared("joined", "u", {"--in", input("u", {2, 3}), "--in", input("w", {4, 3})});
  EXPECT_NE(told.find("joined reads w at an index that is no constant offset"), std::string::npos)
      << told;
  told = compared("centred", "u", {"--in", input("u", {0, 3})});
  EXPECT_NE(told.find("u has no elements"), std::string::npos) << told;
}

TEST_F(OneShape, CheckpointsAreThoseOfShapesOfTheirOwn) {
  const std::string state = folder / "state";
  const std::string u = input("u", {6, 5});
  compared("step", "u", {"--in", u, "--set", "k=0.125", "--repeat", "7"});
  for (const auto& [first, second] :
       {std::pair("kokkos", "reference"), {"reference", "kokkos"}, {"kokkos", "kokkos"}}) {
    Outcome outcome = run("step", {"--in", u, "--set", "k=0.125", "--repeat", "3", "--backend",
                                   first, "--checkpoint", state});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    outcome = run(
        "step", {"--restart", state, "--repeat", "7", "--backend", second, "--out", "u=" + found});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(difference(found, expected), 0.0) << first << ", then " << second;
  }
}

TEST_F(OneShape, IsExplainedAndTuned) {
  const Words words = {"explain", file, "-p", "One", "-f", "step", "--schedule", "auto"};
  const auto explained = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  const std::string any = explained({"--rank", "2"});
  EXPECT_NE(any.find("--shape tells what a run does where all have that one"), std::string::npos)
      << any;
  const std::string of_shape = explained({"--shape", "300,40"});
  EXPECT_NE(of_shape.find(", 2 threads"), std::string::npos) << of_shape;
  EXPECT_EQ(of_shape.find("shapes of their own"), std::string::npos) << of_shape;
  Words of_rank_3 = words;
  of_rank_3.insert(of_rank_3.end(), {"--shape", "30,20,4"});
  const Outcome wrong = rhopsi(of_rank_3);
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("E0821"), std::string::npos) << wrong.text();
  Words tune = {"tune", file, "-p", "One", "--entry", "step", "--shape", "30,20", "--budget", "1"};
  const Outcome tuned = rhopsi(tune);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.text();
  const std::string told =
      compared("step", "u", {"--in", input("u", {30, 20}), "--set", "k=0.125", "--repeat", "4"});
  EXPECT_NE(told.find("schedule tuned: "), std::string::npos) << told;
  tune[5] = "shortened";
  const Outcome kept = rhopsi(tune);
  EXPECT_EQ(kept.exit_code, 1);
  EXPECT_NE(kept.err.find("E0863"), std::string::npos) << kept.text();
  EXPECT_NE(kept.err.find("makes an array of other lengths"), std::string::npos) << kept.text();
}

// A program for any number of axes is another one when its text is.
TEST_F(OneShape, WhatWasTunedIsFoundForTheSameProgramAlone) {
  const auto run_tuned = [&](const std::string& factor, bool tune) {
    const std::string any = folder.write("any.mg",
                                         "package any imports moa.library;\n"
                                         "program Any = implement Expressions in {\n"
                                         "  use Expressions;\n"
                                         "  procedure p(upd u: Array) { u = u * " +
                                             factor +
                                             "; };\n"
                                             "};\n");
    if (tune) {
      const Outcome tuned = rhopsi({"tune", any, "-p", "Any", "--shape", "30,20", "--budget", "1"});
      EXPECT_EQ(tuned.exit_code, 0) << tuned.text();
    }
    return rhopsi({"run", any, "-p", "Any", "--in", input("u", {30, 20}), "--schedule", "tuned"});
  };
  const Outcome same = run_tuned("2", true);
  EXPECT_EQ(same.exit_code, 0) << same.text();
  const Outcome other = run_tuned("3", false);
  EXPECT_EQ(other.exit_code, 1) << other.text();
  EXPECT_NE(other.err.find("E0862"), std::string::npos) << other.text();
}

}  // namespace
}  // namespace rhopsi::exec
