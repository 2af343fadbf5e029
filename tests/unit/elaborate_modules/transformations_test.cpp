#include "engine/rewrite/derivation.hpp"
#include "engine/term/renaming.hpp"
#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

constexpr const char* one_rule =
    "implementation Ext = external C++ lib.x { type T; function a(): T; function f(x: T): T;\n"
    "  function g(x: T): T; };\n"
    "concept FToG = { type T; function f(x: T): T; function g(x: T): T;\n"
    "  axiom fToG(x: T) { assert f(x) == g(x); } };\n"
    "program P = { use Ext; function h(x: T): T = f(f(x)); };\n";

TEST_F(Modules, RewritingChangesACopy) {
  accept(std::string(one_rule) + "program Q = rewrite P with FToG 5;\n");
  EXPECT_EQ(body(*theory("P"), "h(T): T"), "f(f(x))");
  EXPECT_EQ(body(*theory("Q"), "h(T): T"), "g(g(x))");
  EXPECT_EQ(theory("Q")->kind, term::ModuleKind::program);
}

TEST_F(Modules, OnePassRewritesOutermostMatches) {
  accept(std::string(one_rule) + "program Q = rewrite P with FToG 1;\n");
  EXPECT_EQ(body(*theory("Q"), "h(T): T"), "g(f(x))");
}

TEST_F(Modules, DerivationsAccumulateAndNameTheirRules) {
  accept(std::string(one_rule) +
         "program Q = { use rewrite (rewrite P with FToG 1) with FToG[ fToG =>\n  again ] 1; };\n"
         "program R = { use Q; use Q[h => k]; };\n"
         "program S = { use R; use Q; use Q[h => k]; };\n");
  const auto value = theory("R");
  const auto derivations = term::derivations_of(*value);
  ASSERT_EQ(derivations.size(), 2u);
  EXPECT_EQ(derivations[0]->rules, "FToG");
  EXPECT_EQ(derivations[1]->rules, "FToG[ fToG => again ]");
  EXPECT_EQ(derivations[1]->bound, 1u);
  // Each has led to `h`, and to `k`.
  ASSERT_EQ(value->derivations.size(), 4u);
  EXPECT_EQ(value->derivations[2].derivation, derivations[0]);
  EXPECT_TRUE(value->derivations[0].renamings.empty());
  ASSERT_EQ(value->derivations[2].renamings.size(), 1u);
  EXPECT_EQ(value->derivations[2].renamings[0]->names.at("h"), "k");
  // Under the same names it is there once.
  const auto again = theory("S");
  EXPECT_EQ(again->derivations.size(), 4u);
}

TEST_F(Modules, RulesBringWhatTheyMention) {
  check(
      "implementation Ext = external C++ lib.x { type T; function f(x: T): T; };\n"
      "concept FToG = { type T; function f(x: T): T; function g(x: T): T; function k(x: T): T;\n"
      "  axiom fToG(x: T) { assert f(x) == g(x); } };\n"
      "program P = { use Ext; function h(x: T): T = f(x); };\n"
      "program Q = rewrite P with FToG 1;\n"
      "program R = { use rewrite P with FToG 1; use Ext[f => g]; };\n");
  const auto problem = only("E0323");
  EXPECT_TRUE(contains(problem.message, "`g(T): T`")) << problem.message;
  const auto value = theory("R");
  EXPECT_TRUE(callable(*value, "g(T): T")->external);
  EXPECT_EQ(value->overloads(store, "k").size(), 0u);  // no body needs it
}

TEST_F(Modules, ImplementDefinesFromAnEquation) {
  accept(std::string(one_rule) +
         "concept G = { type T; function h(x: T): T; function k(x: T, y: T): T;\n"
         "  axiom defines(x: T, y: T) { assert k(x, y) == h(y); } };\n"
         "program Q = implement G in P;\n");
  EXPECT_EQ(body(*theory("Q"), "k(T, T): T"), "f(f(y))");
  EXPECT_EQ(theory("Q")->derivations.size(), 1u);
  EXPECT_EQ(theory("Q")->derivations[0]->kind, "implement");
}

TEST_F(Modules, RewritingWithoutAxiomsIsWarnedOf) {
  check(std::string(one_rule) + "program Q = rewrite P with signature(FToG) 1;\n");
  const auto problem = only("E0334");
  EXPECT_EQ(problem.severity, syntax::Severity::warning);
  EXPECT_EQ(body(*theory("Q"), "h(T): T"), "f(f(x))");
}

TEST_F(Modules, ALeftSideMayNotBeAVariable) {
  check(std::string(one_rule) +
        "concept R = { type T; function f(x: T): T;\n"
        "  axiom bad(x: T) {\n    assert x == f(x);\n  } };\nprogram Q = rewrite P with R 1;\n");
  const auto problem = only("E0330");
  EXPECT_EQ(problem.span.file->position(problem.span.begin).line, 9u);
}

TEST_F(Modules, ConditionsUseBoundArithmetic) {
  accept(
      "implementation Ints = external Kokkos scalar { type Int literals integer;\n"
      "  predicate _<=_(a: Int, b: Int); function _+_(a: Int, b: Int): Int;\n"
      "  function f(x: Int): Int; function g(x: Int): Int; };\n"
      "concept R = { type Int literals integer; predicate _<=_(a: Int, b: Int);\n"
      "  function f(x: Int): Int; function g(x: Int): Int;\n"
      "  axiom small(x: Int) guard x <= 2 { assert f(x) == g(x); } };\n"
      "program P = { use Ints; function one(): Int = 1;\n"
      "  function h(): Int = f(one() + 1); function k(): Int = f(one() + 2);\n"
      "  function u(x: Int): Int = f(x); };\n"
      "program Q = rewrite P with R 3;\n");
  EXPECT_EQ(body(*theory("Q"), "h(): Int"), "g(one() + 1)");
  EXPECT_EQ(body(*theory("Q"), "k(): Int"), "f(one() + 2)");
  EXPECT_EQ(body(*theory("Q"), "u(Int): Int"), "f(x)");
}

}  // namespace
}  // namespace rhopsi::elaborate
