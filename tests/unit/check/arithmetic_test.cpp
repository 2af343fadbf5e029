// The checker's own arithmetic against trying every point.
#include "engine/check/arithmetic.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/engine/random_conditions.hpp"
#include "tests/unit/engine/real_algebra.hpp"

namespace rhopsi::test {
namespace {

std::vector<check::Operation> operations_of(Algebra& algebra) {
  std::vector<check::Operation> list;
  for (const auto& [symbol, meaning] : algebra.meanings) {
    check::Operation operation;
    operation.symbol = symbol;
    operation.meaning = meaning;
    for (SortId sort : algebra.store[symbol].parameters) {
      operation.parameters.push_back(algebra.store.fresh_variable("a", sort, false));
    }
    list.push_back(std::move(operation));
  }
  return list;
}

struct CheckArithmetic : testing::Test, Algebra {
  std::vector<check::Operation> operations() { return operations_of(*this); }
};

struct CheckReals : testing::Test, RealAlgebra {};

TEST_F(CheckReals, NothingFollowsThatFailsInARun) {
  const std::vector<SymbolId> variables{unknown("x"), unknown("y")};
  RealBox box{*this, std::mt19937(13), variables};
  const auto known = operations_of(*this);
  check::Terms terms(store);
  check::Judge judge(terms, known);
  int shown = 0;
  int excluded = 0;
  for (int round = 0; round < 4'000; ++round) {
    std::vector<TermId> facts;
    for (std::uint32_t k = box.below(4); k > 0; --k) facts.push_back(box.condition(1));
    const TermId condition = box.condition(2);
    std::vector<check::Fact> stated;
    for (TermId fact : facts) stated.push_back({fact, true, term::Basis::context});
    if (judge.follows(condition, stated)) {
      ++shown;
      ASSERT_FALSE(box.fails_in_a_run(condition, facts)) << text(condition);
    }
    if (judge.excluded(condition, stated)) {
      ++excluded;
      ASSERT_FALSE(box.fails_in_a_run(builtin(Builtin::not_, {condition}), facts))
          << text(condition);
    }
  }
  EXPECT_GT(shown, 400);
  EXPECT_GT(excluded, 200);
}

// What the rewriter marks `constant` the checker has to find one too, or it is a flaw.
TEST_F(CheckReals, ConstantsOfTheRewriterAreConstantsOfTheChecker) {
  RealBox box{*this, std::mt19937(17), {unknown("x"), unknown("y")}};
  std::vector<TermId> conditions;
  std::vector<TermId> facts;
  for (int round = 0; round < 5'000; ++round) conditions.push_back(box.condition(2));
  const auto known = operations_of(*this);
  check::Terms terms(store);
  check::Judge judge(terms, known);
  int constants = 0;
  for (TermId condition : conditions) {
    const auto verdict = oracle.decide(store, condition, facts, interpretation());
    if (verdict.decider != "constant") continue;
    ++constants;
    const auto value = judge.value(condition);
    ASSERT_TRUE(value.has_value()) << text(condition);
    EXPECT_EQ(*value != 0, verdict.answer == term::Verdict::Answer::proved) << text(condition);
  }
  EXPECT_GT(constants, 500);
}

// The terms of this test are not interned, so that equal ones may be two: less is shown, never
// more.
TEST_F(CheckArithmetic, NothingFollowsThatHasACounterexample) {
  const std::vector<SymbolId> variables{variable("i"), variable("o"), variable("s")};
  Box box{*this, std::mt19937(7), variables};
  const auto known = operations();
  check::Terms terms(store);
  check::Judge judge(terms, known);
  int shown = 0;
  int with_facts = 0;
  for (int round = 0; round < 5'000; ++round) {
    std::vector<TermId> facts;
    for (std::uint32_t k = box.below(4); k > 0; --k) facts.push_back(box.condition(1));
    // Often a consequence of a fact, so that there is something to show.
    const TermId condition = facts.empty() || box.below(2) == 0
                                 ? box.condition(2)
                                 : facts[box.below(static_cast<std::uint32_t>(facts.size()))];
    std::vector<check::Fact> stated;
    for (TermId fact : facts) stated.push_back({fact, true, term::Basis::context});
    if (!judge.follows(condition, stated)) continue;
    ++shown;
    with_facts += facts.empty() ? 0 : 1;
    EXPECT_FALSE(fails_somewhere(*this, variables, condition, facts)) << text(condition);
  }
  EXPECT_GT(shown, 300);
  EXPECT_GT(with_facts, 100);
}

TEST_F(CheckArithmetic, SumsOfInequalitiesAreSeen) {
  const SymbolId i = variable("i");
  const SymbolId n = variable("n");
  const SymbolId m = variable("m");
  const TermId ti = make(i);
  const TermId tn = make(n);
  const TermId tm = make(m);
  const std::vector<TermId> facts{make(less, {ti, tn}), make(less_equal, {tn, tm})};
  std::vector<check::Fact> stated;
  for (TermId fact : facts) stated.push_back({fact, true, term::Basis::context});
  const auto known = operations();
  check::Terms terms(store);
  check::Judge judge(terms, known);
  const TermId next = make(add, {ti, number(1)});
  EXPECT_TRUE(judge.follows(make(less_equal, {next, tm}), stated));
  EXPECT_FALSE(judge.follows(make(less, {next, tm}), stated));
  EXPECT_EQ(judge.value(make(modulo, {number(-3), number(5)})), 2);
  EXPECT_EQ(judge.value(make(divide, {number(-3), number(5)})), -1);
  EXPECT_EQ(judge.value(make(divide, {number(3), number(0)})), std::nullopt);
}

}  // namespace
}  // namespace rhopsi::test
