// Certificates, their replay, explanations, what a program rests on, and comparisons.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Json = nlohmann::json;

// abs(a) is a where 0 <= a: an index and a constant show it, a guard says it, and so does that of
// an operation that is called there; elsewhere it is open or false.
constexpr const char* absolute = R"(package absolute imports backend.kokkos;

concept Absolute = {
  type Int literals integer;
  function abs(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom absolute(a: Int) { assert 0 <= a => abs(a) == a; }
};

program Base = {
  use Integers;
  function number(): Int = abs(3);
  function guarded(a: Int): Int guard 1 <= a = abs(a + 1);
  function negative(): Int = abs(-3);
  function open(a: Int): Int = abs(a);
  function half(a: Int, b: Int): Int guard 0 <= a = a / 2;
  function assumed(a: Int): Int = half(a, abs(a));
};

program Sure = {
  use Integers;
  function number(): Int = abs(3);
  function guarded(a: Int): Int guard 1 <= a = abs(a + 1);
};
program After = rewrite Base with Absolute 10;
program AfterSure = rewrite Sure with Absolute 10;
program Once = rewrite Base with Absolute 0;
)";

struct Derivations : testing::Test {
  const Folder folder;
  const std::string file = folder.write("absolute.mg", absolute);

  Outcome on(const std::string& command, const std::string& program,
             std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{command, file, "-p", program};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rhopsi(arguments);
  }
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no `" << part << "` in\n" << text;
}

void expect_error(const Outcome& outcome, const std::string& code, const std::string& message) {
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  expect_contains(outcome.err, code);
  expect_contains(outcome.err, message);
}

TEST_F(Derivations, CertificatesAreWrittenAndReplayed) {
  const std::string certificate = folder / "out.json";
  Outcome outcome = on("rewrite", "After", {"--certificate", certificate});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  outcome = rhopsi({"replay", certificate});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "3 steps, 0 definitions: all hold");
  expect_contains(outcome.out, "3 conditions, 3 of them decided again");
  // Emitting and running write the same derivation.
  const std::string emitted = folder / "emitted.json";
  outcome = rhopsi({"emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "--rank", "1", "-o",
                    folder / "emitted", "--certificate", emitted});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const std::string run = folder / "run.json";
  outcome = rhopsi({"run", source("specs/smooth/smooth.mg"), "-p", "DNF", "--backend", "reference",
                    "--in", "a=iota:8:0.5", "--quiet", "--certificate", run});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(read(emitted), read(run));
  EXPECT_EQ(rhopsi({"replay", run}).exit_code, 0);
}

// Conditions on reals, each decided again by the checker alone.
TEST(Reals, ConditionsAreDecidedAndReplayed) {
  const Folder folder;
  const auto program = [&](const std::string& condition) {
    return folder.write("damped.mg", R"(package damped imports backend.kokkos;
implementation Parameters = external Kokkos parameters { require type Real; function c(): Real; };
concept Cut = {
  use signature(Reals);
  function c(): Real;
  function damp(a: Real): Real;
  axiom cut(a: Real) guard )" + condition +
                                         R"( { assert damp(a) == a; }
};
implementation Base = {
  use Reals;
  use Parameters;
  function damp(a: Real): Real = a;
  function g(a: Real): Real guard 0.0 <= a && a <= c() && c() < 1.0 = damp(a);
};
program After = rewrite Base with Cut 10;
)");
  };
  const auto decided = [&](const std::string& condition) {
    const Outcome outcome =
        rhopsi({"explain", program(condition), "-p", "After", "--why-not", "cut", "-f", "g"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  for (const char* condition :
       {"0.25 <= 1.0", "0.5 == 0.50", "0.5 + 0.25 <= 0.75", "a <= 1.0", "a < 1.0", "a != 2.0",
        "0.5 * c() <= 0.5", "0.25 <= 1.0 || a == 7.0", "a == a"}) {
    const std::string certificate = folder / "out.json";
    Outcome outcome =
        rhopsi({"rewrite", program(condition), "-p", "After", "--certificate", certificate});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    outcome = rhopsi({"replay", certificate});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    expect_contains(outcome.out, "1 condition, 1 of them decided again");
    expect_contains(outcome.out, "1 step,");
  }
  expect_contains(decided("1.0 <= 0.25"), "refuted by constant");
  expect_contains(decided("2.0 <= a"),
                  "refuted by interval: needs 2.0 <= a; `2.0 <= a` is false by what");
  // Of floats it holds, of doubles not.
  const std::string open = decided("0.1 + 0.2 <= 0.3");
  expect_contains(
      open,
      "unknown by interval: needs 0.1 + 0.2 <= 0.3; could not decide `0.1 + 0.2 <= 0.3` from");
  EXPECT_EQ(open.find("Z3"), open.npos) << open;
}

// Each of the reasons for which a rule does not fire, by a program of its own.
TEST(WhyNot, EveryReasonIsTold) {
  const Folder folder;
  const std::string file = folder.write("why.mg", R"(package why imports backend.kokkos;
concept Symbols = {
  use signature(Integers);
  type Real literals real;
  function f(a: Int): Int;
  function f(a: Real): Real;
  function g(a: Int): Int;
  predicate odd(a: Int);
};
concept Inner = { use Symbols; axiom inner(a: Int) { assert f(g(a)) == a; } };
concept Outer = { use Symbols; axiom outer(a: Int) { assert f(a) == g(a); } };
concept Guarded = { use Symbols; axiom guarded(a: Int) guard 0 <= a { assert g(a) == a; } };
concept Odd = { use Symbols; axiom ofOdd(a: Int) guard odd(a) { assert g(a) == a; } };
concept Growing = { use Symbols; axiom grow(a: Int) { assert a * 1 == a * 1 * 1; } };
implementation Base = {
  use Integers;
  use Reals;
  function f(a: Int): Int = a;
  function f(a: Real): Real = a;
  function g(a: Int): Int = a;
  predicate odd(a: Int) = a % 2 == 1;
  function one(a: Int): Int = f(a);
  function two(a: Real): Real = f(a);
  function three(a: Int): Int guard a <= 4 = g(a - 5);
  function four(a: Int): Int = a * 1;
};
program WithInner = rewrite Base with Inner 3;
program WithOuter = rewrite Base with Outer 3;
program WithGuarded = rewrite Base with Guarded 3;
program WithOdd = rewrite Base with Odd 3;
program WithGrowing = rewrite Base with Growing 3;
)");
  const auto why = [&](const std::string& program, const std::string& rule,
                       const std::string& callable, const std::string& at) {
    std::vector<std::string> arguments{"explain", file,     "-p",        program,
                                       "-f",      callable, "--why-not", rule};
    if (!at.empty()) arguments.insert(arguments.end(), {"--at", at});
    const Outcome outcome = rhopsi(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  for (const std::string at : {"", "body"}) {
    expect_contains(why("WithInner", "inner", "one", at),
                    "no match: at 0 of it the left side has `g(a)`, and the program `a`");
    expect_contains(why("WithOuter", "outer", "two", at),
                    "wrong sort: there the left side has `f(Int): Int`, and the program `f(Real): "
                    "Real`");
    const std::string refuted = why("WithGuarded", "guarded", "three", at);
    expect_contains(refuted, "refuted by interval: needs 0 <= a; fails for a = -5");
    const std::string open = why("WithOdd", "ofOdd", "three", at);
    expect_contains(open, "unknown by Z3: needs odd(a); could not decide `odd(a - 5)` from 1 fact");
    expect_contains(why("WithGrowing", "grow", "four", at),
                    "applies: the bound of 3 passes was reached before");
  }
}

// weight is unknown to every decider; what the specification states of it is a lemma.
constexpr const char* weights = R"(package weights imports backend.kokkos;

concept Absolute = {
  type Int literals integer;
  function abs(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  axiom absolute(a: Int) { assert 0 <= a && a <= 1000 => abs(a) == a; }
};

concept Weights = {
  type Int literals integer;
  function weight(a: Int): Int;
  predicate _<=_(a: Int, b: Int);
  theorem weightPositive(a: Int) { assert 1 <= a => 0 <= weight(a); }
  axiom weightSmall(a: Int) { assert weight(a) <= 1000; }
};

concept Rules = {
  use Absolute;
  use Weights;
};

program Base = {
  use Integers;
  function weight(a: Int): Int = a % 500;
  function sure(n: Int): Int guard 2 <= n = abs(weight(n - 1));
  function open(n: Int): Int guard 0 <= n = abs(weight(n - 1));
  function said(n: Int): Int guard 1 <= n && 0 <= weight(n) && weight(n) <= 1000 = abs(weight(n));
};
program After = rewrite Base with Rules 10;
program Without = rewrite Base with Absolute 10;
)";

struct Lemmas : testing::Test {
  const Folder folder;
  const std::string file = folder.write("weights.mg", weights);
};

TEST_F(Lemmas, DecideConditionsThatAreInstancesOfThem) {
  for (const char* smt : {"on", "off"}) {
    const Outcome outcome = rhopsi({"rewrite", file, "-p", "After", "--trace", "--smt", smt});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    expect_contains(outcome.out,
                    "proved by lemma weightPositive, weightSmall, assumed: taken as stated");
    expect_contains(outcome.out, "= weight(n - 1);");
    // The lemma's own condition does not hold there.
    expect_contains(outcome.out, "= abs(weight(n - 1));");
    expect_contains(outcome.out, "the lemma weightPositive says so where `1 <= n - 1`");
    // Both lemmas fit, and the guard says it without them.
    expect_contains(outcome.out, "proved by fact, given the entry check");
  }
  const Outcome trust = rhopsi({"trust", file, "-p", "After"});
  ASSERT_EQ(trust.exit_code, 0) << trust.text();
  expect_contains(trust.out,
                  "assumed: lemmas that conditions were instances of, as they are stated");
  expect_contains(trust.out, "weightPositive (");
  expect_contains(trust.out, "weightSmall (");
}

// They are those of the rules that are used.
TEST_F(Lemmas, OfOtherConceptsDecideNothing) {
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "Without", "--trace"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out.find("lemma"), std::string::npos) << outcome.out;
  EXPECT_EQ(rhopsi({"rewrite", file, "-p", "Without", "--no-assume"}).exit_code, 0);
}

TEST_F(Lemmas, AreAssumptions) {
  const Outcome outcome = rhopsi({"rewrite", file, "-p", "After", "--no-assume"});
  expect_error(outcome, "E0852", "which is stated and not proved here; give `sure` a guard");
  // Not of `said`, which needs none.
  EXPECT_EQ(outcome.err.find("E0852"), outcome.err.rfind("E0852"));
}

TEST_F(Lemmas, AreKeptInCertificatesAndReplayed) {
  const std::string certificate = folder / "out.json";
  ASSERT_EQ(rhopsi({"rewrite", file, "-p", "After", "--certificate", certificate}).exit_code, 0);
  const Outcome outcome = rhopsi({"replay", certificate});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "2 conditions, 2 of them decided again");
  expect_contains(outcome.out, "given the lemma weightPositive (");
}

TEST_F(Derivations, OneFileIsNotWrittenTwice) {
  const std::string certificate = folder / "both.mg";
  const std::string same = folder.path().string() + "/./both.mg";
  const Outcome outcome = on("rewrite", "After", {"--certificate", certificate, "-o", same});
  expect_error(outcome, "E0830", "is --certificate too");
  EXPECT_FALSE(std::filesystem::exists(certificate));
}

TEST_F(Derivations, WhatIsNoCertificateIsRefused) {
  const std::string certificate = folder / "out.json";
  ASSERT_EQ(on("rewrite", "After", {"--certificate", certificate}).exit_code, 0);
  const std::string text = read(certificate);
  const auto with = [&](const std::string& content) {
    return rhopsi({"replay", folder.write("changed.json", content)});
  };
  expect_error(rhopsi({"replay", folder / "missing.json"}), "E0850", "cannot be read");
  expect_error(rhopsi({"replay", folder.path().string()}), "E0850", "cannot be read");
  expect_error(with(""), "E0850", "no JSON");
  expect_error(with(text.substr(0, text.size() / 2)), "E0850", "breaks off");
  expect_error(with("{\"name\": \"x\", \"version\": 1}\n"), "E0850", "no certificate");
  std::string old = text;
  old.replace(old.find("\"version\":2"), 11, "\"version\":1");
  expect_error(with(old), "E0850", "has version 1, and this command reads version 2");
  expect_error(with(old), "E0850", "write the certificate anew with --certificate");
  std::string changed = text;
  changed.replace(changed.find("body.1"), 6, "body.0");
  expect_error(with(changed), "E0850", "has been changed");
  expect_error(on("rewrite", "After", {"--certificate", folder / "no/such/folder.json"}), "E0832",
               "folder");
}

TEST_F(Derivations, ConditionsThatOnlyASolverDecidesAreListedOrAskedAgain) {
  const std::string spec =
      folder.write("conditional.mg", R"(package conditional imports backend.kokkos;
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
)");
  const std::string certificate = folder / "out.json";
  const std::vector<std::string> slow{"--smt-timeout", "60000", "--smt-run-timeout", "120"};
  std::vector<std::string> command{"rewrite", spec, "-p", "After", "--certificate", certificate};
  command.insert(command.end(), slow.begin(), slow.end());
  ASSERT_EQ(rhopsi(command).exit_code, 0);
  const Outcome trusting = rhopsi({"replay", certificate});
  EXPECT_EQ(trusting.exit_code, 0) << trusting.text();
  expect_contains(trusting.out, "trusted, as decided by Z3: absolute");
  command = {"replay", certificate, "--ask"};
  command.insert(command.end(), slow.begin(), slow.end());
  const Outcome asking = rhopsi(command);
  EXPECT_EQ(asking.exit_code, 0) << asking.text();
  expect_contains(asking.out, "asked again, proved by Z3: absolute");
}

TEST_F(Derivations, StepsAreExplained) {
  const Outcome all = on("explain", "After");
  ASSERT_EQ(all.exit_code, 0) << all.text();
  expect_contains(all.out, "step 1: absolute (");
  expect_contains(all.out, "in number, pass 1, body\n     abs(3)\n     ^^^^^^\n  => 3\n     ^\n");
  expect_contains(all.out, "proved by constant");
  expect_contains(all.out, "proved by interval, given the entry check");
  expect_contains(all.out, "refused: absolute");
  expect_contains(all.out, "assumed: the guard of an enclosing operation");
  const Outcome one = on("explain", "After", {"--step", "2"});
  EXPECT_EQ(one.out.find("step 1"), std::string::npos) << one.out;
  expect_contains(one.out, "step 2");
  const Outcome named = on("explain", "After", {"-f", "guarded"});
  EXPECT_EQ(named.out.find(" in number"), std::string::npos) << named.out;
  expect_contains(named.out, "in guarded");
  expect_error(on("explain", "After", {"--step", "99"}), "E0854", "no step 99");
  expect_error(on("explain", "After", {"--step", "two"}), "E0810", "--step two");
  expect_error(on("explain", "After", {"-f", "guardet"}), "E0803", "guarded");
  expect_error(on("explain", "After", {"--at", "body"}), "E0810", "--why-not");
}

// An `if` speaks of the value that a variable has there; of one that a loop has assigned nothing
// is known, and nothing refuted. Each variable of a counterexample has a value.
TEST(Explained, ConditionsOnVariablesThatAreAssigned) {
  const Folder folder;
  const std::string file = folder.write("assigned.mg", R"(package assigned imports backend.kokkos;
concept R = {
  use signature(Integers);
  function clamp(a: Int, low: Int, high: Int): Int;
  axiom inside(a: Int, low: Int, high: Int) {
    assert low <= a && a <= high => clamp(a, low, high) == a;
  }
};
implementation B = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = max(low, min(a, high));
  procedure tested(upd x: Int) { if 0 < x && x < 3 then { x = clamp(x, 0, 3); } else skip; };
  procedure looped(upd x: Int, obs n: Int) {
    if 0 < x && x < 3 then { for i in 0 .. n { x = clamp(x, 0, 3); }; } else skip;
  };
  procedure moved(upd x: Int) guard 0 <= x && x <= 5 { x = x + 6; x = clamp(x, 0, 10); };
  function far(a: Int): Int = clamp(a - 1, -9223372036854775807, a);
};
program A = rewrite B with R 10;
)");
  const auto why = [&](const std::string& callable) {
    const Outcome outcome = rhopsi({"explain", file, "-p", "A", "-f", callable});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  expect_contains(why("tested"), "proved by interval\n");
  const std::string looped = why("looped");
  expect_contains(looped, "unknown by interval: needs low <= a");
  expect_contains(looped, "but not all is known of `x`");
  EXPECT_EQ(looped.find("refuted"), std::string::npos) << looped;
  expect_contains(why("moved"),
                  "refuted by interval: needs a <= high; fails for a = 11, low = 0, high = 10");
  expect_contains(why("far"),
                  "refuted by Z3: needs low <= a; fails where a = -9223372036854775807");
}

TEST_F(Derivations, WhyARuleIsNotApplied) {
  const auto why = [&](const std::string& program, std::vector<std::string> more) {
    more.insert(more.begin(), {"--why-not", "absolute"});
    const Outcome outcome = on("explain", program, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  expect_contains(why("After", {"-f", "negative"}), "refuted by constant");
  expect_contains(why("After", {"-f", "open"}),
                  "refuted by interval: needs 0 <= a; fails for a = -1");
  expect_contains(why("After", {"-f", "number", "--at", "body"}),
                  "no match: there the left side has `abs(a)`, and the program `3`");
  expect_contains(why("After", {"-f", "number"}), "no match");
  expect_contains(why("Once", {"-f", "number"}), "the bound of 0 passes was reached before");
  expect_contains(why("After", {"--step", "1"}), "applies");
  expect_error(on("explain", "After", {"--why-not", "absolut"}), "E0853", "'absolute'");
  expect_error(on("explain", "After", {"--why-not", "absolute", "--at", "body.7.7"}), "E0854",
               "body.7.7");
  expect_error(on("explain", "After", {"--why-not", "absolute", "--at", "body.x"}), "E0810",
               "no position");
  expect_error(on("explain", "After", {"--why-not", "absolute", "--step", "42"}), "E0854",
               "no step 42");
}

// The rule is there, but not in the transformation that the step is of.
TEST(Explained, ARuleOfAnotherTransformationIsNamed) {
  const Outcome outcome = rhopsi({"explain", source("specs/burgers/paper.mg"), "-p", "DNF",
                                  "--why-not", "rotateRule", "--step", "3"});
  expect_error(outcome, "E0853", "the transformation of step 3 has no rule 'rotateRule'");
  expect_error(outcome, "E0853", "it is one of: DNFRules");
}

TEST_F(Derivations, AVariableOfAnotherSortIsNamed) {
  // The left side has a variable twice.
  const std::string spec = folder.write("twice.mg", R"(package twice imports backend.kokkos;
concept Twice = {
  type Int literals integer;
  function _-_(a: Int, b: Int): Int;
  axiom nothing(a: Int) { assert a - a == 0; }
};
program Base = { use Integers; function f(a: Int, b: Int): Int = (a - b) * (b - b); };
program After = rewrite Base with Twice 10;
)");
  const Outcome outcome = rhopsi({"explain", spec, "-p", "After", "--why-not", "nothing"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "a variable that occurs twice would be `a` and, at 1 of it, `b`");
}

TEST_F(Derivations, WhatAProgramRestsOn) {
  const Outcome outcome = on("trust", "After");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "absolute (");
  expect_contains(outcome.out, "3 uses");
  expect_contains(outcome.out, "assumed: conditions");
  expect_contains(outcome.out, "absolute in assumed: 0 <= a");
  expect_contains(outcome.out, "entry checks: conditions");
  expect_contains(outcome.out, "absolute in guarded: 0 <= a + 1");
  const Outcome foreign =
      rhopsi({"trust", source("specs/matrix_chain/matrix_chain.mg"), "-p", "DevProgram"});
  expect_contains(foreign.out, "C++ lib.int_matrices");
}

// What each condition rests on: with the rule, the operation, and how often.
std::set<std::string> conditions_of(const Json& report) {
  std::set<std::string> found;
  for (const Json& each : report.at("conditions")) {
    const std::string uses = std::to_string(each.at("uses").get<int>());
    found.insert(each.at("basis").get<std::string>() + ": " + each.at("rule").get<std::string>() +
                 " in " + each.at("callable").get<std::string>() + ": " +
                 each.at("condition").get<std::string>() + ", " + uses);
  }
  return found;
}

// All of the conditions that do not follow from the constructs around them, and no others.
TEST_F(Derivations, TheScopeOfTrustIsListedInFull) {
  const Outcome outcome = on("trust", "After", {"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("program"), "After");
  EXPECT_EQ(conditions_of(report),
            (std::set<std::string>{"assumed: absolute in assumed: 0 <= a, 1",
                                   "entry check: absolute in guarded: 0 <= a + 1, 1"}));
  ASSERT_EQ(report.at("axioms").size(), 1U);
  const Json axiom = report.at("axioms").at(0);
  EXPECT_EQ(axiom.at("axiom"), "absolute");
  EXPECT_EQ(axiom.at("line"), 7);
  EXPECT_EQ(axiom.at("uses"), 3);
  EXPECT_FALSE(axiom.contains("defines"));
  EXPECT_TRUE(report.at("lemmas").empty());
  EXPECT_TRUE(report.at("externals").empty());
  // The text says the same.
  const std::string text = on("trust", "After").out;
  expect_contains(text, "absolute (" + axiom.at("file").get<std::string>() + ":7), 3 uses");
  for (const Json& each : report.at("conditions")) {
    expect_contains(text, each.at("rule").get<std::string>() + " in " +
                              each.at("callable").get<std::string>() + ": " +
                              each.at("condition").get<std::string>() + "\n");
  }
  // What is sure rests on its axiom and the entry check; what was not transformed on nothing.
  const Json sure = Json::parse(on("trust", "AfterSure", {"--json"}).out);
  EXPECT_EQ(conditions_of(sure),
            (std::set<std::string>{"entry check: absolute in guarded: 0 <= a + 1, 1"}));
  const Json base = Json::parse(on("trust", "Base", {"--json"}).out);
  EXPECT_TRUE(base.at("axioms").empty());
  EXPECT_TRUE(base.at("conditions").empty());
}

TEST_F(Lemmas, AreListedByTrustWithTheirInstances) {
  const Outcome outcome = rhopsi({"trust", file, "-p", "After", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const Json report = Json::parse(outcome.out);
  ASSERT_EQ(report.at("lemmas").size(), 2U);
  EXPECT_EQ(report.at("lemmas").at(0).at("lemma"), "weightPositive");
  EXPECT_EQ(report.at("lemmas").at(1).at("lemma"), "weightSmall");
  EXPECT_EQ(report.at("lemmas").at(1).at("uses"), 1);
  int instances = 0;
  for (const std::string& each : conditions_of(report)) {
    instances += each.starts_with("lemma: absolute in sure: ") ? 1 : 0;
    EXPECT_FALSE(each.starts_with("lemma: absolute in said: ")) << each;
  }
  EXPECT_EQ(instances, 1);
}

TEST(Trust, NamesWhatOtherLibrariesBring) {
  const Outcome outcome =
      rhopsi({"trust", source("specs/matrix_chain/matrix_chain.mg"), "-p", "DevProgram", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const Json externals = Json::parse(outcome.out).at("externals");
  ASSERT_FALSE(externals.empty());
  for (const Json& each : externals) {
    EXPECT_EQ(each.at("backend"), "C++");
    EXPECT_FALSE(each.at("operation").get<std::string>().empty());
  }
}

// Where `verify` has been asked of the file, and as long as the file says the same.
TEST(Trust, TellsWhetherDefinitionsStayWithinTheirArrays) {
  const Folder folder;
  const std::string text = R"(package next imports moa.library;
concept Next = {
  use Expressions;
  function next(A: Array): Array guard dim(A) == 1 && 0 < at(shape(A), 0);
  axiom nextShape(A: Array) { assert shape(next(A)) == [at(shape(A), 0) - 1]; }
  axiom nextElement(p: Index, A: Array) {
    assert psi(p, next(A)) == (psi([at(p, 0) + 1], A): Number);
  }
};
program P = implement Next in {
  use Next;
  procedure step(obs u: Array, out v: Array) guard dim(u) == 1 && 0 < at(shape(u), 0) {
    v = next(u);
  };
};
)";
  const std::string file = folder.write("next.mg", text);
  const auto trust = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"trust", file, "-p", "P"});
    const Outcome outcome = rhopsi(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  const std::string within = "definition as next.Next.nextElement, within its arrays, up to 4 axes";
  EXPECT_EQ(trust({}).find("within its arrays"), std::string::npos);
  ASSERT_EQ(rhopsi({"verify", file}).exit_code, 0);
  expect_contains(trust({}), within);
  const Json report = Json::parse(trust({"--json"}));
  int verified = 0;
  for (const Json& each : report.at("axioms")) {
    if (each.at("axiom") != "nextElement") continue;
    ++verified;
    EXPECT_TRUE(each.at("defines"));
    EXPECT_EQ(each.at("verified").at("within_arrays"), true);
    EXPECT_EQ(each.at("verified").at("up_to_axes"), 4);
  }
  EXPECT_EQ(verified, 1);
  folder.write("next.mg", text + "// another text\n");
  EXPECT_EQ(trust({}).find("within its arrays"), std::string::npos);
}

// Where the program itself says what an operation is, an axiom is no definition of it, and a proof
// for another body is none for this one.
TEST(Trust, DefinitionsBesideABodyAreAssumed) {
  const Folder folder;
  const std::string text = R"(package band imports backend.kokkos;
concept Clamping = {
  use signature(Integers);
  function clamp(a: Int, low: Int, high: Int): Int;
  axiom clampInside(a: Int, low: Int, high: Int) {
    assert low <= a && a <= high => clamp(a, low, high) == a + 1;
  }
};
implementation Base = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = max(low, min(a, high));
  function tone(k: Int): Int guard 0 <= k && k <= 7 = clamp(k, 0, 7);
};
implementation Next = {
  use Integers;
  function clamp(a: Int, low: Int, high: Int): Int = a + 1;
  function tone(k: Int): Int guard 0 <= k && k <= 7 = clamp(k, 0, 7);
};
program After = rewrite Base with Clamping 10;
program AfterNext = rewrite Next with Clamping 10;
)";
  const std::string file = folder.write("band.mg", text);
  const auto found = [&](const std::string& program) {
    const Outcome outcome = rhopsi({"trust", file, "-p", program, "--prove", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return Json::parse(outcome.out).at("axioms").at(0).at("verified");
  };
  const Json assumed = found("After");
  EXPECT_EQ(assumed.at("status"), "assumed");
  expect_contains(assumed.at("reason"), "clamp has a body of its own in Base");
  folder.write("band.mg", text + "satisfaction Fits = Next models Clamping;\n");
  EXPECT_EQ(found("After").at("axiom"), "band.Clamping.clampInside") << "a proof of another body";
  EXPECT_EQ(found("After").at("status"), "assumed");
  EXPECT_EQ(found("AfterNext").at("axiom"), "band.Fits.clampInside");
  EXPECT_EQ(found("AfterNext").at("status"), "proved");
  folder.write("band.mg", text +
                              "satisfaction Fits = Next models Clamping;\n"
                              "satisfaction Fails = Base models Clamping;\n");
  EXPECT_EQ(found("After").at("status"), "refuted");
  EXPECT_EQ(found("AfterNext").at("status"), "proved");
}

// An axiom may be wrong of any operation that it speaks of, not only of the one that it begins
// with.
TEST(Trust, ABodyBesideTheSubjectCountsToo) {
  const Folder folder;
  const std::string text = R"(package beside imports backend.kokkos, moa.library;
concept Keeping = {
  use signature(Expressions);
  function keep(a: Int): Int;
  function same(a: Int): Int;
  axiom keepMeans(a: Int) { assert keep(a) == a; }
  axiom sameMeans(a: Int) { assert same(a) == a; }
  axiom keepKeep(a: Int) { assert keep(keep(a)) == same(a); }
};
concept Shifted = {
  use signature(Integers);
  function twice(a: Int): Int;
  function shifted(a: Int): Int;
  axiom shiftedMeans(a: Int) { assert shifted(a) == twice(a) + 1; }
};
concept Steps = {
  use signature(Integers);
  function width(): Int;
  function clip(a: Int): Int;
  axiom clipMeans(a: Int) guard 0 <= width() { assert clip(a) == a; }
};
implementation Base = {
  use Integers;
  function keep(a: Int): Int;
  function same(a: Int): Int = a + 1;
  function entry(a: Int): Int = keep(keep(a));
};
implementation Kept = rewrite Base with Keeping 1;
program After = { use Kept; function keep(a: Int): Int = a; };
implementation Open = {
  use Integers;
  function twice(a: Int): Int = a + a + 1;
  function shifted(a: Int): Int;
  function entry(a: Int): Int = shifted(a);
};
implementation Abstract = rewrite Open with Shifted 1;
program Given = { use Abstract; function shifted(a: Int): Int = a; };
implementation Wide = {
  use Integers;
  function width(): Int = 2;
  function clip(a: Int): Int;
  function entry(a: Int): Int = clip(a);
};
implementation Clipped = rewrite Wide with Steps 1;
program Plain = { use Clipped; function clip(a: Int): Int = a; };
)";
  const std::string file = folder.write("beside.mg", text);
  const auto found = [&](const std::string& program) {
    const Outcome outcome = rhopsi({"trust", file, "-p", program, "--prove", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return Json::parse(outcome.out).at("axioms").at(0).at("verified");
  };
  const Json beside = found("After");
  EXPECT_EQ(beside.at("axiom"), "beside.Keeping.keepKeep");
  EXPECT_EQ(beside.at("status"), "assumed") << "it is proved of another `same`";
  expect_contains(beside.at("reason"), "same has a body of its own in Base");
  // Whatever `twice` is: nothing else says what `shifted` is.
  EXPECT_EQ(found("Given").at("status"), "definition");
  // The condition holds for any width.
  EXPECT_EQ(found("Plain").at("status"), "definition");
}

// What `implement` gave is the axiom's own, and stays it under other names.
TEST(Trust, BodiesFromTheAxiomItselfAreNoneOfTheProgram) {
  const Folder folder;
  const std::string file = folder.write("twice.mg", R"(package twice imports backend.kokkos;
concept Twice = {
  use signature(Integers);
  function twice(a: Int): Int;
  axiom twiceMeans(a: Int) { assert twice(a) == a + a; }
};
implementation Given = implement Twice in { use Integers; use signature(Twice); };
implementation Renamed = { use Given[twice => double]; function four(a: Int): Int = double(2); };
program After = rewrite Renamed with Twice[twice => double] 10;
)");
  const Outcome outcome = rhopsi({"trust", file, "-p", "After", "--prove", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const Json axioms = Json::parse(outcome.out).at("axioms");
  ASSERT_EQ(axioms.size(), 1U);
  EXPECT_EQ(axioms.at(0).at("uses"), 2);
  EXPECT_EQ(axioms.at(0).at("verified").at("status"), "definition");
}

// A comparison that the lemma's concept only declares is the program's; of what no program gives
// either the lemma is assumed.
TEST(Trust, ALemmaIsAssumedOfWhatNothingDefines) {
  const Folder folder;
  const std::string file = folder.write("bands.mg", R"(package bands imports backend.kokkos;
concept Bands = {
  use signature(Integers);
  function band(k: Int): Int;
  axiom bandLow(k: Int) { assert 0 <= band(k); }
};
concept Clamping = {
  use signature(Integers);
  function clamp(a: Int): Int;
  axiom inside(a: Int) { assert 0 <= a => clamp(a) == a; }
};
concept Rules = { use Bands; use Clamping; };
implementation Base = {
  use Integers;
  require function band(k: Int): Int;
  require function clamp(a: Int): Int;
  function low(k: Int): Int = clamp(band(k));
};
implementation After = rewrite Base with Rules 10;
)");
  const Outcome outcome = rhopsi({"trust", file, "-p", "After", "--prove"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "), 1 use: assumed: nothing defines band(Int): Int\n");
  EXPECT_EQ(outcome.out.find("_<=_"), std::string::npos) << outcome.out;
  expect_contains(outcome.out,
                  "definition: of clamp(Int): Int where its condition holds; the program gives "
                  "that operation no body");
}

// Conditions about the shapes of expressions are decided by the axioms of shapes, which the result
// rests on, and which a certificate names.
TEST(Shapes, OfExpressionsDecideConditions) {
  const Folder folder;
  const std::string file = source("tests/unit/check/shapes.mg");
  const std::string certificate = folder / "out.json";
  for (const char* smt : {"on", "off"}) {
    const Outcome outcome = rhopsi({"explain", file, "-p", "After", "--smt", smt});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    for (const char* callable : {"first", "last", "row", "short", "twice", "product", "rows"}) {
      expect_contains(outcome.out, std::string(" in ") + callable + ", pass 1");
    }
    expect_contains(outcome.out, "`1 == 1` by dimDefinition, ravelShape");
    expect_contains(outcome.out, "takeShape, replaceDefinition");
    expect_contains(outcome.out,
                    "refuted by interval: needs dim(A) == 1; `dim(u) == 1` is false by what is "
                    "known there");
  }
  ASSERT_EQ(rhopsi({"rewrite", file, "-p", "After", "--certificate", certificate}).exit_code, 0);
  const Outcome replayed = rhopsi({"replay", certificate});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.text();
  expect_contains(replayed.out, "7 conditions, 6 of them decided again");
  const Outcome trust = rhopsi({"trust", file, "-p", "After"});
  expect_contains(trust.out, "  takeShape (");
  const Outcome why =
      rhopsi({"explain", file, "-p", "After", "-f", "row", "--why-not", "transposeOne"});
  expect_contains(why.out, "applie");
}

TEST_F(Derivations, AssumedConditionsAreErrorsWhereTheyMayNotBe) {
  expect_error(on("rewrite", "After", {"--no-assume"}), "E0852", "absolute is assumed here");
  EXPECT_EQ(on("rewrite", "AfterSure", {"--no-assume"}).exit_code, 0);
  expect_error(rhopsi({"check", file, "--no-assume"}), "E0852", "absolute.mg:");
  EXPECT_EQ(rhopsi({"check", file}).exit_code, 0);
}

TEST_F(Derivations, NothingInTheSpecificationsIsAssumed) {
  const Outcome outcome = rhopsi({"check", source("specs"), "--no-assume"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
}

TEST_F(Derivations, ProgramsAreCompared) {
  const Outcome outcome = rhopsi({"diff", file + ":Base", file + ":After"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  expect_contains(outcome.out, "  - function number(): Int = abs(3);\n");
  expect_contains(outcome.out, "  + function number(): Int = 3;\n");
  expect_contains(outcome.out, "nothing is transformed");
  expect_contains(outcome.out, "applications of rules");
  EXPECT_EQ(outcome.out.find("function negative"), std::string::npos) << outcome.out;
  const Outcome same = rhopsi({"diff", file + ":Base", file + ":Base"});
  expect_contains(same.out, "6 operations are the same in both");
  expect_error(rhopsi({"diff", file, file + ":After"}), "E0800", "several programs");
  expect_error(rhopsi({"diff", file + ":Bas", file + ":After"}), "E0301", "Base");
  EXPECT_EQ(rhopsi({"diff", folder / "no.mg:A", file + ":After"}).exit_code, 1);
  EXPECT_EQ(rhopsi({"diff", file}).exit_code, 1);
}

// One pass in place of seven, and no index modulo a length where there are pads.
TEST(Costs, OfElementsAreCompared) {
  const std::string smooth = source("specs/smooth/smooth.mg");
  const std::string paper = source("specs/burgers/paper.mg");
  const auto row = [&](const std::string& what, int left, int right) {
    std::string text = "  step: " + what;
    text += std::string(46 - text.size(), ' ') + std::to_string(left);
    return text + std::string(60 - text.size(), ' ') + std::to_string(right) + "\n";
  };
  const Outcome passes = rhopsi({"diff", smooth + ":Base", smooth + ":DNF"});
  expect_contains(passes.out, row("operations", 5, 5));
  expect_contains(passes.out, row("reads", 9, 3));
  expect_contains(passes.out, row("writes", 7, 1));
  expect_contains(passes.out, row("passes over arrays", 7, 1));
  const Outcome pads = rhopsi({"diff", paper + ":DNF", paper + ":3DPadded"});
  expect_contains(pads.out, row("operations on indices", 72, 0));
}

}  // namespace
}  // namespace rhopsi::exec
