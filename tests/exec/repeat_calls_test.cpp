// Steps that test and count numbers around what they do to arrays, and that compute arrays from
// numbers which change: several calls of them in one.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// `read` takes a number from an array that it changes, so that each of its calls is made by itself.
const char* const text_of_steps =
    "package steps imports moa.library;\n"
    "program Steps = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function mean(u: Array): Array guard dim(u) == 2 =\n"
    "    0.25 * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1));\n"
    "  procedure counted(upd u: Array, obs a: Number, upd n: Number, upd even: Number)\n"
    "    guard dim(u) == 2 && 0.0 < a && a <= 1.0 {\n"
    "    u = u + array(a) * (mean(u) - u);\n"
    "    n = n * 1.5 + a;\n"
    "    if n < 20.0 then { even = 1.0 - even; } else { even = even + n; };\n"
    "  };\n"
    "  procedure limited(upd u: Array, upd n: Number) guard dim(u) == 2 && n < 10.5 {\n"
    "    u = mean(u);\n"
    "    n = n + 1.0;\n"
    "  };\n"
    "  procedure swing(upd u: Array, upd t: Number) guard dim(u) == 2 {\n"
    "    u = mean(u) + array(sin(t));\n"
    "    t = t + 0.25;\n"
    "  };\n"
    "  procedure source(upd u: Array, upd v: Array, upd t: Number, obs w: Number)\n"
    "    guard dim(u) == 2 && shape(v) == shape(u) && w < 100.0 {\n"
    "    var s = sin(w * t);\n"
    "    if s < 0.0 then { s = 0.0 - s * t; } else { };\n"
    "    var next = mean(u) + array(s) * v;\n"
    "    t = t + 0.25;\n"
    "    v = u - array(exp(0.0 - t)) * next;\n"
    "    u = next;\n"
    "  };\n"
    "  procedure damped(upd u: Array, obs a: Number) guard dim(u) == 2 { u = array(a) * mean(u); "
    "};\n"
    "  procedure calls(upd u: Array, upd t: Number) guard dim(u) == 2 {\n"
    "    damped(u, cos(t));\n"
    "    t = t + 0.25;\n"
    "  };\n"
    "  procedure many(upd u: Array, upd t: Number) guard dim(u) == 2 {\n"
    "    iterate 9 calls(u, t);\n"
    "    iterate 6 damped(u, t);\n"
    "  };\n"
    "  procedure named(upd u: Array, upd t: Number, obs n: Int) guard dim(u) == 2 {\n"
    "    var a = cos(t);\n"
    "    var a_2 = 0.5 * a;\n"
    "    var rounds: Number = 0.9;\n"
    "    var block: Number = 0.25;\n"
    "    for i in 1 .. n { damped(u, t * a); t = t * rounds + a_2 * block; };\n"
    "    iterate n damped(u, a);\n"
    "    for i in 0 .. n { damped(u, a_2); a_2 = a_2 * 0.75; };\n"
    "  };\n"
    "  procedure ahead(upd u: Array, upd t: Number) guard dim(u) == 2 {\n"
    "    var s = t;\n"
    "    u = array(s) * mean(u);\n"
    "    s = s * 0.5;\n"
    "    t = t + s;\n"
    "  };\n"
    "  procedure inner(upd u: Array, upd t: Number) guard dim(u) == 2 && t < 1.0 {\n"
    "    u = mean(u) + array(t);\n"
    "    t = t + 0.25;\n"
    "  };\n"
    "  procedure outer(upd u: Array, upd t: Number, upd s: Number) guard dim(u) == 2 && s < 1.0 {\n"
    "    inner(u, t);\n"
    "    s = s + 0.3;\n"
    "  };\n"
    "  procedure halves(upd u: Array, upd t: Number) guard dim(u) == 2 && 0.0 < t {\n"
    "    u = mean(u);\n"
    "    damped(u, half(t));\n"
    "  };\n"
    "  function half(t: Number): Number guard 0.0 < t = 0.5 * t;\n"
    "  procedure read(upd u: Array, upd t: Number) guard dim(u) == 2 {\n"
    "    u = mean(u) + array(sin(t));\n"
    "    t = t + psi([0, 0], u);\n"
    "  };\n"
    "};\n";

class RepeatCalls : public testing::Test {
 protected:
  Words words(const std::string& entry, const Words& more) const {
    Words words = {"run", file,       "-p", "Steps", "--entry",
                   entry, "--repeat", "13", "--in",  "u=" + random_field(folder, "u", {34, 21}, 3)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string emitted(const std::string& entry) const {
    const Outcome outcome = rhopsi({"emit", file, "-p", "Steps", "--entry", entry, "--shape",
                                    "900,800", "--schedule", "four", "--emit", "cxx"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }

  const Folder folder;
  const std::string file = folder.write(
      "steps.mg",
      std::string(text_of_steps) +
          "schedule four for Steps = { drop; fuse; pipeline; bind; repeat(times = 4); };\n");
};

TEST_F(RepeatCalls, ComputeTheSameWithGuardsAndCounts) {
  for (const Words& schedule : {Words{"--schedule", "four"}, Words{}, Words{"--every", "5"}}) {
    compared(folder, words("counted", {"--set", "a=0.3", "--set", "n=0.5", "--set", "even=0"}), "u",
             schedule);
    for (const char* each : {"swing", "calls", "many", "ahead", "halves"})
      compared(folder, words(each, {"--set", "t=0.5"}), "u", schedule);
    const std::string v = "v=" + random_field(folder, "v", {34, 21}, 4);
    for (const char* result : {"u", "v"}) {
      compared(folder, words("source", {"--in", v, "--set", "t=0.5", "--set", "w=3"}), result,
               schedule);
    }
  }
  const auto numbers = [&](const Words& how) {
    Words all = words("counted", {"--set", "a=0.3", "--set", "n=0.5", "--set", "even=0"});
    all.insert(all.end(), how.begin(), how.end());
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  EXPECT_EQ(numbers({"--schedule", "four"}), numbers({"--backend", "reference"}));
}

TEST_F(RepeatCalls, AreMadeWhereNoNumberComesFromAnArray) {
  for (const std::string each : {"counted", "limited", "swing", "source", "calls"}) {
    EXPECT_NE(emitted(each).find("void " + each + "_4_times("), std::string::npos) << each;
  }
  EXPECT_EQ(emitted("read").find("_4_times("), std::string::npos);
}

// Guards of what is called behind other statements are tested in front of them.
TEST_F(RepeatCalls, AreNotPartedByGuards) {
  const std::string halves = emitted("halves");
  EXPECT_NE(halves.find("halves_part_1("), std::string::npos);
  EXPECT_EQ(halves.find("halves_part_2("), std::string::npos) << halves;
}

// Those of each call where they change.
TEST_F(RepeatCalls, HaveTheirNumbers) {
  const std::string calls = emitted("calls");
  EXPECT_NE(calls.find("calls_part_1_4_times(u, a, a_2, a_3, a_4);"), std::string::npos);
  const std::string many = emitted("many");
  EXPECT_NE(many.find("many_part_1_4_times(u2, a, a_2, a_3, a_4);"), std::string::npos) << many;
  EXPECT_NE(many.find("many_part_2_4_times(u3, a2);"), std::string::npos) << many;
}

// Names that the program has are not those of numbers of other calls.
TEST_F(RepeatCalls, HaveNamesOfTheirOwn) {
  for (const char* const rounds : {"n=0", "n=1", "n=6"}) {
    for (const Words& schedule : {Words{"--schedule", "four"}, Words{}})
      compared(folder, words("named", {"--set", "t=0.5", "--set", rounds}), "u", schedule);
  }
}

// An inner guard of an earlier call, and not the outer one of a later call.
TEST_F(RepeatCalls, WhatFailsFirstIsTold) {
  for (const char* const schedule : {"four", "off"}) {
    const Outcome outcome =
        rhopsi(words("outer", {"--set", "t=0.5", "--set", "s=0.1", "--schedule", schedule}));
    EXPECT_NE(outcome.err.find("inner needs `t < 1.0`"), std::string::npos) << outcome.text();
  }
}

// In whichever call of several.
TEST_F(RepeatCalls, WhatDoesNotHoldInALaterCallIsTold) {
  Words all = words("limited", {"--set", "n=0", "--schedule", "four"});
  const Outcome outcome = rhopsi(all);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("limited needs `n < 10.5`: 11 and 10.5"), std::string::npos)
      << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
