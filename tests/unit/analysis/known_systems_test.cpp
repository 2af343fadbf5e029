// Systems whose termination and confluence are known by reasoning. `YES?` and `NO?` are true
// answers that are not always found: they must not be contradicted.
#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/driver/analysis.hpp"
#include "frontend/trs/read.hpp"

namespace rhopsi {
namespace {

struct Known {
  const char* name;
  const char* text;
  const char* termination;
  const char* confluence;
};

std::ostream& operator<<(std::ostream& out, const Known& known) { return out << known.name; }

const std::vector<Known> systems{
    // --- arithmetic and lists
    {"addition", "(VAR x y)(RULES p(0,y) -> y p(s(x),y) -> s(p(x,y)))", "YES", "YES"},
    {"multiplication",
     "(VAR x y)(RULES p(0,y) -> y p(s(x),y) -> s(p(x,y)) m(0,y) -> 0 m(s(x),y) -> p(y,m(x,y)))",
     "YES", "YES"},
    {"Ackermann",
     "(VAR x y)(RULES a(0,y) -> s(y) a(s(x),0) -> a(x,s(0)) a(s(x),s(y)) -> a(x,a(s(x),y)))", "YES",
     "YES"},
    {"AckermannOtherWay",
     "(VAR x y)(RULES a(y,0) -> s(y) a(0,s(x)) -> a(s(0),x) a(s(y),s(x)) -> a(a(y,s(x)),x))", "YES",
     "YES"},
    {"difference", "(VAR x y)(RULES d(x,0) -> x d(s(x),s(y)) -> d(x,y))", "YES", "YES"},
    {"quotient",
     "(VAR x y)(RULES d(x,0) -> x d(s(x),s(y)) -> d(x,y) q(0,s(y)) -> 0"
     " q(s(x),s(y)) -> s(q(d(x,y),s(y))))",
     "YES", "YES"},
    {"logarithm",
     "(VAR x y)(RULES h(0) -> 0 h(s(0)) -> 0 h(s(s(x))) -> s(h(x)) l(s(0)) -> 0"
     " l(s(s(x))) -> s(l(s(h(x)))))",
     "YES", "YES"},
    {"greatestCommonDivisor",
     "(VAR x y)(RULES le(0,y) -> t le(s(x),0) -> f le(s(x),s(y)) -> le(x,y) d(x,0) -> x"
     " d(s(x),s(y)) -> d(x,y) g(0,y) -> y g(s(x),0) -> s(x)"
     " g(s(x),s(y)) -> i(le(y,x),s(x),s(y)) i(t,s(x),s(y)) -> g(d(x,y),s(y))"
     " i(f,s(x),s(y)) -> g(d(y,x),s(x)))",
     "YES", "YES"},
    {"append", "(VAR x y z)(RULES app(nil,y) -> y app(cons(x,y),z) -> cons(x,app(y,z)))", "YES",
     "YES"},
    {"reverse",
     "(VAR x y z)(RULES app(nil,y) -> y app(cons(x,y),z) -> cons(x,app(y,z)) rev(nil) -> nil"
     " rev(cons(x,y)) -> app(rev(y),cons(x,nil)))",
     "YES", "YES"},
    {"reverseWithAccumulator", "(VAR x y z)(RULES r(nil,z) -> z r(cons(x,y),z) -> r(y,cons(x,z)))",
     "YES", "YES"},
    {"shuffle",
     "(VAR n x y)(RULES app(nil,y) -> y app(add(n,x),y) -> add(n,app(x,y)) rev(nil) -> nil"
     " rev(add(n,x)) -> app(rev(x),add(n,nil)) sh(nil) -> nil sh(add(n,x)) -> add(n,sh(rev(x))))",
     "YES", "YES"},
    {"productOfASum",
     "(VAR x y z)(RULES times(x,plus(y,s(z))) -> plus(times(x,plus(y,times(s(z),0))),times(x,s(z)))"
     " times(x,0) -> 0 times(x,s(y)) -> plus(times(x,y),x) plus(x,0) -> x"
     " plus(x,s(y)) -> s(plus(x,y)))",
     "YES", "NO"},
    {"evenAndOdd", "(VAR x)(RULES e(0) -> t e(s(x)) -> o(x) o(0) -> f o(s(x)) -> e(x))", "YES",
     "YES"},
    {"differentiation",
     "(VAR x y)(RULES D(t) -> 1 D(c) -> 0 D(p(x,y)) -> p(D(x),D(y))"
     " D(m(x,y)) -> p(m(y,D(x)),m(x,D(y))))",
     "YES", "YES"},
    {"distribution", "(VAR x y z)(RULES m(x,p(y,z)) -> p(m(x,y),m(x,z)))", "YES", "YES"},
    {"distributionBothSides",
     "(VAR x y z)(RULES m(x,p(y,z)) -> p(m(x,y),m(x,z)) m(p(y,z),x) -> p(m(y,x),m(z,x)))", "YES",
     "NO"},
    {"associativity", "(VAR x y z)(RULES m(m(x,y),z) -> m(x,m(y,z)))", "YES", "YES"},
    {"associativityAndOther", "(VAR x y z)(RULES m(m(x,y),z) -> m(x,m(y,z)) m(e,x) -> x)", "YES",
     "YES"},
    {"associativityAndRightUnit", "(VAR x y z)(RULES m(m(x,y),z) -> m(x,m(y,z)) m(x,e) -> x)",
     "YES", "NO"},
    {"groupAxioms", "(VAR x y z)(RULES m(e,x) -> x m(i(x),x) -> e m(m(x,y),z) -> m(x,m(y,z)))",
     "YES", "NO"},
    {"groupCompleted",
     "(VAR x y z)(RULES m(e,x) -> x m(x,e) -> x m(i(x),x) -> e m(x,i(x)) -> e"
     " m(m(x,y),z) -> m(x,m(y,z)) i(e) -> e i(i(x)) -> x m(i(x),m(x,y)) -> y"
     " m(x,m(i(x),y)) -> y i(m(x,y)) -> m(i(y),i(x)))",
     "YES", "YES"},
    {"commutativity", "(VAR x y)(RULES p(x,y) -> p(y,x))", "NO", "YES"},
    {"negations",
     "(VAR x y)(RULES n(n(x)) -> x n(a(x,y)) -> o(n(x),n(y)) n(o(x,y)) -> a(n(x),n(y)))", "YES",
     "YES"},
    {"disjunctiveForm",
     "(VAR x y z)(RULES n(n(x)) -> x n(o(x,y)) -> a(n(x),n(y)) n(a(x,y)) -> o(n(x),n(y))"
     " a(x,o(y,z)) -> o(a(x,y),a(x,z)) a(o(y,z),x) -> o(a(x,y),a(x,z)))",
     "YES", "NO"},
    {"factorialPredecessor",
     "(VAR x)(RULES f(s(x)) -> m(s(x),f(p(s(x)))) p(s(0)) -> 0 p(s(s(x))) -> s(p(s(x))))", "YES",
     "YES"},
    {"ninetyOneShape", "(VAR x)(RULES f(0) -> 1 f(s(x)) -> g(f(x)) g(x) -> p(x,s(x)))", "YES",
     "YES"},
    {"whileLoop",
     "(VAR x y)(RULES w(t,s(x),y) -> w(gt(x,y),x,y) gt(s(x),0) -> t gt(0,y) -> f"
     " gt(s(x),s(y)) -> gt(x,y))",
     "YES", "YES"},

    // --- what rises is bounded by a guard
    {"countedUp",
     "(VAR x y)(RULES f(t,x,y) -> f(gt(x,y),x,s(y)) gt(0,y) -> ff gt(s(x),0) -> t"
     " gt(s(x),s(y)) -> gt(x,y))",
     "YES", "YES"},
    {"countedUpInSteps",
     "(VAR x y)(RULES f(t,x,y) -> f(gt(x,y),x,p(x,y)) gt(0,y) -> ff gt(s(x),0) -> t"
     " gt(s(x),s(y)) -> gt(x,y) p(0,y) -> y p(s(x),y) -> s(p(x,y)))",
     "YES", "YES"},
    {"countedUpInBoth",
     "(VAR x y z)(RULES f(t,x,y,z) -> f(and(gt(x,y),gt(x,z)),x,s(y),z) and(x,t) -> x"
     " and(x,ff) -> ff gt(0,y) -> ff gt(s(x),0) -> t gt(s(x),s(y)) -> gt(x,y))",
     "YES", "YES"},
    {"countedUpForEver",
     "(VAR x y)(RULES f(t,x,y) -> f(ge(y,x),x,s(y)) ge(x,0) -> t ge(0,s(y)) -> ff"
     " ge(s(x),s(y)) -> ge(x,y))",
     "NO?", "YES"},
    {"reset",
     "(VAR x y)(RULES c(t,x,y) -> d(gt(x,y),x,y) d(t,x,y) -> c(gt(x,0),y,y)"
     " d(ff,x,y) -> c(gt(x,0),p(x),y) gt(0,y) -> ff gt(s(x),0) -> t gt(s(x),s(y)) -> gt(x,y)"
     " p(0) -> 0 p(s(x)) -> x)",
     "YES", "YES"},
    {"lengthInBits",
     "(VAR x y z)(RULES l(x,y) -> i(le(x,0),le(x,s(0)),x,s(y)) i(t,z,x,y) -> 0 i(ff,z,x,y) -> "
     "k(z,x,y)"
     " k(t,x,s(y)) -> y k(ff,x,y) -> l(h(x),y) le(0,y) -> t le(s(x),0) -> ff"
     " le(s(x),s(y)) -> le(x,y) h(0) -> 0 h(s(0)) -> 0 h(s(s(x))) -> s(h(x)))",
     "YES", "YES"},

    // --- shapes that simple orders do not see
    {"fOfFOfGOfF", "(VAR x)(RULES f(f(x)) -> f(g(f(x))))", "YES", "YES"},
    {"selfEmbedding", "(VAR x)(RULES f(f(x)) -> f(f(f(x))))", "NO", "YES"},
    {"fAlternating", "(RULES f(a) -> f(b) g(b) -> g(a))", "YES", "YES"},
    {"fAndGOfAAndB", "(VAR x)(RULES f(a,x) -> f(x,b))", "YES?", "YES"},
    {"sameArguments", "(VAR x)(RULES f(x,x) -> f(a,b))", "YES", "YES"},
    {"sameArgumentsWithCollapse", "(VAR x)(RULES f(x,x) -> f(a,b) b -> a)", "NO", "YES?"},
    {"needsFilter", "(VAR x y)(RULES f(s(x),y) -> f(g(x,y),y) g(x,y) -> x)", "YES", "YES"},
    {"multisetStatus", "(VAR x y)(RULES f(s(x),y) -> f(y,x) g(x) -> x)", "YES", "YES"},

    // --- non-termination
    {"constantLoop", "(RULES a -> b b -> a)", "NO", "YES"},
    {"constantGrows", "(RULES a -> f(a))", "NO", "YES"},
    {"freshVariable", "(VAR x y)(RULES f(x) -> g(x,y))", "NO", "NO?"},
    {"leftSideIsAVariable", "(VAR x)(RULES x -> f(x))", "NO", "YES?"},
    {"loopByUnfolding", "(VAR x y)(RULES f(s(x),y) -> f(x,s(y)) f(0,y) -> f(y,0))", "NO", "YES"},
    {"loopOfTwo", "(VAR x)(RULES f(s(x)) -> g(x) g(x) -> f(s(s(x))))", "NO", "YES"},
    {"Toyama", "(VAR x y)(RULES f(0,1,x) -> f(x,x,x) g(x,y) -> x g(x,y) -> y)", "NO", "NO"},
    {"ToyamaAlone", "(VAR x)(RULES f(0,1,x) -> f(x,x,x))", "YES", "YES"},
    {"ToyamaConfluentVariant",
     "(VAR x y)(RULES F(4,7,x) -> F(x,x,x) F(x,y,z) -> 7 1 -> 2 1 -> 3 2 -> 4 5 -> 4 5 -> 6 6 -> 7"
     " 3 -> 7)",
     "NO?", "NO?"},
    {"combinators", "(VAR x y z)(RULES @(@(@(S,x),y),z) -> @(@(x,z),@(y,z)) @(@(K,x),y) -> x)",
     "NO", "YES"},
    {"combinatorsIK", "(VAR x y)(RULES @(I,x) -> x @(@(K,x),y) -> x)", "YES", "YES"},
    {"combinatorSStar", "(VAR x y)(RULES @(@(W,x),y) -> @(@(x,y),y))", "NO", "YES"},
    {"surjectivePairing", "(VAR x y)(RULES l(p(x,y)) -> x r(p(x,y)) -> y p(l(x),r(x)) -> x)", "YES",
     "YES"},

    // --- strings
    {"stringsTerminating", "(RULES a b -> b a)", "YES", "YES"},
    {"stringsTwoRules", "(RULES a a -> a b a)", "YES", "YES"},
    {"stringsGrowingLoop", "(RULES a b -> b b a a)", "NO", "YES"},
    {"stringsLoopAtEnd", "(RULES a b a -> a b b a b a)", "NO?", "YES?"},
    {"stringsBubble", "(RULES b a -> a b , c a -> a c , c b -> b c)", "YES", "YES"},
    {"stringsThue", "(RULES a b a -> b)", "YES", "NO"},
    {"stringsIdempotent", "(RULES a a -> a)", "YES", "YES"},
    {"stringsErase", "(RULES a b -> , b a -> )", "YES", "YES"},
    {"stringsSorted", "(RULES a b -> b c a , c b -> b c)", "YES?", "YES"},

    {"stringsMatchBounded", "(RULES a a b b -> b b b a a a)", "YES", "YES"},
    {"stringsArctic", "(RULES a a -> b c , b b -> a c , c c -> a b)", "YES?", "NO"},

    // --- confluence without termination
    {"HuetNewman", "(RULES b -> a b -> c c -> b c -> d)", "NO", "NO"},
    {"NewmanRepaired", "(RULES b -> a b -> c c -> b c -> d d -> a a -> d)", "NO", "YES"},
    {"HuetNonLinear", "(VAR x)(RULES f(x,x) -> a f(x,g(x)) -> b c -> g(c))", "NO", "NO"},
    {"KlopNonLinear", "(VAR x)(RULES d(x,x) -> e c(x) -> d(x,c(x)) a -> c(a))", "NO", "NO"},
    {"KlopAtAConstant", "(VAR x)(RULES f(x,x) -> a c -> g(c) g(x) -> f(x,g(x)))", "NO", "NO"},
    {"Levy",
     "(VAR x)(RULES f(a,a) -> g(b,b) a -> A f(A,x) -> f(x,x) f(x,A) -> f(x,x) g(b,b) -> f(a,a)"
     " b -> B g(B,x) -> g(x,x) g(x,B) -> g(x,x))",
     "NO", "NO"},
    {"parallelOr", "(VAR x)(RULES or(t,x) -> t or(x,t) -> t or(f,f) -> f)", "YES", "YES"},
    {"weaklyOrthogonalLoop", "(VAR x)(RULES p(s(x)) -> x s(p(x)) -> x u -> s(u))", "NO", "YES"},
    {"stronglyClosed", "(VAR x)(RULES f(x) -> g(x) g(x) -> f(x) f(x) -> h(x) g(x) -> h(x))", "NO",
     "YES"},
    {"developmentClosed",
     "(VAR x)(RULES f(g(x)) -> h(x,x) g(x) -> k(x) f(k(x)) -> h(x,x) u -> f(u))", "NO", "YES"},
    {"additionCommutes", "(VAR x y)(RULES p(0,y) -> y p(s(x),y) -> s(p(x,y)) p(x,y) -> p(y,x))",
     "NO", "YES"},
    {"associativityBothWays",
     "(VAR x y z)(RULES p(x,p(y,z)) -> p(p(x,y),z) p(p(x,y),z) -> p(x,p(y,z)))", "NO", "YES"},
    {"decreasingStreams",
     "(VAR x y)(RULES n -> c(0,i(n)) i(c(x,y)) -> c(s(x),i(y)) h(c(x,y)) -> x t(c(x,y)) -> y"
     " i(t(n)) -> t(i(n)))",
     "NO", "YES"},
    {"twoConstants", "(RULES a -> b a -> c)", "YES", "NO"},
    {"twoConstantsNeverMeet", "(RULES a -> b a -> c b -> b c -> c)", "NO", "NO"},
    {"disjointParts", "(VAR x)(RULES a -> f(a) g(x,x) -> x)", "NO", "YES"},
    // Of t(s(x), s(y)), which is the peak of no critical pair.
    {"productsThatCommute",
     "(VAR x y)(RULES p(0,y) -> y p(s(x),y) -> s(p(x,y)) t(0,y) -> 0 t(s(x),y) -> p(y,t(x,y))"
     " p(x,y) -> p(y,x) t(x,y) -> t(y,x))",
     "NO", "NO"},
    // Parts that commute, though the one alone is decided by termination only.
    {"commutingParts", "(VAR x)(RULES f(f(x)) -> g(x) g(f(x)) -> f(g(x)) a -> f(a))", "NO", "YES"},
    // Sorts part f from F, though both are about g and h.
    {"persistence",
     "(VAR x y)(RULES f(x,y) -> f(g(x),g(x)) f(x,y) -> f(h(x),h(x)) g(x) -> h(x)"
     " F(g(x),x) -> F(x,g(x)) F(h(x),x) -> F(x,h(x)))",
     "NO", "YES"},
    {"onlyAnOrderSeparates",
     "(VAR x y)(RULES s(x) -> f(s(x),0) s(x) -> f(x,1) f(x,y) -> f(f(x,y),y))", "NO", "NO"},
    {"reductsNeverCome", "(VAR x)(RULES a -> f(a) b -> g(b) f(x) -> x c -> a c -> b)", "NO", "NO"},
    {"emptySystem", "(RULES )", "YES", "YES"},
};

class KnownSystems : public testing::TestWithParam<Known> {};

void expect_answer(const std::string& known, const driver::AnalysisFinding& finding) {
  const std::string answer = to_string(finding.verdict.answer);
  const bool may_fail = known.back() == '?';
  const std::string truth = may_fail ? known.substr(0, known.size() - 1) : known;
  if (may_fail && answer == "MAYBE") return;
  EXPECT_EQ(answer, truth) << finding.property << "\n" << to_string(finding.verdict.proof);
}

TEST_P(KnownSystems, AreAnsweredRightly) {
  syntax::Diagnostics diagnostics;
  const auto file = std::make_shared<const syntax::SourceFile>("known.trs", GetParam().text);
  const auto system = trs::read(file, diagnostics);
  ASSERT_TRUE(system) << GetParam().text;
  driver::AnalysisRequest request;
  // What is not decided anyway takes all the time that it is given.
  const bool may_fail = std::string_view(GetParam().termination).back() == '?' ||
                        std::string_view(GetParam().confluence).back() == '?';
  request.limit = may_fail ? std::chrono::seconds(10) : std::chrono::minutes(2);
  int findings = 0;
  driver::analyse(*system, request, [&](const driver::AnalysisFinding& finding) {
    ++findings;
    expect_answer(
        finding.property == "termination" ? GetParam().termination : GetParam().confluence,
        finding);
    EXPECT_FALSE(finding.verdict.proof.text.empty());
  });
  EXPECT_EQ(findings, 2);
}

INSTANTIATE_TEST_SUITE_P(Systems, KnownSystems, testing::ValuesIn(systems),
                         [](const auto& each) { return std::string(each.param.name); });

struct Innermost {
  const char* name;
  const char* text;
  const char* termination;
};

// A strategy changes the answer.
TEST(InnermostRewriting, IsNotFullRewriting) {
  const std::vector<Innermost> all{
      {"Toyama", "(VAR x y)(RULES f(0,1,x) -> f(x,x,x) g(x,y) -> x g(x,y) -> y)", "YES"},
      {"blocked loop", "(VAR x)(RULES f(a) -> f(a) a -> b)", "YES"},
      {"loop outside", "(VAR x)(RULES f(x) -> g(f(x)))", "NO"},
      {"loop of constants", "(RULES a -> b b -> a)", "NO"},
      {"growing", "(VAR x)(RULES f(x) -> f(s(x)))", "NO"},
      {"same arguments", "(VAR x)(RULES f(x,x) -> f(a,b) b -> a)", "NO"},
      {"fresh variable behind a redex", "(VAR x y)(RULES f(a) -> g(y) a -> b g(x) -> x)", "MAYBE"},
  };
  for (const Innermost& each : all) {
    syntax::Diagnostics diagnostics;
    const std::string text = std::string(each.text) + "(STRATEGY INNERMOST)";
    const auto system =
        trs::read(std::make_shared<const syntax::SourceFile>("i.trs", text), diagnostics);
    ASSERT_TRUE(system) << each.name;
    driver::AnalysisRequest request;
    request.confluence = false;
    request.limit = std::chrono::seconds(10);
    driver::analyse(*system, request, [&](const driver::AnalysisFinding& finding) {
      EXPECT_STREQ(to_string(finding.verdict.answer), each.termination)
          << each.name << "\n"
          << to_string(finding.verdict.proof);
    });
  }
}

// Many rules and many arguments: no step costs their square.
TEST(LargeSystems, AreAnswered) {
  std::string chain = "(VAR x)(RULES";
  for (int i = 0; i < 1000; ++i) {
    chain += " f" + std::to_string(i) + "(x) -> f" + std::to_string(i + 1) + "(x)";
  }
  std::string wide = "(VAR)(RULES f(a";
  for (int i = 1; i < 1000; ++i) wide += ",a";
  for (const std::string& text : {chain + ")", wide + ") -> b)"}) {
    syntax::Diagnostics diagnostics;
    const auto system =
        trs::read(std::make_shared<const syntax::SourceFile>("large.trs", text), diagnostics);
    ASSERT_TRUE(system) << text.substr(0, 40);
    driver::AnalysisRequest request;
    request.limit = std::chrono::minutes(2);
    driver::analyse(*system, request, [&](const driver::AnalysisFinding& finding) {
      EXPECT_STREQ(to_string(finding.verdict.answer), "YES") << finding.property;
    });
  }
}

}  // namespace
}  // namespace rhopsi
