#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using rewrite::Strategy;
using Kind = Strategy::Kind;
using Stop = term::CallableRun::Stop;

Strategy leaf(Kind kind, std::string name = {}) { return {kind, 0, std::move(name), {}}; }
Strategy of(Kind kind, std::vector<Strategy> parts) { return {kind, 0, {}, std::move(parts)}; }
Strategy numbered(Kind kind, std::uint64_t number, Strategy part) {
  return {kind, number, {}, {std::move(part)}};
}
Strategy named(Kind kind, std::string name, Strategy part) {
  return {kind, 0, std::move(name), {std::move(part)}};
}
Strategy only(std::string axiom) { return leaf(Kind::rule, std::move(axiom)); }
const Strategy any = leaf(Kind::rules);

struct StrategyTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId g = function("g", 2);
  const SymbolId h = function("h");
  const SymbolId x = variable("x");
  const SymbolId y = variable("y");
  // f(x) -> h(x), h(h(x)) -> x, g(x, x) -> x.
  const term::RuleSet set = rules({equation("lift", make(f, {make(x)}), make(h, {make(x)})),
                                   equation("cancel", nest(h, 2, make(x)), make(x)),
                                   equation("merge", make(g, {make(x), make(x)}), make(x))});

  TermId nest(SymbolId symbol, std::size_t times, TermId term) {
    for (std::size_t i = 0; i < times; ++i) term = store.make(symbol, std::vector{term});
    return term;
  }
  term::Derivation run(term::Theory& theory, const Strategy& strategy,
                       std::uint64_t bound = 1'000'000, rewrite::Limits limits = {}) {
    auto with = context();
    with.limits = limits;
    return rewrite::rewrite(with, theory, set, strategy, bound);
  }
  // The body, and how the run ended.
  std::string after(TermId body, const Strategy& strategy, std::uint64_t bound = 1'000'000) {
    term::Theory theory = program(body);
    const auto derivation = run(theory, strategy, bound);
    const char* const ends[] = {"normal", "completed", "failed", "passes",
                                "steps",  "size",      "memory", "time"};
    return text(*theory.callables[0].body) + " " +
           ends[static_cast<int>(derivation.runs.at(0).stop)];
  }
};

TEST_F(StrategyTest, RulesApplyAtTheVeryTerm) {
  const TermId body = make(h, {nest(f, 1, number(1))});
  EXPECT_EQ(after(body, any), "h(f(1)) failed");
  EXPECT_EQ(after(nest(f, 2, number(1)), any), "h(f(1)) completed");
  EXPECT_EQ(after(nest(f, 2, number(1)), only("merge")), "f(f(1)) failed");
  EXPECT_EQ(after(nest(f, 1, number(1)), any), "h(1) normal");
}

TEST_F(StrategyTest, SequencesFailAsOneAndTakeBackWhatWasDone) {
  const TermId body = nest(f, 1, number(1));
  EXPECT_EQ(after(body, of(Kind::seq, {only("lift"), only("lift")})), "f(1) failed");
  EXPECT_EQ(after(body, of(Kind::seq, {only("lift"), leaf(Kind::id)})), "h(1) normal");
  EXPECT_EQ(after(body, of(Kind::choice,
                           {of(Kind::seq, {only("lift"), leaf(Kind::fail)}), leaf(Kind::id)})),
            "f(1) completed");
  term::Theory theory = program(body);
  const auto derivation = run(theory, of(Kind::seq, {only("lift"), leaf(Kind::fail)}));
  EXPECT_TRUE(derivation.steps.empty());
  EXPECT_TRUE(derivation.applications.empty());
  EXPECT_EQ(derivation.runs.at(0).steps, 0U);
}

TEST_F(StrategyTest, PartsOfATerm) {
  const TermId body = make(g, {nest(f, 1, number(1)), nest(f, 1, number(2))});
  EXPECT_EQ(after(body, of(Kind::all, {any})), "g(h(1), h(2)) normal");
  EXPECT_EQ(after(body, of(Kind::one, {any})), "g(h(1), f(2)) completed");
  EXPECT_EQ(after(body, numbered(Kind::child, 2, any)), "g(f(1), h(2)) completed");
  EXPECT_EQ(after(body, numbered(Kind::child, 3, any)), "g(f(1), f(2)) failed");
  const TermId half = make(g, {nest(f, 1, number(1)), number(2)});
  EXPECT_EQ(after(half, of(Kind::all, {any})), "g(f(1), 2) failed");
  EXPECT_EQ(after(half, of(Kind::all, {of(Kind::try_, {any})})), "g(h(1), 2) normal");
}

TEST_F(StrategyTest, Traversals) {
  const TermId body = make(g, {nest(f, 2, number(1)), nest(f, 3, number(2))});
  EXPECT_EQ(after(body, of(Kind::once, {any})), "g(h(f(1)), f(f(f(2)))) completed");
  EXPECT_EQ(after(body, of(Kind::topdown, {any})), "g(h(h(1)), h(h(h(2)))) completed");
  EXPECT_EQ(after(body, of(Kind::bottomup, {any})), "g(h(h(1)), h(h(h(2)))) completed");
  EXPECT_EQ(after(body, of(Kind::innermost, {any})), "g(1, h(2)) normal");
  EXPECT_EQ(after(body, of(Kind::outermost, {any})), "g(1, h(2)) normal");
  EXPECT_EQ(after(body, of(Kind::repeat, {of(Kind::once, {any})})), "g(1, h(2)) normal");
  EXPECT_EQ(after(body, of(Kind::innermost, {only("lift")})), "g(h(h(1)), h(h(h(2)))) completed");
  EXPECT_EQ(after(body, leaf(Kind::passes)), "g(1, h(2)) normal");
  EXPECT_EQ(after(body, {Kind::passes, 1, {}, {}}), "g(h(f(1)), h(f(f(2)))) completed");
}

TEST_F(StrategyTest, TheNthMatch) {
  const TermId body = make(g, {nest(f, 2, number(1)), nest(f, 1, number(2))});
  EXPECT_EQ(after(body, numbered(Kind::nth, 1, any), 1), "g(h(f(1)), f(2)) completed");
  EXPECT_EQ(after(body, numbered(Kind::nth, 2, any), 1), "g(f(h(1)), f(2)) completed");
  EXPECT_EQ(after(body, numbered(Kind::nth, 3, any), 1), "g(f(f(1)), h(2)) completed");
  EXPECT_EQ(after(body, numbered(Kind::nth, 4, any), 1), "g(f(f(1)), f(2)) failed");
}

TEST_F(StrategyTest, StatementsAndDefinitions) {
  const SymbolId v = store.fresh_variable("v", integer);
  const SymbolId w = store.fresh_variable("w", integer);
  const auto declare = [&](SymbolId variable, TermId value) {
    return statement(Control::declare, {make(variable), value});
  };
  const TermId body = control(Control::block, integer,
                              {declare(v, nest(f, 1, number(1))), declare(w, nest(f, 1, number(2))),
                               statement(Control::assign, {make(v), nest(f, 1, number(3))}),
                               statement(Control::value, {nest(f, 1, make(v))})},
                              {v, w});
  const auto lift = of(Kind::once, {any});
  EXPECT_EQ(after(body, numbered(Kind::statement, 2, lift)),
            "{ var v: Int = f(1); var w: Int = h(2); v = f(3); value f(v); } completed");
  EXPECT_EQ(after(body, numbered(Kind::statement, 5, lift)).substr(0, 5), "{ var");
  EXPECT_EQ(after(body, named(Kind::definition, "v", any)),
            "{ var v: Int = h(1); var w: Int = f(2); v = h(3); value f(v); } completed");
  EXPECT_EQ(after(body, numbered(Kind::statement, 3, named(Kind::definition, "v", any))),
            "{ var v: Int = f(1); var w: Int = f(2); v = h(3); value f(v); } completed");
  EXPECT_EQ(after(body, named(Kind::definition, "v", only("merge"))),
            "{ var v: Int = f(1); var w: Int = f(2); v = f(3); value f(v); } failed");
}

TEST_F(StrategyTest, StatementsOfLoops) {
  const SymbolId i = variable("i");
  const SymbolId v = store.fresh_variable("v", integer);
  const TermId loop = statement(
      Control::for_,
      {number(0), number(3),
       statement(Control::block, {statement(Control::assign, {make(v), nest(f, 1, make(i))})})},
      {i});
  EXPECT_EQ(after(loop, numbered(Kind::statement, 1, of(Kind::once, {any}))),
            "for i in 0 .. 3 { v = h(i); } normal");
}

TEST_F(StrategyTest, OneCallable) {
  term::Theory theory = program(nest(f, 1, number(1)));
  term::Callable second = callable(function("second", 0));
  second.body = nest(f, 1, number(2));
  theory.callables.push_back(second);
  run(theory, named(Kind::callable, "second", of(Kind::innermost, {any})));
  EXPECT_EQ(text(*theory.callables[0].body), "f(1)");
  EXPECT_EQ(text(*theory.callables.back().body), "h(2)");
}

TEST_F(StrategyTest, EquationsTurnedRound) {
  const TermId body = nest(h, 1, number(1));
  EXPECT_EQ(after(body, leaf(Kind::reversed, "lift")), "f(1) completed");
  term::Theory theory = program(body);
  EXPECT_EQ(run(theory, leaf(Kind::reversed, "lift")).steps.at(0).rule, "reversed(lift)");
}

TEST_F(StrategyTest, BoundsLeaveAValidTermAndAReason) {
  const TermId body = nest(f, 9, number(1));
  EXPECT_EQ(after(body, of(Kind::outermost, {only("lift")}), 3),
            "h(h(h(f(f(f(f(f(f(1))))))))) steps");
  EXPECT_EQ(after(make(g, {body, body}), leaf(Kind::passes), 1).substr(0, 14), "g(h(f(f(f(f(f(");
  EXPECT_EQ(after(make(g, {nest(f, 1, number(1)), nest(f, 1, number(2))}), leaf(Kind::passes), 1),
            "g(h(1), f(2)) steps");
  EXPECT_EQ(after(body, of(Kind::innermost, {only("lift")}), 3),
            "f(f(f(f(f(f(h(h(h(1))))))))) steps");
  // The bound is no obstacle where there is nothing left to do.
  EXPECT_EQ(after(nest(f, 2, number(1)), of(Kind::innermost, {any}), 3), "1 normal");
  const auto grow =
      rules({equation("grow", nest(f, 1, make(x)), nest(f, 1, make(g, {make(x), make(x)})))});
  const auto grown = [&](rewrite::Limits limits) {
    auto with = context();
    with.limits = limits;
    term::Theory theory = program(nest(f, 1, number(1)));
    return rewrite::rewrite(with, theory, grow, of(Kind::outermost, {any}), 1'000'000)
        .runs.at(0)
        .stop;
  };
  rewrite::Limits limits;
  EXPECT_EQ(grown(limits), Stop::size_bound);
  limits.term_size = std::numeric_limits<std::size_t>::max();
  limits.bytes = store.bytes() + 100'000;
  EXPECT_EQ(grown(limits), Stop::memory_bound);
  limits = {};
  limits.time = std::chrono::milliseconds(0);
  EXPECT_EQ(grown(limits), Stop::time_bound);
}

// Time is up also where no rule matches, which this would find out after 50000^3 visits.
TEST_F(StrategyTest, TimeEndsStrategiesThatOnlyLook) {
  auto with = context();
  with.limits.time = std::chrono::milliseconds(20);
  const TermId wide = [&] {
    TermId all = number(0);
    for (int i = 0; i < 50'000; ++i) all = store.make(g, std::vector{number(i), all});
    return all;
  }();
  Strategy strategy = only("lift");
  for (int i = 0; i < 3; ++i) strategy = of(Kind::topdown, {strategy});
  term::Theory theory = program(wide);
  EXPECT_EQ(rewrite::rewrite(with, theory, set, strategy, 1'000).runs.at(0).stop, Stop::time_bound);
}

// A step holds the whole way to its place: of deep terms steps take more memory than terms.
TEST_F(StrategyTest, RecordedStepsCountAsMemory) {
  const auto stop = [&](bool record_steps) {
    auto with = context();
    with.record_steps = record_steps;
    with.limits.bytes = store.bytes() + 20'000'000;
    term::Theory theory = program(nest(f, 5'000, number(1)));
    return rewrite::rewrite(with, theory, set, of(Kind::innermost, {only("lift")}), 1'000'000)
        .runs.at(0)
        .stop;
  };
  EXPECT_EQ(stop(true), Stop::memory_bound);
  EXPECT_EQ(stop(false), Stop::completed);
}

TEST_F(StrategyTest, PassesHaveTheSameBounds) {
  const auto grow = rules({equation("grow", nest(f, 1, make(x)), nest(h, 1, nest(f, 1, make(x))))});
  const auto stop = [&](rewrite::Limits limits) {
    auto with = context();
    with.limits = limits;
    term::Theory theory = program(nest(f, 1, number(1)));
    return rewrite::rewrite(with, theory, grow, 1'000'000).runs.at(0).stop;
  };
  rewrite::Limits limits;
  limits.bytes = store.bytes() + 100'000;
  EXPECT_EQ(stop(limits), Stop::memory_bound);
  limits = {};
  limits.time = std::chrono::milliseconds(0);
  EXPECT_EQ(stop(limits), Stop::time_bound);
}

TEST_F(StrategyTest, ConditionsAreDecidedAtTheirPlaces) {
  // f(x) -> h(x) if x < 5; inside of `if v < 4` that is known of v alone.
  const auto conditional = rules({axiom(
      "small",
      {assertion(builtin(Builtin::implies, {make(less, {make(x), number(5)}),
                                            equal(nest(f, 1, make(x)), nest(h, 1, make(x)))}))})});
  const SymbolId v = variable("v");
  const TermId body = choose(make(less, {make(v), number(4)}), nest(f, 1, make(v)),
                             make(g, {nest(f, 1, make(v)), nest(f, 1, number(3))}));
  for (const Kind kind : {Kind::innermost, Kind::outermost, Kind::topdown, Kind::bottomup}) {
    term::Theory theory = program(body);
    const auto derivation =
        rewrite::rewrite(context(), theory, conditional, of(kind, {any}), 1'000);
    EXPECT_EQ(text(*theory.callables[0].body), "if v < 4 then h(v) else g(f(v), h(3))");
    EXPECT_EQ(derivation.runs.at(0).stop, Stop::normal_form);
    EXPECT_EQ(std::ranges::count(derivation.steps, false, &term::Step::applied), 1);
  }
}

TEST_F(StrategyTest, StepsSayWhereTheyWere) {
  const TermId body = make(g, {nest(f, 2, number(1)), nest(f, 1, number(2))});
  term::Theory theory = program(body);
  const auto derivation = run(theory, of(Kind::outermost, {any}));
  TermId current = body;
  for (const term::Step& step : derivation.steps) {
    EXPECT_EQ(text(term::at(store, current, step.position)), text(step.before));
    current = term::replace_at(store, current, step.position, step.after);
  }
  EXPECT_TRUE(term::alpha_equal(store, current, *theory.callables[0].body));
  EXPECT_EQ(derivation.steps.back().pass, derivation.steps.size());
}

// ------------------------------------------------------------- work, counted

struct Work {
  std::uint64_t steps;
  std::uint64_t visits;
  std::uint64_t attempts;
};

struct WorkTest : StrategyTest {
  // Sums of n arrays, right-leaning, under one operation that every summand takes inside:
  // f(g(x, y)) -> g(f(x), f(y)), f(h(x)) -> f(x).
  const term::RuleSet push =
      rules({equation("push", make(f, {make(g, {make(x), make(y)})}),
                      make(g, {make(f, {make(x)}), make(f, {make(y)})})),
             equation("drop", make(f, {make(h, {make(x)})}), make(f, {make(x)}))});

  TermId sum(std::size_t terms) {
    TermId body = nest(h, 1, number(0));
    for (std::size_t i = 1; i < terms; ++i)
      body = store.make(g, std::vector{nest(h, 1, number(1)), body});
    return nest(f, 1, body);
  }
  Work work(TermId body, const Strategy& strategy) {
    auto with = context();
    with.record_steps = false;
    with.limits.term_size = 100'000'000;
    term::Theory theory = program(body);
    const auto derivation = rewrite::rewrite(with, theory, push, strategy, 100'000'000);
    EXPECT_EQ(derivation.runs.at(0).stop, Stop::normal_form);
    return {derivation.runs.at(0).steps, derivation.visits, derivation.attempts};
  }
};

TEST_F(WorkTest, StrategiesAreLinearInTheStepsThatTheyTake) {
  for (const Kind kind : {Kind::innermost, Kind::outermost}) {
    const Work small = work(sum(1'000), of(kind, {any}));
    const Work large = work(sum(32'000), of(kind, {any}));
    ASSERT_EQ(small.steps, 1'999U);
    ASSERT_EQ(large.steps, 63'999U);
    EXPECT_LT(large.visits, 33 * small.visits);
    EXPECT_LT(large.attempts, 33 * small.attempts);
    EXPECT_LT(large.visits, 12 * large.steps);
  }
  const Strategy naive = of(Kind::repeat, {of(Kind::once, {any})});
  const Work repeated = work(sum(4'000), naive);
  EXPECT_LT(repeated.visits, 12 * repeated.steps);
}

TEST_F(WorkTest, ATermIsNoDeeperThanMemory) {
  const TermId deep = nest(f, 300'000, nest(h, 1, number(0)));
  const Strategy once_each = of(Kind::topdown, {of(Kind::repeat, {any})});
  EXPECT_EQ(work(deep, of(Kind::innermost, {any})).steps, 1U);
  EXPECT_EQ(work(deep, of(Kind::outermost, {any})).steps, 1U);
  EXPECT_EQ(work(nest(f, 1, nest(h, 300'000, number(0))), once_each).steps, 300'000U);
}

TEST_F(WorkTest, OtherRulesCostNothing) {
  std::vector<term::Axiom> axioms{equation("a", make(f, {make(h, {make(x)})}), make(f, {make(x)}))};
  for (int i = 0; i < 2'000; ++i) {
    const SymbolId other = function("other" + std::to_string(i));
    axioms.push_back(equation("b" + std::to_string(i), make(f, {make(other, {make(x)})}), make(x)));
  }
  const auto attempts = [&](const term::RuleSet& rules) {
    auto with = context();
    with.record_steps = false;
    term::Theory theory = program(nest(f, 1, nest(h, 500, number(0))));
    return rewrite::rewrite(with, theory, rules, 1'000'000).attempts;
  };
  EXPECT_EQ(attempts(rules(axioms)), attempts(rules({axioms.front()})));
}

// One redex a pass, from the outside inwards and back: neither the terms above it nor those
// beside it are looked at again.
TEST_F(WorkTest, PassesAlongTheDepthOfATermAreLinear) {
  const auto turning =
      rules({equation("in", make(f, {make(h, {make(x)})}), make(h, {make(f, {make(x)})})),
             equation("out", make(h, {make(g, {make(x), make(y)})}),
                      make(g, {make(h, {make(x)}), make(y)})),
             equation("turn", make(f, {number(0)}), make(g, {number(0), number(1)}))});
  const auto work = [&](std::size_t depth) {
    auto with = context();
    with.record_steps = false;
    term::Theory theory = program(nest(f, 1, nest(h, depth, number(0))));
    const std::size_t before = store.term_count();
    const auto derivation = rewrite::rewrite(with, theory, turning, 1'000'000);
    EXPECT_EQ(derivation.runs.at(0).stop, Stop::normal_form);
    EXPECT_EQ(derivation.runs.at(0).passes, 2 * depth + 1);
    return std::pair{derivation.visits, store.term_count() - before};
  };
  const auto small = work(500);
  const auto large = work(16'000);
  EXPECT_LT(large.first, 33 * small.first);
  EXPECT_LT(large.second, 33 * small.second);
}

TEST_F(WorkTest, PassesOfManyRulesTakeTheWaysToTheirRedexesAlone) {
  constexpr std::size_t count = 64;
  constexpr std::size_t levels = 12;
  std::vector<term::Axiom> axioms;
  std::vector<SymbolId> others;
  for (std::size_t i = 0; i < count; ++i) {
    others.push_back(function("other" + std::to_string(i)));
    axioms.push_back(equation("a" + std::to_string(i), make(others[i], {make(x)}), make(x)));
  }
  // A balanced term with redexes of all rules at its leaves, one beside the other.
  std::vector<TermId> row;
  for (std::size_t i = 0; i < (std::size_t{1} << levels); ++i) {
    row.push_back(make(others[i % count], {number(1)}));
  }
  while (row.size() > 1) {
    for (std::size_t i = 0; i < row.size() / 2; ++i) row[i] = make(g, {row[2 * i], row[2 * i + 1]});
    row.resize(row.size() / 2);
  }
  auto with = context();
  with.record_steps = false;
  term::Theory theory = program(row[0]);
  const auto derivation = rewrite::rewrite(with, theory, rules(axioms), 1'000'000);
  EXPECT_EQ(derivation.runs.at(0).passes, count);
  EXPECT_EQ(derivation.runs.at(0).steps, std::size_t{1} << levels);
  // Each pass: the ways to its redexes, which meet above; looked at, rebuilt and summarised.
  const std::size_t redexes = (std::size_t{1} << levels) / count;
  const std::size_t ways = 2 * redexes + redexes * (levels - 6);
  EXPECT_LT(derivation.visits, 4 * count * ways + 4 * (std::size_t{1} << levels));
  EXPECT_LT(derivation.attempts, 2 * (std::size_t{1} << levels) + 2 * count);
}

TEST_F(WorkTest, PassesLookOnlyAtWhatChanged) {
  // One redex per pass, deep in a body with much else in it.
  const auto visits = [&](std::size_t width) {
    TermId body = nest(f, 1, nest(h, 200, number(0)));
    TermId rest = number(1);
    for (std::size_t i = 0; i < width; ++i) rest = store.make(g, std::vector{number(1), rest});
    auto with = context();
    with.record_steps = false;
    term::Theory theory = program(store.make(g, std::vector{body, rest}));
    return rewrite::rewrite(with, theory, push, 1'000'000).visits;
  };
  const std::uint64_t narrow = visits(10);
  const std::uint64_t wide = visits(10'010);
  EXPECT_LT(wide - narrow, 2 * 10'000 + 200U + 10'000U);
}

}  // namespace
}  // namespace rhopsi::test
