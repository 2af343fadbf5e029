// Of a program one entry is run: what is lowered, scheduled, compiled and asked for is that
// entry's, whatever else the program has.
#include <algorithm>

#include <gtest/gtest.h>

#include "backends/io/checkpoint_file.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

using Words = std::vector<std::string>;

// `a` is one sweep with the parameter c; `b` two sweeps that read one another a plane away, with
// the parameter k and an operation of a C++ header, and in `broken` what has no operational form.
std::string two(const std::string& broken = "") {
  return R"(package two imports backend.kokkos, moa.dnf, moa.indexwise;
implementation Parameters = external Kokkos parameters {
  require type Real;
  function c(): Real;
  function k(): Real;
};
implementation Mine = external C++ mine.functions { require type Real; function mine(x: Real): Real; };
implementation Wide = external C++ mine.matrices { type Matrix; function unit(): Matrix; };
program Base = {
  use Arrays;
  use Parameters;
  use Mine;
  use Wide;
  function near(u: Array): Array = u + c() * rotate(u, 0, 1);
  function far(u: Array): Array = u + k() * rotate(u, 0, 1);
  function kept(m: Matrix): Matrix = m;
  procedure a(upd u: Array) { u = near(u); }
  procedure b(upd u: Array) { u = far(u); u = far(u); u = mine(k()) * u; )" +
         broken + R"( }
};
concept Elements = {
  use ToIxwiseGenerator[T => T0, op => near, opIx => nearIx, toIxwiseGenerator => nearGenerator];
  use ToIxwiseGenerator[T => T1, op => far, opIx => farIx, toIxwiseGenerator => farGenerator];
};
concept Loops = {
  use ToIxwise[T => T0, op => near, schedule => nearAll, toIxwiseRule => nearRule];
  use ToIxwise[T => T1, op => far, schedule => farAll, toIxwiseRule => farRule];
};
program Two = {
  use (rewrite (rewrite (implement Elements[E => Real] in Base) with Loops 10)
       with DNFRules[E => Real] 100);
  use FlatSchedule[schedule => nearAll, element => nearIx, E => Real];
  use FlatSchedule[schedule => farAll, element => farIx, E => Real];
};
schedule planes = { fuse; require pipeline(max_planes = 4); bind; };
schedule fused = { fuse; bind; };
)";
}

class OneEntry : public testing::Test {
 protected:
  OneEntry() { standard.environment["RHOPSI_MACHINE"] = "standard"; }

  Outcome run(const std::string& entry, const Words& more) const {
    Words words = {"run", file,       "-p",     "Two",  "--entry",
                   entry, "--target", "serial", "--in", "u=iota:8,8"};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words, standard);
  }
  static Outcome with(Words words, const Words& more, const Conditions& conditions) {
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words, conditions);
  }
  static void expect_error(const Outcome& outcome, const Words& parts) {
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    for (const std::string& part : parts) EXPECT_TRUE(has(outcome.err, part)) << outcome.text();
  }

  const Folder folder;
  const std::string file = folder.write("two.mg", two());
  Conditions standard;
};

// What a schedule requires has to be taken in what is run, and what is said of it is about that.
TEST_F(OneEntry, AStepIsRequiredOfIt) {
  folder.write("mine.hpp",
               "#pragma once\n"
               "template <class Real> struct functions { Real mine(Real x) const { return x; } };\n"
               "struct matrices { using Matrix = int; Matrix unit() const { return 1; } };\n");
  expect_error(run("a", {"--set", "c=0.5", "--set", "k=2", "--schedule", "planes"}),
               {"E0535", "'pipeline(max_planes = 4)'"});
  const Outcome of_b = rhopsi({"emit", file, "-p", "Two", "--entry", "b", "--rank", "2",
                               "--schedule", "planes", "-o", folder / "b"});
  EXPECT_EQ(of_b.exit_code, 0) << of_b.text();
  const Outcome fused = run("a", {"--set", "c=0.5", "--schedule", "fused"});
  EXPECT_EQ(fused.exit_code, 0) << fused.text();
  EXPECT_FALSE(has(fused.err, "E0534")) << fused.text();
}

TEST_F(OneEntry, NeedsItsOwnParametersAndHeaders) {
  for (const Words& backend : {Words{}, Words{"--backend", "reference"}}) {
    Words words = {"run", file, "-p", "Two", "--in", "u=iota:8,8", "--quiet"};
    words.insert(words.end(), backend.begin(), backend.end());
    const Outcome of_a = with(words, {"--entry", "a", "--set", "c=0.5"}, standard);
    EXPECT_EQ(of_a.exit_code, 0) << of_a.text();
    // One command line may give the parameters of all.
    const Outcome more = with(words, {"--entry", "a", "--set", "c=0.5", "--set", "k=2"}, standard);
    EXPECT_EQ(more.exit_code, 0) << more.text();
    expect_error(with(words, {"--entry", "a", "--set", "k=2"}, standard),
                 {"E0815", "c has no value"});
    expect_error(with(words, {"--entry", "a", "--set", "c=1", "--set", "d=2"}, standard),
                 {"E0814", "--set d"});
    expect_error(with(words, {"--entry", "b", "--set", "c=2"}, standard),
                 {"E0815", "k has no value"});
  }
  expect_error(run("b", {"--set", "k=2"}), {"E0846", "mine.hpp"});
}

TEST_F(OneEntry, WhatIsEmittedHasNoMore) {
  const Words words = {"emit", file, "-p", "Two", "--rank", "2", "-o"};
  const Outcome of_a = with(words, {folder / "a", "--entry", "a"}, standard);
  EXPECT_EQ(of_a.exit_code, 0) << of_a.text();
  const std::string text = read(folder / "a/Two.hpp") + read(folder / "a/Two_kernels.h");
  EXPECT_TRUE(has(text, "double c")) << text;
  EXPECT_FALSE(has(text, "double k")) << text;
  EXPECT_FALSE(has(text, "mine.hpp")) << text;
  expect_error(with(words, {folder / "all"}, standard), {"E0846", "mine.hpp"});
}

// emit, explain and run lower and schedule the same: the choice is the same for the same machine.
TEST_F(OneEntry, IsScheduledAsItIsExplained) {
  const Words shape = {"--shape", "64,64", "--target", "openmp"};
  const auto after = [](const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    const std::size_t begin = at == std::string::npos ? text.size() : at + mark.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const Outcome told =
      with({"explain", file, "-p", "Two", "-f", "a", "--schedule"}, shape, standard);
  ASSERT_EQ(told.exit_code, 0) << told.text();
  EXPECT_FALSE(has(told.out, " at b")) << told.out;
  const std::string chosen = after(told.out, "  chosen: ");
  EXPECT_TRUE(has(chosen, "predicted")) << told.out;
  const Outcome ran = with({"run", file, "-p", "Two", "--entry", "a", "--in", "u=iota:64,64",
                            "--set", "c=0.5", "--repeat", "1000"},
                           shape, standard);
  ASSERT_EQ(ran.exit_code, 0) << ran.text();
  EXPECT_EQ(after(ran.err, "schedule auto: "), chosen) << ran.err;
  const Outcome emitted =
      with({"emit", file, "-p", "Two", "--entry", "a", "--emit", "schedule", "--schedule", "auto"},
           shape, standard);
  EXPECT_EQ(after(emitted.out, "schedule "), after(told.out, "schedule ")) << emitted.out;
}

// The only procedure is what run takes, and what is explained.
TEST_F(OneEntry, TheOnlyProcedureIsExplained) {
  std::string text = two();
  text.erase(text.find("  procedure b"), text.find("};\nconcept") - text.find("  procedure b"));
  folder.write("two.mg", text);
  const Words words = {"explain", file, "-p", "Two", "--rank", "2"};
  const Outcome told = with(words, {"--schedule", "full"}, standard);
  ASSERT_EQ(told.exit_code, 0) << told.text();
  EXPECT_EQ(told.out, with(words, {"-f", "a", "--schedule", "full"}, standard).out);
  EXPECT_FALSE(has(told.out, "cost of far")) << told.out;
}

// What is wrong with another procedure is said of that one, and of the whole program.
TEST_F(OneEntry, MistakesOfOthersAreTheirs) {
  const std::string broken = folder.write("two.mg", two("u = unknown(u);"));
  expect_error(rhopsi({"check", broken}), {"two.mg:18:", "unknown"});
  folder.write("two.mg", two("call b(u);"));
  const Outcome of_a = run("a", {"--set", "c=0.5"});
  EXPECT_EQ(of_a.exit_code, 0) << of_a.text();
  EXPECT_FALSE(has(of_a.err, "E0508")) << of_a.text();
  expect_error(run("b", {"--set", "k=2"}), {"E0508", "b calls itself"});
  expect_error(rhopsi({"emit", file, "-p", "Two", "--rank", "2", "-o", folder / "all"}),
               {"E0508", "b calls itself"});
}

// A checkpoint of before, or of a compiled whole program, may hold values that the entry has no use
// for.
TEST_F(OneEntry, ACheckpointMayHoldTheParametersOfAll) {
  const std::string state = folder / "state";
  const Outcome saved = run("a", {"--set", "c=0.5", "--set", "k=2", "--checkpoint", state});
  ASSERT_EQ(saved.exit_code, 0) << saved.text();
  io::Checkpoint checkpoint = io::Checkpoint::read(state);
  EXPECT_EQ(checkpoint.values.size(), 1U);
  checkpoint.values.emplace_back("k", "2");
  checkpoint.write(state);
  Words words = {"run",      file, "-p",        "Two",
                 "--entry",  "a",  "--out",     "u=" + folder / "u.npy",
                 "--repeat", "2",  "--restart", state};
  for (const char* backend : {"kokkos", "reference"}) {
    const Outcome restarted = with(words, {"--backend", backend}, standard);
    EXPECT_EQ(restarted.exit_code, 0) << restarted.text();
  }
}

TEST_F(OneEntry, IsTunedAlone) {
  const Outcome tuned = rhopsi({"tune", file, "-p", "Two", "--entry", "a", "--shape", "16,16",
                                "--target", "serial", "--budget", "1"},
                               standard);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.text();
  const Outcome ran = rhopsi({"run", file, "-p", "Two", "--entry", "a", "--in", "u=iota:16,16",
                              "--set", "c=0.5", "--target", "serial", "--schedule", "tuned"},
                             standard);
  EXPECT_EQ(ran.exit_code, 0) << ran.text();
}

// Of overloads the one that can be called from outside is the entry.
TEST_F(OneEntry, IsNotItsElement) {
  std::string text = two();
  const std::string element = "nearIx", entry = "near";
  for (std::size_t at = 0; (at = text.find(element, at)) != std::string::npos; at += entry.size()) {
    text.replace(at, element.size(), entry);
  }
  const std::string spec = folder.write("two.mg", text);
  const Outcome form =
      rhopsi({"emit", spec, "-p", "Two", "--entry", "near", "--rank", "2", "--emit", "onf"});
  ASSERT_EQ(form.exit_code, 0) << form.text();
  EXPECT_TRUE(has(form.out, "function near(u: array float64): array float64")) << form.out;
  EXPECT_FALSE(has(form.out, ": index")) << form.out;
}

// Of a library's operations none is named; of the program's own the nearest dozen.
TEST_F(OneEntry, AnUnknownOneIsToldTheProgramsOwn) {
  std::string text =
      "package own imports moa.library;\nprogram P = implement Expressions in {\n"
      "  use Expressions;\n";
  for (int k = 10; k < 30; ++k) {
    text += "  procedure sweep" + std::to_string(k) + "(upd u: Array) { u = u + u; };\n";
  }
  folder.write("own.mg", text + "};\n");
  const Words words = {"run", folder / "own.mg", "-p", "P", "--in", "u=iota:4"};
  const Outcome unknown = with(words, {"--entry", "zzzzzzzzzzz29"}, standard);
  expect_error(unknown, {"E0801", "there are: sweep29, ", " and 8 others"});
  EXPECT_FALSE(has(unknown.err, "rotate")) << unknown.err;
  const Outcome unnamed = with(words, {}, standard);
  expect_error(unnamed, {"E0802", "there are: sweep10, ", " and 8 others"});
  expect_error(with(words, {"--entry", "sweep1"}, standard), {"E0801", "did you mean 'sweep1"});
}

}  // namespace
}  // namespace rhopsi::exec
