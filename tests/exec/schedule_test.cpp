// Programs with a schedule, against the reference: bit for bit.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

constexpr const char* paper = "specs/burgers/paper.mg";

// Two fields that are changed by turns.
constexpr const char* leap = R"(
package leap imports backend.kokkos, moa.dnf, moa.indexwise;
program Base = {
  use Arrays;
  function leap(a: Array, b: Array): Array =
    a + 0.5 * (rotate(b, 0, 1) - rotate(b, 1, -1)) + 0.25 * rotate(rotate(b, 0, -2), 1, 1);
  procedure step(upd h: Array, upd e: Array) { h = leap(h, e); e = leap(e, h); }
};
program DNF = {
  use (rewrite
        (rewrite (implement ToIxwiseGenerator[op => leap, opIx => leapIx, E => Real] in Base)
         with ToIxwise[op => leap] 1)
       with DNFRules[E => Real] 100);
  use FlatSchedule[element => leapIx, E => Real];
};
)";

class Schedule : public testing::Test {
 protected:
  std::vector<std::string> words(const std::string& program, const Shape& shape,
                                 const std::string& suffix) {
    std::vector<std::string> made = {"run",     source(paper), "-p",       program, "--entry",
                                     "step",    "--quiet",     "--repeat", "3",     "--set",
                                     "nu=0.05", "--set",       "dt=0.01",  "--set", "dx=0.5"};
    unsigned seed = 1;
    for (const char* name : {"u0", "u1", "u2"}) {
      made.insert(made.end(),
                  {"--in", std::string(name) + "=" + random_field(folder, name, shape, seed++)});
      made.insert(made.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
    }
    return made;
  }
  std::string file(const std::string& name, const std::string& suffix) {
    return folder / (name + suffix + ".npy");
  }
  void expect_the_references(const std::string& program, const Shape& shape,
                             const std::vector<std::string>& more) {
    auto reference = words("Base", shape, "-reference");
    reference.insert(reference.end(), {"--backend", "reference"});
    Outcome outcome = rhopsi(reference);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    auto scheduled = words(program, shape, "-scheduled");
    scheduled.insert(scheduled.end(), {"--schedule", "auto"});
    scheduled.insert(scheduled.end(), more.begin(), more.end());
    outcome = rhopsi(scheduled);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.err.find("E0529"), std::string::npos) << outcome.err;
    for (const char* name : {"u0", "u1", "u2"}) {
      EXPECT_EQ(difference(file(name, "-reference"), file(name, "-scheduled")), 0.0)
          << name << ", " << program << ", shape " << shape_option(shape);
    }
  }

  const Folder folder;
};

// Sides of one element are shorter than what is read beyond them.
TEST_F(Schedule, APaddedProgramComputesWhatTheReferenceDoes) {
  for (const Shape& shape : {Shape{5, 7, 6}, Shape{1, 2, 9}, Shape{20, 24, 33}}) {
    expect_the_references("3DPadded", shape, {});
  }
}

TEST_F(Schedule, SoDoesOneWhoseIndicesAreModulo) {
  expect_the_references("DNF", {4, 6, 5}, {"--target", "serial"});
}

// Two sweeps in one over rows as planes, each of which reads the other's result beside its own
// index.
TEST_F(Schedule, ARunPlaneByPlaneComputesWhatTheReferenceDoes) {
  const std::string program = folder.write("leap.mg", leap);
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 5}, Shape{90, 70}}) {
    std::vector<std::string> words = {"run",  program,   "-p",       "DNF", "--entry",
                                      "step", "--quiet", "--repeat", "3"};
    for (const char* name : {"h", "e"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" + random_field(folder, name, shape, 7)});
    }
    const auto results = [&](const std::string& suffix, const std::vector<std::string>& more) {
      auto all = words;
      for (const char* name : {"h", "e"}) {
        all.insert(all.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
      }
      all.insert(all.end(), more.begin(), more.end());
      const Outcome outcome = rhopsi(all);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    };
    results("-reference", {"--backend", "reference"});
    results("-pipelined", {"--schedule", "auto"});
    for (const char* name : {"h", "e"}) {
      EXPECT_EQ(difference(file(name, "-reference"), file(name, "-pipelined")), 0.0)
          << name << ", shape " << shape_option(shape);
    }
  }
}

TEST_F(Schedule, TheStagesArePrinted) {
  const std::vector<std::string> words = {"emit", source(paper), "-p", "3DPadded", "--emit"};
  const auto printed = [&](const char* stage) {
    auto all = words;
    all.push_back(stage);
    return rhopsi(all);
  };
  const Outcome onf = printed("onf");
  EXPECT_EQ(onf.exit_code, 0) << onf.text();
  EXPECT_EQ(onf.out.rfind("module 3DPadded rank 3 pad 1\n", 0), 0u) << onf.out;
  const Outcome schedule = printed("schedule");
  EXPECT_EQ(schedule.exit_code, 0) << schedule.text();
  for (const char* part :
       {"values of step\n", "u0 becomes ",
        "fuse at step: v1: ", "in_place at step: u2: ", "refused, a pass of its own stays",
        "pipeline at step: u0, u1, u2: a pass of its own => 1 plane behind",
        "ring v2: float64, 3 planes [0+0, 1+1, 1+1]\n", "seam u2 [2+2]\n", "nest rows padded"}) {
    const auto from = std::string(part);
    const bool found =
        schedule.out.find(from) != std::string::npos ||
        schedule.out.find(from.substr(0, from.size() - 1) + "  #") != std::string::npos;
    EXPECT_TRUE(found) << part << "\n" << schedule.out;
  }
}

TEST_F(Schedule, WhatKeepsItsFormIsNamed) {
  const Outcome outcome = rhopsi({"emit", source("specs/wave/wave.mg"), "-p", "Wave", "--entry",
                                  "step", "--rank", "2", "--emit", "schedule"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("warning[E0529]: the schedule leaves 'step' as it is: it has arrays "
                             "with shapes of their own"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Schedule, MistakesAreReported) {
  const auto fails = [&](const std::vector<std::string>& all, const std::string& says) {
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  fails({"emit", source(paper), "-p", "DNF"}, "no folder to write");
  fails({"emit", source(paper), "-p", "DNF", "--emit", "onv"}, "--emit cannot be 'onv'");
  fails({"emit", source(paper), "-p", "DNF", "-o", folder / "x", "--schedule", "best"},
        "--schedule cannot be 'best'");
  fails({"run", source(paper), "-p", "DNF", "--entry", "step", "--backend", "reference",
         "--schedule", "auto"},
        "--schedule has no meaning for the reference backend");
}

}  // namespace
}  // namespace rhopsi::exec
