#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using Kind = term::RuleProblem::Kind;

struct RuleTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId g = function("g", 2);
  const SymbolId x = variable("x");
  const SymbolId y = variable("y");
};

TEST_F(RuleTest, OrdersByAxiomNameThenByAssertion) {
  const auto set = rules({axiom("b", {assertion(equal(make(f, {make(x)}), make(x))),
                                      assertion(equal(make(g, {make(x), make(x)}), make(x)))}),
                          equation("Z", make(f, {make(x)}), number(0)),
                          equation("a", make(f, {number(1)}), number(2))});
  std::vector<std::string> names;
  for (const auto& rule : set.rules) names.push_back(rule.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Z", "a", "b#1", "b#2"}));
  EXPECT_TRUE(set.problems.empty());
}

TEST_F(RuleTest, InlinesBindingsInTurn) {
  const SymbolId u = variable("u");
  const SymbolId v = variable("v");
  term::Axiom inlined = axiom("inlined", {});
  inlined.body = statement(Control::block,
                           {statement(Control::declare, {make(u), make(f, {make(x)})}),
                            statement(Control::declare, {make(v), make(g, {make(u), make(y)})}),
                            assertion(equal(make(f, {make(v)}), make(u)))},
                           {u, v});
  const auto set = rules({inlined});
  ASSERT_EQ(set.rules.size(), 1U);
  EXPECT_EQ(text(set.rules[0].left), "f(g(f(x), y))");
  EXPECT_EQ(text(set.rules[0].right), "f(x)");
  EXPECT_EQ(set.rules[0].variables, (std::vector{x, y}));
}

TEST_F(RuleTest, ConjoinsGuardAndHypothesis) {
  const TermId positive = make(less, {number(0), make(x)});
  const TermId small = make(less, {make(x), number(9)});
  term::Axiom guarded =
      axiom("guarded",
            {assertion(builtin(Builtin::implies, {small, equal(make(f, {make(x)}), make(x))}))});
  guarded.guard = positive;
  const auto set = rules({guarded});
  ASSERT_EQ(set.rules.size(), 1U);
  EXPECT_EQ(text(*set.rules[0].condition), "0 < x && x < 9");
}

TEST_F(RuleTest, EquivalenceOfPredicatesIsARule) {
  const TermId left = make(less, {make(x), make(y)});
  const TermId right = make(less_equal, {make(x), make(y)});
  const auto set = rules({axiom("iff", {assertion(builtin(Builtin::iff, {left, right}))}),
                          axiom("same", {assertion(equal(left, right))})});
  EXPECT_EQ(set.rules.size(), 2U);
}

TEST_F(RuleTest, SaysWhyAnAssertionIsNoRule) {
  const auto problem_of = [&](TermId predicate) {
    const auto set = rules({axiom("bad", {assertion(predicate)})});
    EXPECT_TRUE(set.rules.empty());
    EXPECT_EQ(set.problems.size(), 1U);
    return set.problems.at(0).kind;
  };
  EXPECT_EQ(problem_of(builtin(Builtin::not_equal, {make(f, {make(x)}), make(f, {make(y)})})),
            Kind::not_an_equation);
  EXPECT_EQ(problem_of(make(less, {make(x), make(y)})), Kind::not_an_equation);
  EXPECT_EQ(problem_of(equal(make(x), make(f, {make(x)}))), Kind::left_is_variable);
  EXPECT_EQ(problem_of(equal(make(f, {make(x)}), make(y))), Kind::unbound_right);
  EXPECT_EQ(problem_of(equal(make(f, {make(x)}), make(f, {make(x)}))), Kind::same_sides);
  EXPECT_EQ(problem_of(builtin(Builtin::implies, {make(less, {make(x), make(y)}),
                                                  equal(make(f, {make(x)}), make(x))})),
            Kind::unbound_condition);
}

}  // namespace
}  // namespace rhopsi::test
