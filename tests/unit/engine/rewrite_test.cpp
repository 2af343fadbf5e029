#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using Stop = term::CallableRun::Stop;

struct RewriteTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId g = function("g", 2);
  const SymbolId h = function("h");
  const SymbolId x = variable("x");
  const SymbolId y = variable("y");

  TermId call(SymbolId symbol, TermId argument) { return make(symbol, {argument}); }
  TermId nest(SymbolId symbol, int times, TermId term) {
    for (int i = 0; i < times; ++i) term = store.make(symbol, std::vector{term});
    return term;
  }
};

TEST_F(RewriteTest, APassReplacesAllOutermostRedexesAndDescendsIntoNone) {
  const auto set = rules({equation("halve", nest(f, 2, make(x)), call(f, make(x)))});
  const TermId body = make(g, {nest(f, 5, number(1)), nest(f, 3, number(2))});
  EXPECT_EQ(text(rewritten(body, set, 1)), "g(f(f(f(f(1)))), f(f(2)))");
  term::Theory theory = program(body);
  const auto derivation = rewrite(theory, set);
  EXPECT_EQ(text(*theory.callables[0].body), "g(f(1), f(2))");
  EXPECT_EQ(derivation.runs.at(0).passes, 4U);
  EXPECT_EQ(derivation.runs.at(0).steps, 6U);
  EXPECT_EQ(derivation.runs.at(0).stop, Stop::normal_form);
  EXPECT_EQ(derivation.applications.at("halve"), 6U);
}

TEST_F(RewriteTest, APassTakesTheFirstRuleThatChangesAnything) {
  const auto set = rules({equation("b", call(f, make(x)), make(x)),
                          equation("a", call(h, make(x)), call(f, make(x))),
                          equation("A", call(f, number(7)), number(8))});
  const TermId body = make(g, {call(f, number(1)), call(h, number(7))});
  EXPECT_EQ(text(rewritten(body, set, 1)), "g(f(1), f(7))");
  EXPECT_EQ(text(rewritten(body, set, 2)), "g(f(1), 8)");
  EXPECT_EQ(text(rewritten(body, set, 3)), "g(1, 8)");
}

TEST_F(RewriteTest, ABoundIsNoNormalForm) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x))});
  const auto stop_after = [&](std::uint64_t passes) {
    term::Theory theory = program(nest(f, 3, number(1)));
    return rewrite(theory, set, passes).runs.at(0);
  };
  EXPECT_EQ(stop_after(0).stop, Stop::pass_bound);
  EXPECT_EQ(stop_after(2).stop, Stop::pass_bound);
  EXPECT_EQ(stop_after(3).stop, Stop::normal_form);
  EXPECT_EQ(stop_after(3).passes, 3U);
  EXPECT_EQ(stop_after(9).passes, 3U);
}

TEST_F(RewriteTest, LimitsStopARunWithAValidTerm) {
  const auto grow =
      rules({equation("grow", call(f, make(x)), call(f, make(g, {make(x), make(x)})))});
  auto limited = context();
  limited.limits.term_size = 1000;
  term::Theory theory = program(call(f, number(1)));
  auto run = rewrite::rewrite(limited, theory, grow, 1'000'000).runs.at(0);
  EXPECT_EQ(run.stop, Stop::size_bound);
  EXPECT_LT(run.passes, 20U);
  limited.limits = {};
  limited.limits.steps = 5;
  theory = program(call(f, number(1)));
  run = rewrite::rewrite(limited, theory, grow, 1'000'000).runs.at(0);
  EXPECT_EQ(run.stop, Stop::step_bound);
  EXPECT_EQ(run.steps, 5U);
}

TEST_F(RewriteTest, ATermThatGrowsDeepEndsByTheMemoryThatItTakes) {
  const auto grow = rules({equation("grow", call(f, make(x)), call(h, call(f, make(x))))});
  auto limited = context();
  limited.limits.terms_made = 10'000;
  term::Theory theory = program(call(f, number(1)));
  const std::size_t before = store.term_count();
  const auto run = rewrite::rewrite(limited, theory, grow, 1'000'000).runs.at(0);
  EXPECT_EQ(run.stop, Stop::size_bound);
  EXPECT_GT(run.passes, 50U);
  EXPECT_LT(store.term_count() - before, 20'000U);
}

TEST_F(RewriteTest, AContractumEqualToItsRedexIsNoChange) {
  const auto set =
      rules({equation("swap", make(g, {make(x), make(y)}), make(g, {make(y), make(x)}))});
  const TermId same = make(g, {number(1), number(1)});
  EXPECT_EQ(rewritten(same, set), same);
  // Inner redexes are still found below it.
  const TermId inner = make(g, {number(1), number(2)});
  const TermId outer = make(g, {inner, inner});
  EXPECT_EQ(text(rewritten(outer, set, 1)), "g(g(2, 1), g(2, 1))");
}

TEST_F(RewriteTest, NothingChangedMeansTheSameTerm) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x))});
  const SymbolId k = variable("k");
  const TermId body = fold(add, k, number(3), call(h, make(k)));
  EXPECT_EQ(rewritten(body, set), body);
}

TEST_F(RewriteTest, RightSidesDoNotCapture) {
  // total(x) = sum over k < 3 of x * k, used where a variable k is in scope.
  const SymbolId k = variable("k");
  const auto set = rules({equation("total", call(f, make(x)),
                                   fold(add, k, number(3), make(multiply, {make(x), make(k)})))});
  const TermId body = fold(add, k, number(4), call(f, make(k)));
  const TermId result = rewritten(body, set);
  EXPECT_TRUE(term::free_variables(store, result).empty());
  const TermId inner = store.children(result)[1];
  const TermId product = store.children(inner)[1];
  EXPECT_EQ(store.symbol(store.children(product)[0]), k);
  EXPECT_EQ(store.symbol(store.children(product)[1]), store.bound(inner)[0]);
  EXPECT_NE(store.bound(inner)[0], k);
}

TEST_F(RewriteTest, EachUseOfARightSideHasItsOwnBoundVariables) {
  const SymbolId k = variable("k");
  const auto set = rules(
      {equation("three", call(f, make(x)), make(g, {make(x), fold(add, k, number(3), make(k))}))});
  const TermId result = rewritten(make(g, {call(f, number(1)), call(f, number(2))}), set);
  const auto bound_at = [&](term::Position position) {
    return store.bound(term::at(store, result, position))[0];
  };
  EXPECT_NE(bound_at({0, 1}), bound_at({1, 1}));
  EXPECT_NE(bound_at({0, 1}), k);
}

TEST_F(RewriteTest, GoesIntoEveryConstruct) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x))});
  const SymbolId v = store.fresh_variable("v", integer);
  const SymbolId i = variable("i");
  const std::vector<SortId> two{integer, integer};
  const std::vector<Mode> modes{Mode::upd, Mode::obs};
  const SymbolId p =
      store.operation(SymbolKind::procedure, "p", two, store.statement_sort(), modes);
  const auto redex = [&](TermId term) { return call(f, term); };
  const TermId test = make(less, {redex(make(v)), redex(number(3))});
  const TermId loop_body = statement(
      Control::block,
      {statement(Control::assign, {make(v), redex(make(i))}), make(p, {make(v), redex(make(i))})});
  const TermId body = statement(
      Control::block,
      {statement(Control::declare, {make(v), redex(number(1))}),
       statement(Control::assert_, {test}),
       statement(Control::if_, {test, loop_body, statement(Control::skip, {})}),
       statement(Control::for_, {redex(number(0)), redex(number(9)), loop_body}, {i}),
       statement(Control::iterate, {redex(number(2)), make(p, {make(v), redex(number(1))})}),
       statement(Control::while_, {test, redex(number(5)), loop_body})},
      {v});
  const TermId result = rewritten(body, set, 1);
  EXPECT_FALSE(term::occurs(store, f, result)) << text(result);
  EXPECT_EQ(text(result),
            "{ var v: Int = 1; assert v < 3; if v < 3 then { v = i; call p(v, i); } else skip; "
            "for i in 0 .. 9 { v = i; call p(v, i); }; iterate 2 call p(v, 1); "
            "while v < 3 bound 5 { v = i; call p(v, i); }; }");
}

TEST_F(RewriteTest, RewritesGuards) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x))});
  term::Theory theory = program(number(1));
  theory.callables[0].guard = make(less, {call(f, number(0)), number(1)});
  const auto derivation = rewrite(theory, set);
  EXPECT_EQ(text(*theory.callables[0].guard), "0 < 1");
  EXPECT_TRUE(derivation.steps.at(0).in_guard);
  EXPECT_EQ(derivation.steps.at(0).position, (term::Position{0}));
}

TEST_F(RewriteTest, StepsReplay) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x)),
                          equation("merge", make(g, {make(x), make(x)}), call(h, make(x)))});
  const TermId body = make(g, {nest(f, 2, number(1)), make(g, {call(f, number(3)), number(1)})});
  term::Theory theory = program(body);
  const auto derivation = rewrite(theory, set);
  TermId replayed = body;
  for (const term::Step& step : derivation.steps) {
    EXPECT_TRUE(term::alpha_equal(store, term::at(store, replayed, step.position), step.before));
    replayed = term::replace_at(store, replayed, step.position, step.after);
  }
  EXPECT_TRUE(term::alpha_equal(store, replayed, *theory.callables[0].body));
}

TEST_F(RewriteTest, DeepBodiesTakeLinearPasses) {
  const auto set = rules({equation("swap", call(f, make(x)), call(h, make(x))),
                          equation("two", nest(h, 2, make(x)), call(h, make(x)))});
  term::Theory theory = program(nest(f, 1'000'000, number(1)));
  auto quick = context();
  quick.record_steps = false;
  const auto derivation = rewrite::rewrite(quick, theory, set, 3);
  EXPECT_EQ(derivation.runs.at(0).stop, Stop::pass_bound);
  EXPECT_EQ(term::size(store, *theory.callables[0].body), 1'000'001U);
  const TermId flat = nest(h, 500'000, make(g, {call(f, number(1)), nest(h, 400'000, number(2))}));
  const auto swap_only = rules({equation("swap", call(f, make(x)), call(h, make(x)))});
  EXPECT_FALSE(term::occurs(store, f, rewritten(flat, swap_only)));
}

TEST_F(RewriteTest, DescribesHowARunEnded) {
  const auto set = rules({equation("peel", call(f, make(x)), make(x))});
  term::Theory theory = program(nest(f, 3, number(1)));
  auto derivation = rewrite(theory, set, 2);
  derivation.rules = "Peeling";
  const std::string with_steps = rewrite::describe(store, derivation, true);
  EXPECT_EQ(with_steps,
            "rewrite with Peeling, at most 2 passes\n"
            "entry(): Int: stopped at the bound of 2 passes; not a normal form, 2 steps\n"
            "  pass 1, body: peel\n    f(f(f(1)))\n    => f(f(1))\n"
            "  pass 2, body: peel\n    f(f(1))\n    => f(1)\n"
            "applications:\n  peel: 2\n");
}

}  // namespace
}  // namespace rhopsi::test
