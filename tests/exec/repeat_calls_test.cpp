// Steps that test and count numbers around what they do to arrays: several calls of them in one.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// `swing` computes arrays from a number that changes, so that each of its calls is made by itself.
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
    compared(folder, words("swing", {"--set", "t=0.5"}), "u", schedule);
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

TEST_F(RepeatCalls, AreMadeWhereNumbersAreOnlyCounted) {
  EXPECT_NE(emitted("counted").find("void counted_4_times("), std::string::npos);
  EXPECT_NE(emitted("limited").find("void limited_4_times("), std::string::npos);
  EXPECT_EQ(emitted("swing").find("_4_times("), std::string::npos);
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
