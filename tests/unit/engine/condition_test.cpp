// Conditional rules: where they fire, what they may use, what is said when they do not.
#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

struct ConditionTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId x = variable("x");
  const SymbolId n = function("n", 0);

  // 0 <= x && x < n() => f(x) == x
  term::RuleSet in_range() {
    const TermId condition =
        both(make(less_equal, {number(0), make(x)}), make(less, {make(x), make(n)}));
    return rules({axiom(
        "inRange",
        {assertion(builtin(Builtin::implies, {condition, equal(make(f, {make(x)}), make(x))}))})});
  }
  bool fires_in(TermId body) { return !term::occurs(store, f, rewritten(body, in_range())); }
};

TEST_F(ConditionTest, IndicesOfFoldsAreInRange) {
  const SymbolId k = variable("k");
  EXPECT_TRUE(fires_in(fold(add, k, make(n), make(f, {make(k)}))));
  EXPECT_FALSE(fires_in(fold(add, k, make(add, {make(n), number(1)}), make(f, {make(k)}))));
}

TEST_F(ConditionTest, IndicesOfLoopsAreInRange) {
  const SymbolId i = variable("i");
  const SymbolId v = store.fresh_variable("v", integer);
  const auto loop = [&](TermId low, TermId high) {
    const TermId assign = statement(Control::assign, {make(v), make(f, {make(i)})});
    return statement(Control::for_, {low, high, assign}, {i});
  };
  EXPECT_TRUE(fires_in(loop(number(0), make(n))));
  EXPECT_TRUE(fires_in(loop(number(2), make(subtract, {make(n), number(1)}))));
  EXPECT_FALSE(fires_in(loop(number(-1), make(n))));
  // The bound is read once, but v is another number in the loop.
  EXPECT_FALSE(fires_in(loop(make(v), make(n))));
}

TEST_F(ConditionTest, BranchesKnowTheirCondition) {
  const SymbolId i = variable("i");
  const TermId inside =
      both(make(less_equal, {number(0), make(i)}), make(less, {make(i), make(n)}));
  const TermId redex = make(f, {make(i)});
  EXPECT_TRUE(fires_in(choose(inside, redex, number(0))));
  EXPECT_FALSE(fires_in(choose(inside, number(0), redex)));
  const TermId outside = builtin(
      Builtin::or_, {make(less, {make(i), number(0)}), make(less_equal, {make(n), make(i)})});
  EXPECT_TRUE(fires_in(choose(outside, number(0), redex)));
}

TEST_F(ConditionTest, AssertionsHoldForWhatFollows) {
  const SymbolId i = variable("i");
  const TermId inside =
      both(make(less_equal, {number(0), make(i)}), make(less, {make(i), make(n)}));
  const TermId value = statement(Control::value, {make(f, {make(i)})});
  const TermId claim = assertion(inside);
  EXPECT_TRUE(fires_in(control(Control::block, integer, {claim, value})));
  EXPECT_FALSE(fires_in(statement(Control::block, {value, claim})));
}

TEST_F(ConditionTest, FactsAboutAssignedVariablesDoNotOutliveTheAssignment) {
  const SymbolId v = store.fresh_variable("v", integer);
  const SymbolId w = store.fresh_variable("w", integer);
  const TermId inside =
      both(make(less_equal, {number(0), make(v)}), make(less, {make(v), make(n)}));
  const TermId use = statement(Control::assign, {make(w), make(f, {make(v)})});
  const TermId change = statement(Control::assign, {make(v), number(-5)});
  EXPECT_TRUE(fires_in(statement(Control::if_, {inside, use, statement(Control::skip, {})})));
  const TermId changed_first = statement(Control::block, {change, use});
  EXPECT_FALSE(
      fires_in(statement(Control::if_, {inside, changed_first, statement(Control::skip, {})})));
}

TEST_F(ConditionTest, VariablesThatARuleBringsInMayBeAssignedToo) {
  const SymbolId h = function("h");
  const SymbolId y = variable("y");
  const SymbolId r = store.fresh_variable("r", integer);
  const std::vector<SortId> one{integer};
  const std::vector<Mode> updated{Mode::upd};
  const SymbolId p =
      store.operation(SymbolKind::procedure, "p", one, store.statement_sort(), updated);
  // h(y) == { var r = 3; call p(r); value f(r); }, 0 <= x => f(x) == x
  const TermId block =
      control(Control::block, integer,
              {statement(Control::declare, {make(r), number(3)}), make(p, {make(r)}),
               statement(Control::value, {make(f, {make(r)})})},
              {r});
  const TermId positive = builtin(Builtin::implies, {make(less_equal, {number(0), make(x)}),
                                                     equal(make(f, {make(x)}), make(x))});
  const auto both_rules =
      rules({equation("a", make(h, {make(y)}), block), axiom("b", {assertion(positive)})});
  EXPECT_TRUE(term::occurs(store, f, rewritten(make(h, {make(n)}), both_rules)));
}

TEST_F(ConditionTest, RefusalsNameTheirPlaceInTheProgram) {
  const TermId redex =
      store.make(f, std::vector<TermId>{number(-3)}, {}, store.location({"solver.mg", 12, 5}));
  term::Theory theory = program(redex);
  const term::Derivation derivation = rewrite(theory, in_range());
  const std::string description = rewrite::describe(store, derivation, true);
  EXPECT_NE(description.find(" at solver.mg:12 refused: needs "), std::string::npos) << description;
}

TEST_F(ConditionTest, WhatAConnectiveMayLeaveOutIsNotPresupposed) {
  // q(x) guard 0 <= x; 0 <= x => (c() && q(x)) <=> c()
  const SymbolId c = predicate("c", {});
  const SymbolId q = predicate("q", {integer});
  const SymbolId i = variable("i");
  const TermId conjunction = both(make(c), make(q, {make(x)}));
  const auto set = rules(
      {axiom("drop", {assertion(builtin(Builtin::implies, {make(less_equal, {number(0), make(x)}),
                                                           equal(conjunction, make(c))}))})});
  term::Theory theory = program(choose(both(make(c), make(q, {make(i)})), number(1), number(2)));
  term::Callable guarded = callable(q, {x});
  guarded.guard = make(less_equal, {number(0), make(x)});
  theory.callables.push_back(guarded);
  EXPECT_EQ(rewrite(theory, set).runs.at(0).steps, 0U);
}

TEST_F(ConditionTest, GuardsAreFacts) {
  const SymbolId i = variable("i");
  const TermId inside =
      both(make(less_equal, {number(0), make(i)}), make(less, {make(i), make(n)}));
  // The callable's own guard.
  term::Theory theory = program(make(f, {make(i)}));
  theory.callables[0].parameters = {i};
  theory.callables[0].guard = inside;
  rewrite(theory, in_range());
  EXPECT_EQ(text(*theory.callables[0].body), "i");
  // The guard of an operation around the redex, about its other argument.
  const SymbolId at = function("at", 2);
  const SymbolId a = variable("a");
  const SymbolId b = variable("b");
  theory = program(make(at, {make(i), make(f, {make(i)})}));
  theory.callables.push_back(callable(at, {a, b}));
  theory.callables.back().guard =
      both(make(less_equal, {number(0), make(a)}), make(less, {make(a), make(n)}));
  rewrite(theory, in_range());
  EXPECT_EQ(text(*theory.callables[0].body), "at(i, i)");
}

TEST_F(ConditionTest, RefusalsAreRecordedOnceWithTheReason) {
  const SymbolId pad = function("pad", 0);
  definitions[pad] = number(1);
  const SymbolId o = variable("o");
  const TermId condition = make(less_equal, {make(absolute, {make(x)}), make(pad)});
  const auto set =
      rules({axiom("padded", {assertion(builtin(Builtin::implies,
                                                {condition, equal(make(f, {make(x)}), make(x))}))}),
             equation("zPeel", make(negate, {make(x)}), make(x))});
  const TermId body =
      make(add, {make(f, {make(o)}), make(negate, {make(negate, {make(f, {number(-1)})})})});
  term::Theory theory = program(body);
  const auto derivation = rewrite(theory, set);
  std::vector<term::Step> refused;
  for (const auto& step : derivation.steps) {
    if (!step.applied) refused.push_back(step);
  }
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].verdict.answer, term::Verdict::Answer::refuted);
  EXPECT_EQ(refused[0].verdict.detail, "needs abs(x) <= pad(); fails for x = 2, pad() = 1");
  EXPECT_EQ(refused[0].before, refused[0].after);
  EXPECT_EQ(text(*theory.callables[0].body), "f(o) + -1");
  const std::string description = rewrite::describe(store, derivation, true);
  EXPECT_NE(
      description.find(": padded refused: needs abs(x) <= pad(); fails for x = 2, pad() = 1\n"),
      std::string::npos)
      << description;
  EXPECT_NE(description.find("refuted by interval\n"), std::string::npos) << description;
}

TEST_F(ConditionTest, ARefusedRuleLeavesRoomForALaterOne) {
  const auto set = rules(
      {axiom("a", {assertion(builtin(Builtin::implies, {make(less, {make(x), number(0)}),
                                                        equal(make(f, {make(x)}), number(-1))}))}),
       equation("b", make(f, {make(x)}), number(1))});
  EXPECT_EQ(text(rewritten(make(add, {make(f, {number(5)}), make(f, {number(-5)})}), set)),
            "1 + -1");
}

struct StatementTest : ConditionTest {
  const SymbolId refill = [this] {
    const std::vector<SortId> one{integer};
    const std::vector<Mode> upd{Mode::upd};
    return store.operation(SymbolKind::procedure, "refill", one, store.statement_sort(), upd);
  }();
  // f(x) == { var r = x; call refill(r); value r; }
  term::RuleSet block_rule() {
    const SymbolId r = store.fresh_variable("r", integer);
    const TermId block = control(Control::block, integer,
                                 {statement(Control::declare, {make(r), make(x)}),
                                  make(refill, {make(r)}), statement(Control::value, {make(r)})},
                                 {r});
    return rules({equation("refilled", make(f, {make(x)}), block)});
  }
  bool fires(TermId body) { return !term::occurs(store, f, rewritten(body, block_rule())); }
};

TEST_F(StatementTest, AValueBlockMayStandWhereAnExpressionIsEvaluatedOnce) {
  const SymbolId v = store.fresh_variable("v", integer);
  EXPECT_TRUE(fires(make(add, {make(f, {number(1)}), number(2)})));
  EXPECT_TRUE(fires(statement(Control::assign, {make(v), make(f, {make(v)})})));
  EXPECT_TRUE(fires(choose(make(less, {make(v), number(0)}), make(f, {number(1)}), number(2))));
}

TEST_F(StatementTest, NoStatementsInElementsAndConditions) {
  const SymbolId k = variable("k");
  EXPECT_FALSE(fires(fold(add, k, number(3), make(f, {make(k)}))));
  EXPECT_TRUE(fires(fold(add, k, make(f, {number(3)}), make(k))));
  EXPECT_FALSE(fires(choose(make(less, {make(f, {number(1)}), number(0)}), number(1), number(2))));
  EXPECT_FALSE(fires(statement(Control::assert_, {make(less, {make(f, {number(1)}), number(0)})})));
}

TEST_F(StatementTest, LocalVariablesOfARightSideAreFresh) {
  const SymbolId r = store.fresh_variable("r", integer);
  const TermId body =
      control(Control::block, integer,
              {statement(Control::declare, {make(r), number(4)}),
               statement(Control::value, {make(add, {make(f, {make(r)}), make(f, {make(r)})})})},
              {r});
  const TermId result = rewritten(body, block_rule());
  EXPECT_TRUE(term::free_variables(store, result).empty()) << text(result);
  const TermId sum = store.children(store.children(result)[1])[0];
  const TermId first = store.children(sum)[0];
  const TermId second = store.children(sum)[1];
  EXPECT_NE(store.bound(first)[0], r);
  EXPECT_NE(store.bound(first)[0], store.bound(second)[0]);
  EXPECT_EQ(store.symbol(term::at(store, first, {0, 1})), r);
}

TEST_F(StatementTest, ARightSideMayNotChangeWhatItDoesNotDeclare) {
  const TermId block = control(Control::block, integer,
                               {make(refill, {make(x)}), statement(Control::value, {make(x)})});
  const auto set = rules({equation("outer", make(f, {make(x)}), block)});
  const SymbolId v = store.fresh_variable("v", integer);
  const TermId body = make(f, {make(v)});
  EXPECT_EQ(rewritten(body, set), body);
}

}  // namespace
}  // namespace rhopsi::test
