// `rhopsi analyze`: answers, certificates, the rule library, and what is refused.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

std::string analyzed(const std::string& file, const std::string& module) {
  const Outcome outcome = rhopsi({"analyze", source(file), "-m", module, "--timeout", "60"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  return outcome.out;
}

TEST(Analyze, PrintsAnswersWithCertificates) {
  const Folder folder;
  const Outcome outcome = rhopsi({"analyze", "--trs", folder.write("add.ari", addition)});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_TRUE(outcome.out.starts_with("termination: YES\n  lexicographic path order\n"))
      << outcome.text();
  EXPECT_TRUE(has(outcome.out, "\nconfluence: YES\n  orthogonal")) << outcome.text();
  EXPECT_EQ(outcome.err, "");
}

TEST(Analyze, ShowsALoopStepByStep) {
  const Folder folder;
  const std::string file =
      folder.write("loop.trs", "(VAR x)(RULES f(s(x)) -> g(x) g(x) -> f(s(s(x))))");
  const Outcome outcome = rhopsi({"analyze", "--trs", file, "--only", "termination"});
  EXPECT_EQ(outcome.out,
            "termination: NO\n  loop of 2 steps\n    f(s(x))\n"
            "    -> g(x)   at root by f(s(x)) -> g(x)\n"
            "    -> f(s(s(x)))   at root by g(x) -> f(s(s(x)))\n"
            "    contains the first term with x := s(x)\n");
}

TEST(Analyze, ShowsTwoNormalForms) {
  const Folder folder;
  const std::string file = folder.write("two.trs", "(RULES a -> b a -> c)");
  const Outcome outcome = rhopsi({"analyze", "--trs", file, "--only", "confluence"});
  EXPECT_EQ(outcome.out,
            "confluence: NO\n  one term has two normal forms\n"
            "    from a\n      -> b   at root by a -> b\n"
            "    from a\n      -> c   at root by a -> c\n");
}

TEST(Analyze, PrintsOneObject) {
  const Folder folder;
  const Outcome outcome = rhopsi({"analyze", "--trs", folder.write("add.ari", addition), "--json"});
  const auto object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object["termination"]["answer"], "YES");
  EXPECT_EQ(object["confluence"]["answer"], "YES");
  EXPECT_FALSE(object["termination"]["certificate"]["text"].get<std::string>().empty());
}

TEST(Analyze, RespectsTheStrategy) {
  const Folder folder;
  const std::string file = folder.write("s.trs", "(VAR x)(RULES f(a) -> f(a) a -> b)");
  EXPECT_TRUE(has(rhopsi({"analyze", "--trs", file, "--only", "termination"}).out, ": NO"));
  EXPECT_TRUE(
      has(rhopsi({"analyze", "--trs", file, "--only", "termination", "--innermost"}).out, ": YES"));
}

TEST(Analyze, StopsAtTheLimit) {
  const Folder folder;
  // Open, and long to search: (a, b, c) as in the tag problem of Post.
  const std::string file =
      folder.write("hard.srs", "(RULES a a -> b c , b b -> a c c c , c c -> a b b a)");
  const Outcome outcome =
      rhopsi({"analyze", "--trs", file, "--only", "termination", "--timeout", "1"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with("termination: ")) << outcome.text();
}

// --- the rule library

TEST(AnalyzeRules, ThePapersNormalFormRulesTerminateAndAreConfluent) {
  const std::string out = analyzed("rules/moa/dnf.mg", "DNFRules");
  EXPECT_TRUE(out.starts_with("termination: YES\n  (28 rules)\n  lexicographic path order")) << out;
  EXPECT_TRUE(has(out, "\nconfluence: YES\n")) << out;
  EXPECT_FALSE(has(out, "lint:")) << out;
}

TEST(AnalyzeRules, LintFindsWhatCannotFire) {
  const Folder folder;
  const std::string file = folder.write("odd.mg", R"(package odd imports backend.kokkos;
concept Odd = {
  use Integers;
  function f(a: Int): Int;
  function g(a: Int): Int;
  axiom every(a: Int) { assert f(a) == 0; }
  axiom hidden(a: Int) { assert f(g(a)) == 1; }
  axiom never(a: Int, b: Int) { assert a < b && b < a => g(a + b) == 0; }
  axiom parity(a: Int) { assert 2 * a == 3 && a == a => g(a) == 0; }
  axiom seldom(a: Int) { assert a < 0 => g(a) == 1; }
};
)");
  const Outcome outcome = rhopsi({"analyze", file, "-m", "Odd"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_TRUE(has(outcome.out, "rule hidden can never fire: rule every takes")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "rule never can never fire: its condition")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "rule parity can never fire: its condition")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "rule seldom can never fire")) << outcome.out;
}

// The lint says of conditions what the answer on confluence does.
TEST(AnalyzeRules, LintLeavesOutWhatConditionsExclude) {
  const Folder folder;
  const std::string file = folder.write("apart.mg", R"(package apart imports backend.kokkos;
concept Apart = {
  use Integers;
  use Reals;
  function g(a: Int, b: Int): Int;
  function f(a: Real): Real;
  function k(a: Int): Int;
  axiom below(a: Int, b: Int) { assert a < b => g(a, b) == 0; }
  axiom above(a: Int, b: Int) { assert b < a => g(a, b) == 1; }
  axiom same(a: Int) { assert g(a, a) == 2; }
  axiom low(a: Real) { assert 10.0 * a < 1.0 => f(a) == 0.0; }
  axiom high(a: Real) { assert 0.1 <= a => f(a) == 1.0; }
  axiom minus(a: Int) { assert a <= 0 => k(a) == 0; }
  axiom plus(a: Int) { assert 0 <= a => k(a) == 0; }
};
)");
  const Outcome outcome = rhopsi({"analyze", file, "-m", "Apart"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  for (const std::string pair :
       {"above and below", "same and above", "same and below", "high and low"}) {
    EXPECT_FALSE(has(outcome.out, "rules " + pair + " overlap")) << outcome.out;
  }
  EXPECT_TRUE(has(outcome.out, "rules plus and minus overlap")) << outcome.out;
}

TEST(AnalyzeRules, TheTotalIndexRulesTerminateAndAreConfluent) {
  for (const auto& [file, module] : std::vector<std::pair<std::string, std::string>>{
           {"rules/definitions/structure.mg", "Structure"},
           {"rules/definitions/boundaries.mg", "Boundaries"},
           {"rules/definitions/vectors.mg", "VectorAlgebra"}}) {
    const std::string out = analyzed(file, module);
    EXPECT_TRUE(out.starts_with("termination: YES\n")) << module << "\n" << out;
    EXPECT_TRUE(has(out, "\nconfluence: YES\n")) << module << "\n" << out;
  }
}

TEST(AnalyzeRules, LawsOfIndexVectorsHaveNoPairOfDifferentValues) {
  const std::string out = analyzed("rules/moa/laws.mg", "VectorLaws");
  EXPECT_TRUE(out.starts_with("termination: YES\n")) << out;
  EXPECT_TRUE(has(out, "\nconfluence: MAYBE (modulo integer arithmetic)\n")) << out;
  EXPECT_TRUE(has(out, "holds arithmetic, and does not match what is equal to it")) << out;
  EXPECT_TRUE(has(out, ": equal as values")) << out;
}

// Of doubles they may hold both: 1e30 + 1.0 <= 1e30.
TEST(AnalyzeRules, WhatIsEqualAsRealNumbersAloneIsSaidToBe) {
  const Folder folder;
  const std::string file =
      folder.write("t.mg",
                   "package t imports backend.kokkos;\n"
                   "concept C = { use Reals; function f(a: Real): Real;\n"
                   "  axiom x(a: Real) { assert a + 1.0 <= a => f(a) == 0.0; }\n"
                   "  axiom y(a: Real) { assert 0.0 < a => f(a) == 1.0; } };\n");
  const Outcome outcome = rhopsi({"analyze", file, "-m", "C", "--timeout", "60"});
  EXPECT_TRUE(has(outcome.out, ": equal as real numbers")) << outcome.text();
  EXPECT_FALSE(has(outcome.out, "as values")) << outcome.text();
}

TEST(AnalyzeRules, TheIndexAlgebraIsConfluentModuloArithmetic) {
  const std::string out = analyzed("rules/arith/vectors.mg", "IndexAlgebra");
  EXPECT_TRUE(out.starts_with("termination: YES\n")) << out;
  EXPECT_TRUE(has(out, "\nconfluence: YES (modulo integer arithmetic)\n")) << out;
  EXPECT_TRUE(has(out, "the rules hold by the definitions")) << out;
}

// The answer and the certificate about the rules of one concept over integers.
std::string confluence_of(const std::string& rules) {
  const Folder folder;
  const std::string file = folder.write("own.mg",
                                        "package own imports moa.library;\n"
                                        "concept C = {\n"
                                        "  use signature(Expressions);\n" +
                                            rules + "};\n");
  const Outcome outcome =
      rhopsi({"analyze", file, "-m", "C", "--only", "confluence", "--timeout", "60"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  return outcome.out.substr(0, outcome.out.find("lint:"));
}

TEST(AnalyzeModulo, SumsInAnyOrderAreOne) {
  const std::string out = confluence_of(
      "  function f(a: Int): Int;\n  function g(a: Int, b: Int): Int;\n"
      "  axiom left(a: Int, b: Int) { assert f(g(a, b)) == a * (b + 1); };\n"
      "  axiom inner(a: Int, b: Int) { assert g(a, g(a, b)) == b; };\n"
      "  axiom same(a: Int) { assert f(a) == a; };\n"
      "  axiom pair(a: Int, b: Int) { assert g(a, b) == b * a + a; };\n");
  // b, and (b a + a) a + a by pair twice: the rules do not hold together.
  EXPECT_TRUE(out.starts_with("confluence: NO (modulo integer arithmetic)\n")) << out;
  const std::string good = confluence_of(
      "  function f(a: Int): Int;\n  function g(a: Int, b: Int): Int;\n"
      "  axiom left(a: Int, b: Int) { assert f(g(a, b)) == a * (b + 1); };\n"
      "  axiom same(a: Int) { assert f(a) == a; };\n"
      "  axiom pair(a: Int, b: Int) { assert g(a, b) == b * a + a; };\n");
  EXPECT_TRUE(good.starts_with("confluence: YES (modulo integer arithmetic)\n")) << good;
}

TEST(AnalyzeModulo, ALeftSideWithArithmeticIsNoProof) {
  const std::string out = confluence_of(
      "  function f(a: Int): Int;\n  function g(a: Int): Int;\n"
      "  axiom next(a: Int) { assert f(a + 1) == f(a); };\n"
      "  axiom twice(a: Int) { assert g(g(a)) == a + 1 - 1; };\n");
  EXPECT_TRUE(out.starts_with("confluence: MAYBE (modulo integer arithmetic)\n")) << out;
  EXPECT_TRUE(has(out, "holds arithmetic")) << out;
}

// As terms they terminate: k(0) becomes p((0 - 0) + 0), which is normal. With arithmetic they do
// not.
TEST(AnalyzeModulo, RulesThatEndAsTermsMayNotEndWithArithmetic) {
  const std::string out = confluence_of(
      "  function k(a: Int): Int;\n  function p(a: Int): Int;\n  function q(a: Int): Int;\n"
      "  axiom down(a: Int) { assert k(a) == p((0 - a) + a); };\n"
      "  axiom up() { assert p(0) == k(0); };\n"
      "  axiom one(a: Int) { assert q(q(a)) == a + 1 - 1; };\n");
  EXPECT_FALSE(has(out, "confluence: YES")) << out;
  EXPECT_TRUE(has(out, "no path order in which arithmetic is below all else")) << out;
}

TEST(AnalyzeModulo, PairsOfDifferentValuesAreShown) {
  const std::string out = confluence_of(
      "  theorem lenJoin(p: Index, q: Index) { assert len(join(p, q)) == len(p) + len(q); };\n"
      "  theorem wrong(p: Index) { assert join(p, []) == reverse(p); };\n"
      "  theorem right(p: Index) { assert join([], p) == p; };\n"
      "  theorem at0(p: Index, q: Index) { assert at(join(p, q), 0) == at(p, 0); };\n");
  EXPECT_TRUE(out.starts_with("confluence: NO (modulo integer arithmetic)\n")) << out;
  EXPECT_TRUE(has(out, ": different values")) << out;
  EXPECT_TRUE(has(out, "the left side is")) << out;
}

TEST(AnalyzeModulo, ConditionsThatExcludeEachOtherAreNoOverlap) {
  const std::string rules =
      "  function f(a: Int): Int;\n"
      "  axiom low(a: Int) { assert a < 0 => f(a) == 0 - a; };\n"
      "  axiom high(a: Int) { assert CONDITION => f(a) == a; };\n";
  const auto with = [&](const std::string& condition) {
    std::string text = rules;
    return confluence_of(text.replace(text.find("CONDITION"), 9, condition));
  };
  EXPECT_TRUE(has(with("0 <= a"), "conditions that exclude each other")) << with("0 <= a");
  EXPECT_FALSE(has(with("0 - 1 <= a"), "exclude each other")) << with("0 - 1 <= a");
}

// Conditions are arithmetic even where the rules hold none.
TEST(AnalyzeModulo, ConditionsOfRulesWithoutArithmetic) {
  const auto with = [](const std::string& condition) {
    return confluence_of(
        "  function f(a: Int): Int;\n"
        "  axiom low(a: Int) { assert a <= 0 => f(a) == 1; };\n"
        "  axiom high(a: Int) { assert " +
        condition + " => f(a) == 2; };\n");
  };
  const std::string apart = with("0 < a");
  EXPECT_TRUE(apart.starts_with("confluence: YES (modulo integer arithmetic)\n")) << apart;
  const std::string together = with("0 <= a");
  EXPECT_TRUE(together.starts_with("confluence: NO (modulo integer arithmetic)\n")) << together;
  EXPECT_TRUE(has(together, "<2, 1> where")) << together;
  EXPECT_TRUE(has(together, "for x = 0: the left side is 2, the right side 1")) << together;
}

// Whatever is computed from numbers may be equal in two ways of writing it, with a sum beside it or
// not.
TEST(AnalyzeModulo, MinimaAndQuotientsAreComputedToo) {
  const auto with = [](const std::string& one, const std::string& other) {
    return confluence_of(
        "  function f(a: Int): Int;\n  function h(a: Int): Int;\n"
        "  axiom first(a: Int) { assert f(a) == " +
        one + "; };\n  axiom second(a: Int) { assert f(a) == " + other + "; };\n");
  };
  for (const auto& [one, other] :
       std::vector<std::pair<std::string, std::string>>{{"min(a, 0)", "min(0, a)"},
                                                        {"if a < 0 then a else 0", "min(a, 0)"},
                                                        {"a / a", "1"},
                                                        {"h(min(a, 0))", "h(min(0, a))"},
                                                        {"h(min(a, 0)) + 1", "1 + h(min(0, a))"}}) {
    const std::string out = with(one, other);
    EXPECT_TRUE(out.starts_with("confluence: MAYBE (modulo integer arithmetic)\n")) << one << out;
  }
  EXPECT_TRUE(has(with("min(a, 0)", "min(0, a)"), "<min(0, x), min(x, 0)>: equal as values") ||
              has(with("min(a, 0)", "min(0, a)"), "<min(x, 0), min(0, x)>: equal as values"))
      << with("min(a, 0)", "min(0, a)");
  const std::string different = with("min(a, 0)", "max(a, 0)");
  EXPECT_TRUE(different.starts_with("confluence: NO (modulo integer arithmetic)\n")) << different;
  EXPECT_TRUE(has(different, ": different values")) << different;
  const std::string unknown = with("h(a)", "h(h(a))");
  EXPECT_TRUE(unknown.starts_with("confluence: NO\n")) << unknown;
  const std::string left = confluence_of(
      "  function f(a: Int): Int;\n"
      "  axiom low(a: Int) { assert 0 < a => f(min(a, 0)) == 0; };\n");
  EXPECT_FALSE(has(left, "confluence: YES")) << left;
  EXPECT_TRUE(has(left, "left sides hold min")) << left;
}

TEST(AnalyzeRules, PartialIndexRulesAreAnsweredHonestly) {
  const std::string out = analyzed("rules/moa/partial.mg", "PartialIndexRules");
  EXPECT_FALSE(out.starts_with("termination: NO")) << out;
  EXPECT_TRUE(has(out, "a condition, which is dropped")) << out;
  EXPECT_FALSE(has(out, "\nconfluence: YES\n")) << out;
}

TEST(AnalyzeRules, LintNamesPlaces) {
  const Folder folder;
  const std::string file = folder.write("own.mg",
                                        "package own;\n\nconcept C = {\n  type T;\n"
                                        "  function f(a: T, b: T): T;\n  function g(a: T): T;\n"
                                        "  axiom first(a: T, b: T) { assert f(a, b) == a; }\n"
                                        "  axiom later(a: T) { assert f(g(a), a) == a; }\n"
                                        "  axiom other(a: T) { assert g(a) != a; }\n};\n");
  const Outcome outcome = rhopsi({"analyze", file, "-m", "C"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_TRUE(has(outcome.out, "own.mg:8:")) << outcome.text();
  EXPECT_TRUE(has(outcome.out, "rule later can never fire: rule first takes")) << outcome.text();
  EXPECT_TRUE(has(outcome.out, "axiom other gives no rule")) << outcome.text();
}

// --- mistakes

void expect_refused(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& words) {
  const Outcome outcome = rhopsi(arguments);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(outcome.out, "") << outcome.text();
  for (const std::string& word : words) {
    EXPECT_TRUE(has(outcome.err, word)) << word << "\n" << outcome.text();
  }
}

TEST(AnalyzeMistakes, HaveAPlaceAndACode) {
  const Folder folder;
  const auto bad = [&](const std::string& name, const std::string& text) {
    return folder.write(name, text);
  };
  expect_refused({"analyze", "--trs", bad("a.ari", "(format TRS)\n(fun f 1)\n(rule (f x) (g x))")},
                 {"a.ari:3:14", "E0132"});
  expect_refused({"analyze", "--trs", bad("b.trs", "(VAR x)\n(RULES f(x) -> f(x,x))")},
                 {"b.trs:2:16", "E0133"});
  expect_refused({"analyze", "--trs", bad("c.ari", "(format CTRS oriented)")},
                 {"c.ari:1:9", "E0131"});
  expect_refused({"analyze", "--trs", bad("d.trs", "(THEORY (AC f))(RULES a -> b)")},
                 {"d.trs:1:2", "E0134"});
  expect_refused({"analyze", "--trs", folder / "none.ari"}, {"E0401"});
  expect_refused({"analyze"}, {"E0810", "--trs"});
  expect_refused({"analyze", "x.mg"}, {"E0810"});
  expect_refused({"analyze", "--trs", folder / "a.ari", "--timeout", "soon"}, {"E0810", "soon"});
  expect_refused({"analyze", "--trs", folder / "a.ari", "--only", "both"}, {"E0810"});
  expect_refused({"analyze", source("rules/moa/dnf.mg"), "-m", "Nothing"}, {"E0301"});
}

}  // namespace
}  // namespace rhopsi::exec
