#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

struct Rewriting {
  const char* file;
  const char* program;
};

std::ostream& operator<<(std::ostream& stream, const Rewriting& one) {
  return stream << one.file << " -p " << one.program;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

class Rewritten : public testing::TestWithParam<Rewriting> {};

TEST_P(Rewritten, IsAcceptedAgainAndPrintsTheSame) {
  const Folder folder;
  const std::string file = folder / "again.mg";
  Outcome outcome =
      rhopsi({"rewrite", source(GetParam().file), "-p", GetParam().program, "--trace", "-o", file});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  outcome = rhopsi({"check", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text() << read(file);

  // What was printed is printed again with the same declarations; externals, which are
  // printed first, may move them.
  ASSERT_EQ(
      rhopsi({"rewrite", source(GetParam().file), "-p", GetParam().program, "-o", file}).exit_code,
      0);
  const auto printed = sorted_lines(read(file));
  outcome = rhopsi({"rewrite", file, "-p", GetParam().program, "-o", file});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(sorted_lines(read(file)), printed);
}

INSTANTIATE_TEST_SUITE_P(
    Specifications, Rewritten,
    testing::Values(
        Rewriting{"specs/smooth/smooth.mg", "Base"}, Rewriting{"specs/smooth/smooth.mg", "DNF"},
        Rewriting{"specs/burgers/paper.mg", "Base"}, Rewriting{"specs/burgers/paper.mg", "MoA"},
        Rewriting{"specs/burgers/paper.mg", "DNF"}, Rewriting{"specs/burgers/paper.mg", "Padded"},
        Rewriting{"specs/burgers/paper.mg", "3D"}, Rewriting{"specs/burgers/paper.mg", "3DPadded"},
        Rewriting{"specs/burgers/burgers.mg", "DNF"},
        Rewriting{"specs/burgers/burgers.mg", "3DPadded"},
        Rewriting{"specs/burgers/pads.mg", "Pads2"}, Rewriting{"specs/smooth/lanes.mg", "Lanes"},
        Rewriting{"specs/matrix_chain/matrix_chain.mg", "DevProgram"}));

TEST(Rewrite, SaysWhyItStopped) {
  const Outcome outcome = rhopsi({"rewrite", source("specs/burgers/paper.mg"), "-p", "DNF"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("normal form after 15 passes, 33 steps"), std::string::npos)
      << outcome.err;
}

// 2 * a == 3 * b has one solution with 1 <= a <= 4, which intervals do not see.
constexpr const char* conditional = R"(package conditional imports backend.kokkos;

concept Absolute = {
  type Int literals integer;
  function abs(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom absolute(a: Int) { assert 0 <= a => abs(a) == a; }
};

program Base = {
  use Integers;
  function distance(a: Int, b: Int): Int guard 2 * a == 3 * b && 1 <= a && a <= 4 = abs(a - 3);
};
program After = rewrite Base with Absolute 10;
)";

TEST(Rewrite, ConditionsThatASolverDecides) {
  const Folder folder;
  const std::string file = folder.write("conditional.mg", conditional);
  const std::vector<std::string> command{"rewrite", file, "-p", "After", "--trace"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return rhopsi(more);
  };
  const Outcome decided = with({});
  EXPECT_NE(decided.out.find("proved by Z3"), std::string::npos) << decided.text();
  const Outcome open = with({"--smt", "off"});
  EXPECT_EQ(open.exit_code, 0) << open.text();
  EXPECT_EQ(open.out.find("Z3"), std::string::npos) << open.out;
  EXPECT_NE(open.out.find("unknown by interval"), std::string::npos) << open.out;
  EXPECT_NE(with({"--smt", "perhaps"}).exit_code, 0);
  EXPECT_NE(with({"--smt-timeout", "0"}).exit_code, 0);
}

// A pad of 1 and an offset of 2.
constexpr const char* narrow = R"(package narrow
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize;

program Base = {
  use Arrays;
  function smooth(a: Array): Array =
    0.25 * rotate(a, 0, -2) + 0.5 * a + 0.25 * rotate(a, 0, 1);
  procedure step(upd a: Array) { a = smooth(a); }
};
implementation Axes1D = { require type Axis literals integer; function axis0(): Axis = 0; };
implementation Narrow = { require type Offset literals integer; function padding(): Offset = 1; };
implementation Components =
  rewrite
    (rewrite
      (implement SpecializeGenerator1D[op => smoothIx, op1D => smoothIx1D, E => Real]
       in { use (rewrite
                  (rewrite
                    (rewrite
                      (implement ToIxwiseGenerator[op => smooth, opIx => smoothIx, E => Real] in Base)
                     with ToIxwise[op => smooth] 1)
                   with DNFRules[E => Real] 100)
                 with NameAxes1D 10);
            use Axes1D; use Indices1D; use Psi1D[E => Real]; })
     with OFSpecializePsi1D[E => Real] 10)
  with OFReduceMakeIxRotate1D[E => Real] 20;
implementation Padded =
  rewrite { use Components; use Narrow; } with OFEliminateModuloPadding1D[E => Real] 10;
)";

TEST(Rewrite, ARefusalSaysWhatIsMissingAndWhereItFails) {
  const Folder folder;
  const std::string file = folder.write("narrow.mg", narrow);
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "Padded", "--trace", "-f", "smoothIx1D"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("narrow.mg:7 refused: needs -padding() <= o; "
                             "fails for i = 0, o = -2, padding() = 1\n"),
            std::string::npos)
      << outcome.text();
  // The other access needs no more than it has.
  EXPECT_NE(outcome.out.find("eliminateModuloPaddingRule: 1\n"), std::string::npos);
  EXPECT_NE(outcome.out.find("psi((i + -2) % shape0(), a)"), std::string::npos);
  EXPECT_NE(outcome.out.find("psi(i + 1, a)"), std::string::npos);
}

// The same program with pads whose width is found, and what is left to say about offsets.
std::string with_auto_pads(std::string offset) {
  std::string text = narrow;
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
  };
  replace("rotate(a, 0, -2)", "rotate(a, 0, " + offset + ")");
  replace("use Narrow;", "use AutoPadding;");
  return text + R"(
program Found = {
  use (rewrite Padded with PadSchedule[schedulePadded => schedule1DPadded] 1);
  use PaddedSchedule1D[schedule => schedule1DPadded, element => smoothIx1D, E => Real];
  use FlatSchedule[element => smoothIx, E => Real];
  use Padding;
};
)";
}

TEST(Rewrite, FoundPadsAreTheLeastAndSayWhy) {
  const Folder folder;
  const std::string file = folder.write("narrow.mg", with_auto_pads("-2"));
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "Found"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("padding() = 2, the least that lets every rule fire\n"
                             "  a, axis 0: 2 for psi((i + -2) % shape0(), a) at "),
            std::string::npos)
      << outcome.text();
  EXPECT_NE(outcome.out.find("function padding(): Offset = 2;"), std::string::npos);
  EXPECT_EQ(outcome.out.find(" % "), std::string::npos) << outcome.out;
  // Less would not do, and more than the rules ask for is not taken.
  for (const auto& [offset, width] :
       {std::pair{"0", "1"}, {"1", "1"}, {"-7", "7"}, {"33", "33"}, {"64", "64"}}) {
    const std::string other = folder.write("narrow.mg", with_auto_pads(offset));
    const Outcome found = rhopsi({"rewrite", other, "-p", "Found", "-f", "padding"});
    EXPECT_EQ(found.out, std::string("function padding(): Offset = ") + width + ";\n")
        << found.text();
  }
}

// Beyond the greatest width the rule is refused, as with pads that are stated.
TEST(Rewrite, FoundPadsHaveALimit) {
  const Folder folder;
  const std::string file = folder.write("narrow.mg", with_auto_pads("65"));
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "Found", "--trace"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("refused: needs o <= padding()"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("function padding(): Offset = 1;"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("padding() = 1, the least that lets every rule fire but those that no "
                             "width does\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(
      outcome.err.find("  none up to 64 lets eliminateModuloPaddingRule fire for psi((i + 65) "
                       "% shape0(), a) at "),
      std::string::npos)
      << outcome.err;
  // Whether or not steps are shown.
  const Outcome untraced = rhopsi({"rewrite", file, "-p", "Found"});
  EXPECT_NE(untraced.err.find("  none up to 64 lets eliminateModuloPaddingRule fire"),
            std::string::npos)
      << untraced.err;
}

// 2 <= padding() and padding() <= 1 for one access each: no width is right for both.
TEST(Rewrite, PadsThatCannotBeFoundAreAnError) {
  const Folder folder;
  std::string text = with_auto_pads("-2");
  const std::string rules = R"(
concept Contrary = {
  use signature(OFEliminateModuloPadding1D);
  type Offset literals integer;
  axiom narrowOnly(i: ScalarIndex, a: Array) guard padding() <= 1 {
    assert psi((i + (1: Offset)) % shape0(), a) == psi(i + (1: Offset), a);
  }
  axiom wideOnly(i: ScalarIndex, a: Array) guard (2: Offset) <= padding() {
    assert psi((i + -(2: Offset)) % shape0(), a) == psi(i + -(2: Offset), a);
  }
};
program Impossible = {
  use (rewrite
        (rewrite { use Components; use AutoPadding; } with Contrary[E => Real] 10)
       with PadSchedule[schedulePadded => schedule1DPadded] 1);
  use PaddedSchedule1D[schedule => schedule1DPadded, element => smoothIx1D, E => Real];
  use FlatSchedule[element => smoothIx, E => Real];
  use Padding;
};
)";
  const std::string file = folder.write("narrow.mg", text + rules);
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "Impossible"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("E0350"), std::string::npos) << outcome.text();
}

// t(s^n(z)) takes 3 * 2^n - 2 steps.
constexpr const char* doubling = R"(package doubling;
implementation Ext = external C++ lib.x {
  type T; function z(): T; function s(x: T): T; function t(x: T): T; function c(x: T, y: T): T;
};
concept Rules = {
  use signature(Ext);
  axiom branch(x: T) { assert t(s(x)) == c(t(x), t(x)); }
  axiom end() { assert t(z()) == z(); }
  axiom join() { assert c(z(), z()) == z(); }
};
program Base = { use Ext; function big(): T = t(s(s(s(s(s(s(s(s(z()))))))))); };
program Inner = rewrite Base with Rules by innermost 100000;
program Outer = rewrite Base with Rules by outermost 100000;
program Bounded = rewrite Base with Rules by seq(once, topdown(try(rule(branch)))) 10;
program Passes = rewrite Base with Rules 100;
)";

TEST(Rewrite, ByStrategies) {
  const Folder folder;
  const std::string file = folder.write("doubling.mg", doubling);
  const auto ends = [&](const std::string& program, std::vector<std::string> more = {}) {
    std::vector<std::string> command{"rewrite", file, "-p", program, "-f", "big"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.out.rfind("function big(): T =", 0), 0U) << outcome.text();
    return outcome.err;
  };
  EXPECT_EQ(ends("Inner"), "rewrite with Rules by innermost: normal form, 766 steps\n");
  EXPECT_EQ(ends("Outer"), "rewrite with Rules by outermost: normal form, 766 steps\n");
  EXPECT_EQ(ends("Bounded"),
            "rewrite with Rules by seq(once, topdown(try(rule(branch)))): bound on steps reached, "
            "10 steps\n");
  // Every bound leaves a program and a reason.
  EXPECT_NE(ends("Inner", {"--max-steps", "20"}).find("bound on steps reached, 20 steps"),
            std::string::npos);
  EXPECT_NE(ends("Outer", {"--max-seconds", "0"}).find("bound on time reached"), std::string::npos);
  EXPECT_NE(ends("Inner", {"--max-bytes", "1"}).find("bound on memory reached"), std::string::npos);
  EXPECT_NE(ends("Passes", {"--max-bytes", "1"}).find("bound on memory reached"),
            std::string::npos);
  EXPECT_NE(ends("Passes", {"--max-nodes", "5"}).find("bound on size reached"), std::string::npos);
  EXPECT_EQ(rhopsi({"rewrite", file, "-p", "Inner", "--max-steps", "-1"}).exit_code, 1);
}

TEST(Rewrite, StrategiesAndPassesComeToOneNormalForm) {
  const Folder folder;
  const std::string file =
      folder.write("inner.mg",
                   "package inner imports specs.burgers.paper, moa.dnf;\n"
                   "program Inner = rewrite MoA with DNFRules[E => Float] by innermost 200;\n"
                   "program Outer = rewrite MoA with DNFRules[E => Float] by outermost 200;\n");
  const Outcome passes =
      rhopsi({"rewrite", source("specs/burgers/paper.mg"), "-p", "DNF", "-f", "substepIx"});
  ASSERT_EQ(passes.exit_code, 0) << passes.text();
  for (const char* program : {"Inner", "Outer"}) {
    const Outcome outcome =
        rhopsi({"rewrite", file, "-p", program, "-f", "substepIx", "-I", source("")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.out, passes.out);
    EXPECT_NE(outcome.err.find("normal form, 33 steps"), std::string::npos) << outcome.err;
  }
}

TEST(Rewrite, WhatIsNestedTooDeepIsNotPrinted) {
  const Folder folder;
  const std::string file = folder.write("deep.mg", R"(package deep;
implementation Ext = external C++ lib.x {
  type T; function z(): T; function s(x: T): T; function e(x: T): T; function d(x: T): T;
};
concept Rules = {
  use signature(Ext);
  axiom double(x: T) { assert d(s(x)) == s(s(d(x))); }
  axiom zero() { assert d(z()) == z(); }
  axiom power(x: T) { assert e(s(x)) == d(e(x)); }
  axiom one() { assert e(z()) == s(z()); }
};
program Base = {
  use Ext;
  function big(): T = e(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(z()))))))))))))))))));
  function small(): T = e(z());
};
program P = rewrite Base with Rules by innermost 1000000;
program Q = rewrite Base with Rules 1000000;
)");
  for (const char* program : {"P", "Q"}) {
    const Outcome outcome = rhopsi({"rewrite", file, "-p", program});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("E0847"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("'big(): T' is nested 131073 levels deep"), std::string::npos);
    EXPECT_EQ(rhopsi({"rewrite", file, "-p", program, "-f", "small"}).out,
              "function small(): T = s(z());\n");
  }
}

TEST(Rewrite, OneCallableOnly) {
  const Outcome outcome =
      rhopsi({"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-f", "smoothIx"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out.rfind("function smoothIx(", 0), 0U) << outcome.text();
  EXPECT_EQ(outcome.out.find("procedure"), std::string::npos) << outcome.text();
}

// The same on every machine, wherever the rule library lies.
TEST(Rewrite, TheTraceNamesFilesOfTheLibraryByTheirPackage) {
  Conditions here;
  here.folder = source("specs");
  const Outcome outcome =
      rhopsi({"rewrite", "smooth/smooth.mg", "-p", "DNF", "-f", "smoothIx", "--trace"}, here);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find(" (rules/moa/dnf.mg:"), std::string::npos) << outcome.text();
  EXPECT_EQ(outcome.out.find(source("rules")), std::string::npos) << outcome.text();
  const Outcome absolute = rhopsi(
      {"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-f", "smoothIx", "--trace"},
      here);
  EXPECT_EQ(absolute.out, outcome.out);
}

TEST(Rewrite, UnknownNamesAreAnswered) {
  const std::string file = source("specs/smooth/smooth.mg");
  Outcome outcome = rhopsi({"rewrite", file, "-p", "DNV"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("DNF"), std::string::npos) << outcome.text();
  outcome = rhopsi({"rewrite", file, "-p", "DNF", "-f", "smootIx"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("smoothIx"), std::string::npos) << outcome.text();
}

TEST(Rewrite, AFullDiskLeavesNothing) {
  const Folder folder;
  folder.write("kept.mg", "as it was\n");
  Conditions full;
  full.largest_file = 64;
  // The limit holds for what the test captures too, so standard error may be short.
  const Outcome outcome = rhopsi(
      {"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF", "-o", folder / "kept.mg"}, full);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(read(folder / "kept.mg"), "as it was\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"kept.mg"});
}

TEST(Rewrite, AFullDiskBehindStandardOutput) {
  Conditions full;
  full.out_to = "/dev/full";
  const Outcome outcome = rhopsi({"rewrite", source("specs/smooth/smooth.mg"), "-p", "DNF"}, full);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0832"), std::string::npos) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
