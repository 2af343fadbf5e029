// Conditions that a solver decides where cheaper means give up.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/rewrite/rewriter.hpp"
#include "engine/smt/oracle.hpp"
#include "tests/unit/engine/algebra.hpp"
#include "tests/unit/engine/random_conditions.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct SmtOracle : testing::Test, Algebra {
  const SymbolId i = variable("i");
  const SymbolId o = variable("o");
  const SymbolId s = variable("s");
  smt::Oracle solver{oracle, {seconds(10), seconds(300)}};

  TermId le(TermId left, TermId right) { return make(less_equal, {left, right}); }
  TermId lt(TermId left, TermId right) { return make(less, {left, right}); }
  TermId plus(TermId left, TermId right) { return make(add, {left, right}); }
  TermId times(TermId left, TermId right) { return make(multiply, {left, right}); }
  TermId negated(TermId condition) { return builtin(Builtin::not_, {condition}); }

  term::Verdict ask(smt::Oracle& by, TermId condition, std::vector<TermId> facts = {}) {
    return by.decide(store, condition, facts, interpretation());
  }
  term::Verdict ask(TermId condition, std::vector<TermId> facts = {}) {
    return ask(solver, condition, std::move(facts));
  }

  // 2 * i == 3 * o and 1 <= i <= 2: there are none, which intervals do not see.
  TermId parity() { return negated(equal(times(number(2), make(i)), times(number(3), make(o)))); }
  std::vector<TermId> small() { return {le(number(1), make(i)), le(make(i), number(2))}; }
};

TEST_F(SmtOracle, IsAskedWhereCheaperMeansGiveUp) {
  ASSERT_EQ(oracle.decide(store, parity(), small(), interpretation()).answer, Answer::unknown);
  const auto verdict = ask(parity(), small());
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "Z3");
  EXPECT_EQ(solver.use().queries, 1U);
  EXPECT_EQ(ask(le(make(i), number(5)), small()).decider, "interval");
  EXPECT_EQ(solver.use().queries, 1U);
}

TEST_F(SmtOracle, RefutesWithNumbersThatAreTried) {
  // i * i * i == 1331 has one solution, which no search among small numbers finds.
  const TermId cube = times(make(i), times(make(i), make(i)));
  const auto verdict = ask(negated(equal(cube, number(1331))), {lt(number(0), make(i))});
  EXPECT_EQ(verdict.answer, Answer::refuted);
  EXPECT_EQ(verdict.decider, "Z3");
  EXPECT_EQ(verdict.detail, "i = 11");
}

TEST_F(SmtOracle, CallsWithoutAMeaningAreFunctions) {
  const SymbolId f = function("f", 1);
  const TermId left = make(f, {plus(make(i), number(1))});
  const TermId right = make(f, {make(o)});
  EXPECT_EQ(ask(equal(left, right), {equal(plus(make(i), number(1)), make(o))}).answer,
            Answer::proved);
  const auto verdict = ask(equal(left, right));
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_NE(verdict.detail.find("it does not follow"), std::string::npos) << verdict.detail;
}

TEST_F(SmtOracle, EqualityOfOtherSortsIsNotThatOfNumbers) {
  const SortId real = store.sort("Real");
  const TermId x = make(store.fresh_variable("x", real, false));
  const TermId y = make(store.fresh_variable("y", real, false));
  // 0.0 == -0.0, and 1 / x tells them apart.
  const SymbolId f = function("f", {real}, integer);
  EXPECT_EQ(ask(equal(make(f, {x}), make(f, {y})), {equal(x, y)}).answer, Answer::unknown);
}

TEST_F(SmtOracle, BindersAreEqualUpToTheNamesOfTheirVariables) {
  const SymbolId j = variable("j");
  const SymbolId k = variable("k");
  const SymbolId f = function("f", 1);
  const TermId one = fold(add, j, make(i), make(f, {make(j)}));
  const TermId same = fold(add, k, make(i), make(f, {make(k)}));
  const TermId other = fold(add, k, make(o), make(f, {make(k)}));
  const TermId twice = times(number(2), one);
  EXPECT_EQ(ask(negated(equal(twice, plus(times(number(2), same), number(1))))).answer,
            Answer::proved);
  EXPECT_EQ(ask(negated(equal(twice, plus(times(number(2), other), number(1))))).answer,
            Answer::proved);  // by parity
  EXPECT_EQ(ask(equal(one, other)).answer, Answer::unknown);
}

TEST_F(SmtOracle, EqualQuestionsAreAskedOnce) {
  ask(parity(), small());
  const SymbolId a = variable("a");
  const SymbolId b = variable("b");
  const TermId again = negated(equal(times(number(2), make(a)), times(number(3), make(b))));
  const auto verdict = ask(again, {le(number(1), make(a)), le(make(a), number(2))});
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(solver.use().queries, 1U);
  EXPECT_EQ(solver.use().repeated, 1U);
}

// Facts at the front that two questions share stay stated; the rest is taken back.
TEST_F(SmtOracle, FactsOfTheQuestionBeforeStayStated) {
  const TermId seven = negated(equal(times(number(2), make(i)), times(number(7), make(o))));
  ASSERT_EQ(ask(parity(), small()).answer, Answer::proved);
  EXPECT_EQ(solver.use().stated, 2U);
  EXPECT_EQ(solver.use().kept, 0U);
  ASSERT_EQ(ask(seven, small()).answer, Answer::proved);
  EXPECT_EQ(solver.use().stated, 4U);
  EXPECT_EQ(solver.use().kept, 2U);
  // Only the first fact is shared.
  EXPECT_EQ(
      ask(parity(), {le(number(1), make(i)), lt(times(number(2), make(i)), number(6))}).answer,
      Answer::proved);
  EXPECT_EQ(solver.use().stated, 6U);
  EXPECT_EQ(solver.use().kept, 3U);
  // What was known then is not known any more.
  const auto verdict =
      ask(parity(), {le(number(1), make(i)), le(number(299), make(i)), le(make(i), number(300))});
  EXPECT_EQ(verdict.answer, Answer::refuted);
  EXPECT_EQ(verdict.detail, "i = 300, o = 200");
}

// Three different ones of a sort: of truth values there are only two.
TEST_F(SmtOracle, QuestionsOfDifferentSortsAreNotEqual) {
  const auto three = [&](SortId sort) {
    const TermId a = make(store.fresh_variable("a", sort, false));
    const TermId b = make(store.fresh_variable("b", sort, false));
    const TermId c = make(store.fresh_variable("c", sort, false));
    const auto differ = [&](TermId x, TermId y) { return builtin(Builtin::not_equal, {x, y}); };
    std::vector<TermId> facts{differ(a, b), differ(b, c)};
    if (sort == integer) facts.push_back(le(plus(a, plus(b, c)), plus(a, plus(b, c))));
    return ask(equal(a, c), facts);
  };
  EXPECT_EQ(three(store.predicate_sort()).answer, Answer::proved);
  EXPECT_EQ(three(integer).answer, Answer::refuted);
}

// --- what goes wrong is unknown

TEST_F(SmtOracle, LimitsLeaveAConditionOpen) {
  smt::Oracle hasty(oracle, {milliseconds(20), seconds(10)});
  // Eleven different numbers from 1 to 10: that there are none takes long to see.
  std::vector<TermId> numbers;
  std::vector<TermId> facts;
  for (int k = 0; k < 11; ++k) {
    const TermId next = make(variable("n" + std::to_string(k)));
    facts.push_back(both(le(number(1), next), le(next, number(10))));
    for (TermId other : numbers) {
      facts.push_back(builtin(Builtin::not_equal, {other, next}));
    }
    numbers.push_back(next);
  }
  const auto verdict = ask(hasty, le(make(i), make(o)), facts);
  EXPECT_EQ(verdict.answer, Answer::unknown);
  EXPECT_NE(verdict.detail.find("no answer within 20 ms"), std::string::npos) << verdict.detail;
  EXPECT_EQ(hasty.use().gave_up, 1U);
  // What comes after it is asked as ever.
  EXPECT_EQ(ask(hasty, parity(), small()).answer, Answer::proved);
  smt::Oracle spent(oracle, {seconds(1), milliseconds(0)});
  EXPECT_EQ(ask(spent, parity(), small()).answer, Answer::unknown);
  EXPECT_EQ(spent.use().queries, 0U);
}

TEST_F(SmtOracle, AFailureOfTheSolverIsUnknown) {
  int calls = 0;
  smt::Oracle failing(oracle, {}, [&]() -> std::optional<term::Verdict> {
    switch (calls++) {
      case 0:
        throw std::runtime_error("out of memory");
      case 1:
        throw std::bad_alloc();
      case 2:
        return term::Verdict{Answer::unknown, "Z3", "incomplete"};
      default:
        return std::nullopt;
    }
  });
  for (const char* reason : {"out of memory", "bad_alloc", "incomplete"}) {
    const auto verdict = ask(failing, parity(), small());
    EXPECT_EQ(verdict.answer, Answer::unknown);
    EXPECT_NE(verdict.detail.find(reason), std::string::npos) << verdict.detail;
  }
  EXPECT_EQ(ask(failing, parity(), small()).answer, Answer::proved);
}

// What a run of rewriting comes to when the solver fails at every question, each time in another
// way: rules that need it are refused with the reason, the others fire, and the run ends.
TEST_F(SmtOracle, ARunWithASolverThatFailsIsSound) {
  const SymbolId f = function("f", 1);
  const SymbolId g = function("g", 1);
  const SymbolId x = store.fresh_variable("x", integer, true);
  const auto rule = [&](const char* name, SymbolId symbol, std::optional<TermId> condition) {
    const TermId left = make(symbol, {make(x)});
    return term::Rule{name, {x}, left, make(x), condition, {}};
  };
  // f(x) => x where 2 * i == 3 * o is false, which only the solver sees; g(x) => x.
  const term::RuleSet rules{{rule("hard", f, parity()), rule("plain", g, std::nullopt)}, {}};
  const auto fail_in_turn = [&](int kind) -> std::optional<term::Verdict> {
    switch (kind) {
      case 0:
        throw std::bad_alloc();
      case 1:
        throw std::runtime_error("the solver is gone");
      case 2:
        return term::Verdict{Answer::unknown, "Z3", "timeout"};
      case 3:
        return term::Verdict{Answer::unknown, "Z3", "incomplete"};
      default:
        return std::nullopt;
    }
  };
  for (int kind = 0; kind <= 4; ++kind) {
    smt::Oracle faulty(oracle, {seconds(60), seconds(300)}, [&] { return fail_in_turn(kind); });
    term::Theory target = program(make(f, {make(g, {make(i)})}));
    target.callables[0].parameters = {i, o};
    target.callables[0].guard = both(small()[0], small()[1]);
    const rewrite::Context context{store, faulty, interpretation(), {}, true};
    const term::Derivation derivation = rewrite::rewrite(context, target, rules, 10);
    EXPECT_EQ(derivation.runs.at(0).stop, term::CallableRun::Stop::normal_form) << kind;
    const bool works = kind == 4;
    EXPECT_EQ(text(*target.callables[0].body), works ? "i" : "f(i)") << kind;
    const bool refused = std::ranges::any_of(derivation.steps, [](const term::Step& step) {
      return !step.applied && step.rule == "hard" && step.verdict.answer == Answer::unknown;
    });
    EXPECT_EQ(refused, !works) << kind;
  }
}

TEST_F(SmtOracle, LargeAndDeepConditions) {
  TermId deep = make(i);
  for (int k = 0; k < 3000; ++k) deep = make(absolute, {make(subtract, {deep, make(o)})});
  EXPECT_NO_THROW(ask(le(number(0), deep)));
}

TEST(WhyUndecided, SaysWhatWasTheCase) {
  smt::OracleUse use;
  EXPECT_TRUE(why_undecided(use).empty());
  use.gave_up = 1;
  EXPECT_EQ(why_undecided(use),
            std::vector<std::string>{"1 condition was left undecided by the solver's limits; "
                                     "--smt-timeout and --smt-run-timeout set them"});
  use = {};
  use.incomplete = 2;
  use.incompleteness = "incomplete";
  EXPECT_EQ(why_undecided(use),
            std::vector<std::string>{"2 conditions were left undecided by the solver before its "
                                     "limits (incomplete): more time would not help"});
}

// A long run has 100,000 conditions for what is cheap, and of these as many for the solver as it
// gets through in 20 seconds.
TEST_F(SmtOracle, AgreesWithTryingEveryPoint) {
  const bool many = std::getenv("RHOPSI_TEST_SEEDS") != nullptr;
  smt::Oracle quick(oracle, {milliseconds(200), seconds(3000)});
  const int rounds = many ? 100'000 : 600;
  const Agreement cheap = agreement(*this, oracle, 7, rounds);
  std::cout << cheap.rounds << " conditions: " << cheap.proved << " proved, " << cheap.refuted
            << " refuted, " << cheap.unknown << " unknown\n";
  EXPECT_EQ(cheap.rounds, rounds);
  if (many) {
    const auto end = std::chrono::steady_clock::now() + seconds(20);
    const Agreement asked = agreement(*this, quick, 7, rounds, end);
    std::cout << "with the solver " << asked.rounds << " conditions: " << asked.proved
              << " proved, " << asked.refuted << " refuted, " << asked.unknown << " unknown\n";
    EXPECT_GE(asked.rounds, 600);
    return;
  }
  const Agreement found = agreement(*this, quick, 7, rounds);
  std::cout << found.proved << " proved, " << found.refuted << " refuted, " << found.unknown
            << " unknown, where it was " << cheap.unknown << "\n";
  EXPECT_GT(found.proved, cheap.proved);
  EXPECT_LT(found.unknown, cheap.unknown);
}

}  // namespace
}  // namespace rhopsi::test
