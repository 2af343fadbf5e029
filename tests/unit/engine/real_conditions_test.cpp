// Conditions over reals against what either type of a run computes.
#include <gtest/gtest.h>

#include "engine/rewrite/evaluate.hpp"
#include "engine/smt/oracle.hpp"
#include "tests/unit/engine/real_algebra.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;

struct RealConditions : testing::Test, RealAlgebra {
  const SymbolId x = unknown("x");
  const SymbolId y = unknown("y");

  TermId le(TermId left, TermId right) { return make(at_most, {left, right}); }
  TermId lt(TermId left, TermId right) { return make(below, {left, right}); }
  term::Verdict decide(TermId condition, std::vector<TermId> facts = {}) {
    return oracle.decide(store, condition, facts, interpretation());
  }
  Answer answer(TermId condition, std::vector<TermId> facts = {}) {
    return decide(condition, std::move(facts)).answer;
  }
};

TEST_F(RealConditions, ConstantsAreComparedAsARunDoes) {
  const auto verdict = decide(le(literal("0.25"), literal("1.0")));
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "constant");
  EXPECT_EQ(answer(le(literal("1.0"), literal("0.25"))), Answer::refuted);
  EXPECT_EQ(answer(equal(literal("0.5"), literal("0.50"))), Answer::proved);
  EXPECT_EQ(answer(equal(literal("2"), literal("2.0"))), Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::not_equal, {literal("0.5"), literal("0.5")})), Answer::refuted);
  EXPECT_EQ(answer(le(make(plus, {literal("0.5"), literal("0.25")}), literal("0.75"))),
            Answer::proved);
  EXPECT_EQ(answer(lt(make(opposite, {literal("0.1")}), literal("0"))), Answer::proved);
}

// Where the two types differ nothing is said: of doubles 0.1 + 0.2 is more than 0.3, of floats not.
TEST_F(RealConditions, TheTypesHaveToAgree) {
  EXPECT_EQ(answer(le(make(plus, {literal("0.1"), literal("0.2")}), literal("0.3"))),
            Answer::unknown);
  EXPECT_EQ(answer(lt(literal("16777216"), literal("16777217"))), Answer::unknown);
  EXPECT_EQ(answer(equal(literal("16777216"), literal("16777217"))), Answer::unknown);
  EXPECT_EQ(answer(equal(literal("9007199254740992"), literal("9007199254740993"))),
            Answer::unknown);
  EXPECT_EQ(answer(lt(literal("1e39"), literal("1e40"))), Answer::unknown);
  EXPECT_EQ(answer(lt(make(over, {literal("1.0"), literal("0.0")}), literal("2.0"))),
            Answer::unknown);
}

TEST_F(RealConditions, BoundsGoThroughOperations) {
  const std::vector<TermId> unit{le(literal("0.0"), make(x)), le(make(x), literal("1.0"))};
  const auto verdict = decide(le(make(times, {literal("0.5"), make(x)}), literal("0.5")), unit);
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "interval");
  EXPECT_EQ(answer(le(make(x), literal("1.0")), unit), Answer::proved);
  EXPECT_EQ(answer(lt(make(x), literal("1.0")), unit), Answer::unknown);
  EXPECT_EQ(answer(lt(make(x), literal("1.5")), unit), Answer::proved);
  EXPECT_EQ(answer(le(literal("2.0"), make(x)), unit), Answer::refuted);
  const TermId centred = make(size, {make(minus, {make(x), literal("0.5")})});
  EXPECT_EQ(answer(le(centred, literal("0.5")), unit), Answer::proved);
  EXPECT_EQ(answer(le(make(over, {literal("1.0"), make(x)}), literal("9.0")), unit),
            Answer::unknown);
}

TEST_F(RealConditions, ComparisonsAreChained) {
  const std::vector<TermId> facts{le(make(x), make(y)), lt(make(y), literal("1.0"))};
  EXPECT_EQ(answer(lt(make(x), literal("1.0")), facts), Answer::proved);
  EXPECT_EQ(answer(lt(make(x), literal("2.0")), facts), Answer::proved);
  EXPECT_EQ(answer(le(make(y), make(x)), facts), Answer::unknown);
  EXPECT_EQ(answer(lt(literal("1.0"), make(x)), facts), Answer::refuted);
}

// A NaN is not equal to itself, nor at most anything, nor more.
TEST_F(RealConditions, WhatMayBeNoNumberIsLeftOpen) {
  EXPECT_EQ(answer(equal(make(x), make(x))), Answer::unknown);
  EXPECT_EQ(answer(le(make(x), make(x))), Answer::unknown);
  EXPECT_EQ(answer(le(make(x), make(x)), {le(literal("0"), make(x))}), Answer::proved);
  const TermId not_more = builtin(Builtin::not_, {make(above, {make(x), literal("1.0")})});
  EXPECT_EQ(answer(le(make(x), literal("1.0")), {not_more}), Answer::unknown);
  EXPECT_EQ(answer(le(make(x), literal("1.0")), {not_more, le(literal("0"), make(x))}),
            Answer::proved);
}

TEST_F(RealConditions, TheSolverIsNotBlamed) {
  smt::Oracle solver(oracle);
  const std::vector<TermId> none;
  const auto verdict = solver.decide(store, le(make(x), literal("1.0")), none, interpretation());
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_EQ(verdict.decider, "interval");
  EXPECT_EQ(verdict.detail,
            "could not decide `x <= 1.0` from 0 facts; of real numbers only bounds and chains of "
            "comparisons are known");
}

// Integers beside reals: what the solver has to do with both.
TEST_F(RealConditions, TheSolverKnowsComparisonsOfConstants) {
  const SymbolId i = variable("i");
  const SymbolId o = variable("o");
  smt::Oracle solver(oracle);
  const TermId parity =
      builtin(Builtin::not_,
              {equal(make(multiply, {number(2), make(i)}), make(multiply, {number(3), make(o)}))});
  const TermId whole = both(le(literal("0.25"), literal("1.0")), parity);
  const std::vector<TermId> facts{make(less_equal, {number(1), make(i)}),
                                  make(less_equal, {make(i), number(2)})};
  const auto verdict = solver.decide(store, whole, facts, interpretation());
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "Z3");
}

TEST_F(RealConditions, NothingIsProvedThatFailsInARun) {
  RealBox box{*this, std::mt19937(11), {x, y}};
  smt::Oracle solver(oracle);
  int proved = 0;
  int with_facts = 0;
  int refuted = 0;
  for (int round = 0; round < 6'000; ++round) {
    std::vector<TermId> facts;
    for (std::uint32_t k = box.below(4); k > 0; --k) facts.push_back(box.condition(1));
    const TermId condition = box.condition(2);
    const bool asks = round % 50 == 0;  // the solver takes far longer
    const auto verdict =
        asks ? solver.decide(store, condition, facts, interpretation()) : decide(condition, facts);
    if (verdict.answer == Answer::unknown) continue;
    const TermId shown =
        verdict.answer == Answer::proved ? condition : builtin(Builtin::not_, {condition});
    verdict.answer == Answer::proved ? ++proved : ++refuted;
    with_facts += verdict.decider == "constant" ? 0 : 1;
    std::string text = Algebra::text(shown) + " from";
    for (TermId fact : facts) text += " [" + Algebra::text(fact) + "]";
    ASSERT_FALSE(box.fails_in_a_run(shown, facts)) << text;
  }
  EXPECT_GT(proved, 600);
  EXPECT_GT(refuted, 300);
  EXPECT_GT(with_facts, 300);
}

}  // namespace
}  // namespace rhopsi::test
