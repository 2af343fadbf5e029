// The checker's own arithmetic against trying every point.
#include "engine/check/arithmetic.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tests/unit/engine/random_conditions.hpp"

namespace rhopsi::test {
namespace {

struct CheckArithmetic : testing::Test, Algebra {
  std::vector<check::Operation> operations() {
    std::vector<check::Operation> list;
    for (const auto& [symbol, meaning] : meanings) {
      check::Operation operation;
      operation.symbol = symbol;
      operation.meaning = meaning;
      for (SortId sort : store[symbol].parameters) {
        operation.parameters.push_back(store.fresh_variable("a", sort, false));
      }
      list.push_back(std::move(operation));
    }
    return list;
  }
};

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
