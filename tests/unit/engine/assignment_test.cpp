// Conditions about variables that are assigned, against all runs of random programs.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "engine/rewrite/evaluate.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;
using Values = rewrite::Assignment;

constexpr std::int64_t most = 14;  // parameters are from -most to most

struct Programs : Algebra {
  const SymbolId clamp = function("clamp", 3);
  const SymbolId p = store.fresh_variable("p", integer);
  const SymbolId q = store.fresh_variable("q", integer);
  const std::vector<SortId> one{integer};
  const std::vector<Mode> changed{Mode::upd};
  const SymbolId step =
      store.operation(SymbolKind::procedure, "step", one, store.statement_sort(), changed);
  std::vector<SymbolId> variables{p, q};

  // clamp(a, low, high) == a where low <= a && a <= high.
  term::RuleSet clamping() {
    const SymbolId a = variable("a");
    const SymbolId low = variable("low");
    const SymbolId high = variable("high");
    const TermId inside =
        both(make(less_equal, {make(low), make(a)}), make(less_equal, {make(a), make(high)}));
    const TermId same = equal(make(clamp, {make(a), make(low), make(high)}), make(a));
    return rules({axiom("inside", {assertion(builtin(Builtin::implies, {inside, same}))})});
  }
};

class Generator {
 public:
  Generator(Programs& programs, std::uint32_t seed) : made_(programs), random_(seed) {}

  TermId body() { return block(0); }
  TermId condition() {
    const SymbolId which = chance(50) ? made_.less : made_.less_equal;
    TermId left = operand();
    TermId right = operand();
    const TermId one = made_.make(which, {left, right});
    if (!chance(40)) return one;
    left = operand();
    right = operand();
    return made_.both(one, made_.make(made_.less_equal, {left, right}));
  }

 private:
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::int64_t number() { return static_cast<std::int64_t>(random_() % 9) - 3; }
  TermId variable() { return made_.make(made_.variables[random_() % made_.variables.size()]); }
  TermId operand() { return chance(60) ? variable() : made_.number(number()); }
  TermId sum() {
    const TermId left = variable();
    const TermId right = operand();
    return made_.make(chance(50) ? made_.add : made_.subtract, {left, right});
  }
  TermId value() {
    const TermId plain = chance(40) ? sum() : operand();
    if (!chance(50)) return plain;
    const std::int64_t low = number();
    const TermId least = made_.number(low);
    return made_.make(made_.clamp, {plain, least, made_.number(low + 4)});
  }

  TermId block(int depth) {
    const std::size_t outside = made_.variables.size();
    std::vector<TermId> statements;
    std::vector<SymbolId> declared;
    const std::size_t length = 1 + random_() % 4;
    for (std::size_t i = 0; i < length; ++i) {
      if (depth < 2 && chance(20)) {
        const SymbolId fresh = made_.store.fresh_variable("v", made_.integer);
        const TermId first = value();
        statements.push_back(made_.statement(Control::declare, {made_.make(fresh), first}));
        declared.push_back(fresh);
        made_.variables.push_back(fresh);
      } else {
        statements.push_back(statement(depth));
      }
    }
    made_.variables.resize(outside);
    return made_.statement(Control::block, statements, declared);
  }

  TermId statement(int depth) {
    const unsigned kind = random_() % (depth < 2 ? 12 : 6);
    if (kind < 5) {
      const TermId target = variable();
      return made_.statement(Control::assign, {target, value()});
    }
    if (kind == 5) {
      return chance(50) ? made_.assertion(condition()) : made_.make(made_.step, {variable()});
    }
    if (kind < 10) {
      const TermId test = condition();
      const TermId then = block(depth + 1);
      return made_.statement(Control::if_, {test, then, block(depth + 1)});
    }
    if (kind == 10) {
      const SymbolId index = made_.store.fresh_variable("i", made_.integer, false);
      const TermId low = made_.number(number());
      const TermId high = operand();
      made_.variables.push_back(index);
      // An index is read, and not assigned.
      std::vector<TermId> body{made_.statement(Control::assign, {made_.make(made_.p), value()})};
      made_.variables.pop_back();
      body.push_back(statement(depth + 1));
      return made_.statement(Control::for_, {low, high, made_.statement(Control::block, body)},
                             {index});
    }
    const TermId test = condition();
    const TermId bound = made_.number(6);
    return made_.statement(Control::while_, {test, bound, block(depth + 1)});
  }

  Programs& made_;
  std::mt19937 random_;
};

// Runs a body, and notes for each clamp that is computed whether the rule's condition holds there.
class Execution {
 public:
  struct Seen {
    bool held = false;
    bool failed = false;
  };

  Execution(Programs& programs, std::map<TermId, Seen>& seen) : made_(programs), seen_(seen) {}

  // False where an assertion fails or a loop runs beyond its bound.
  bool run(TermId statement) {
    const auto parts = made_.store.children(statement);
    switch (made_.store.head(statement).control) {
      case Control::block:
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (!run(made_.store.children(statement)[i])) return false;
        }
        return true;
      case Control::declare:
      case Control::assign:
        values[made_.store.symbol(parts[0])] = value(parts[1]);
        return true;
      case Control::assert_:
        return holds(parts[0]);
      case Control::if_:
        return run(holds(parts[0]) ? parts[1] : parts[2]);
      case Control::for_: {
        const std::int64_t high = value(parts[1]);
        for (std::int64_t i = value(parts[0]); i < high; ++i) {
          values[made_.store.bound(statement)[0]] = i;
          if (!run(parts[2])) return false;
        }
        return true;
      }
      case Control::while_:
        for (std::int64_t round = 0; holds(parts[0]); ++round) {
          if (round == 6 || !run(parts[2])) return false;
        }
        return true;
      default:  // step(x)
        values[made_.store.symbol(parts[0])] = 1 - values.at(made_.store.symbol(parts[0]));
        return true;
    }
  }

  Values values;

 private:
  bool holds(TermId condition) {
    return *rewrite::evaluate(made_.store, made_.interpretation(), condition, values) != 0;
  }
  std::int64_t value(TermId term) {
    if (made_.store.symbol(term) != made_.clamp) {
      return *rewrite::evaluate(made_.store, made_.interpretation(), term, values);
    }
    const auto parts = made_.store.children(term);
    const std::int64_t a = value(parts[0]);
    const std::int64_t low = value(parts[1]);
    const std::int64_t high = value(parts[2]);
    const bool inside = low <= a && a <= high;
    (inside ? seen_[term].held : seen_[term].failed) = true;
    return std::max(low, std::min(a, high));
  }

  Programs& made_;
  std::map<TermId, Seen>& seen_;
};

// What is proved fails in no run; what is refuted fails in one, unless none comes there: values are
// small, so that a run with those of the counterexample is among them.
TEST(Assignments, VerdictsAgreeWithAllRuns) {
  int proved = 0;
  int refuted = 0;
  int proved_of_assigned = 0;
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    Programs made;
    Generator generator(made, seed);
    const TermId guard = generator.condition();
    const TermId body = generator.body();
    term::Theory theory = made.program(body);
    theory.callables[0].guard = guard;
    theory.callables[0].parameters = made.variables;
    const auto derivation = made.rewrite(theory, made.clamping(), 1);

    std::map<TermId, Execution::Seen> seen;
    for (std::int64_t p = -most; p <= most; ++p) {
      for (std::int64_t q = -most; q <= most; ++q) {
        Execution execution(made, seen);
        execution.values = {{made.p, p}, {made.q, q}};
        if (*rewrite::evaluate(made.store, made.interpretation(), guard, execution.values) == 0) {
          continue;
        }
        execution.run(body);
      }
    }
    const std::string text =
        "seed " + std::to_string(seed) + ": guard " + made.text(guard) + " " + made.text(body);
    for (const term::Step& each : derivation.steps) {
      const Execution::Seen at = seen[each.before];
      const std::string where = made.text(each.before) + ", " + each.verdict.detail + "\n" + text;
      if (each.verdict.answer == Answer::proved) {
        EXPECT_FALSE(at.failed) << where;
        ++proved;
        const bool assigned = !term::free_variables(made.store, *each.condition).empty();
        if (assigned && at.held) ++proved_of_assigned;
      } else if (each.verdict.answer == Answer::refuted && (at.held || at.failed)) {
        EXPECT_TRUE(at.failed) << where;
        ++refuted;
      }
    }
  }
  EXPECT_GT(proved, 150);
  EXPECT_GT(proved_of_assigned, 50);
  EXPECT_GT(refuted, 100);
}

// if 0 < p && p < 3 then p = clamp(p, 0, 3) else skip: p is assigned, after it was read.
TEST(Assignments, WhatAnIfHasTestedHoldsUntilItIsAssigned) {
  Programs made;
  const TermId p = made.make(made.p);
  const auto number = [&](std::int64_t value) { return made.number(value); };
  const TermId tested =
      made.both(made.make(made.less, {number(0), p}), made.make(made.less, {p, number(3)}));
  const auto clamped = [&] {
    return made.statement(Control::assign, {p, made.make(made.clamp, {p, number(0), number(3)})});
  };
  const TermId otherwise = made.statement(Control::skip, {});
  const auto answers = [&](std::vector<TermId> then) {
    const TermId block = made.statement(Control::block, std::move(then));
    term::Theory theory = made.program(made.statement(Control::if_, {tested, block, otherwise}));
    std::string all;
    for (const term::Step& each : made.rewrite(theory, made.clamping(), 1).steps) {
      const Answer answer = each.verdict.answer;
      all += answer == Answer::proved    ? "proved;"
             : answer == Answer::refuted ? "refuted;"
                                         : "unknown;";
    }
    return all;
  };
  const auto assign = [&](TermId value) { return made.statement(Control::assign, {p, value}); };
  const TermId more = made.make(made.add, {p, number(1)});
  EXPECT_EQ(answers({clamped()}), "proved;");
  EXPECT_EQ(answers({assign(more), clamped()}), "proved;");
  EXPECT_EQ(answers({assign(more), assign(more), clamped()}), "refuted;");
  EXPECT_EQ(answers({assign(number(2)), clamped()}), "proved;");
  EXPECT_EQ(answers({assign(number(4)), clamped()}), "refuted;");
  EXPECT_EQ(answers({made.make(made.step, {p}), clamped()}), "unknown;");
  const SymbolId i = made.store.fresh_variable("i", made.integer, false);
  EXPECT_EQ(answers({made.statement(Control::for_, {number(0), number(2), clamped()}, {i})}),
            "unknown;");
}

// What is said of one clamp.
struct FlagTest : testing::Test, Programs {
  const TermId first = make(p);
  const TermId second = make(q);

  TermId skip() { return statement(Control::skip, {}); }
  TermId block(std::vector<TermId> statements, std::vector<SymbolId> declared = {}) {
    return statement(Control::block, std::move(statements), std::move(declared));
  }
  TermId set(SymbolId variable, TermId value) {
    return statement(Control::assign, {make(variable), value});
  }
  TermId within(std::int64_t low, TermId term, std::int64_t high) {
    return both(make(less_equal, {number(low), term}), make(less_equal, {term, number(high)}));
  }
  // second = clamp(term, low, 9)
  TermId clamped(TermId term, std::int64_t low = 0) {
    return set(q, make(clamp, {term, number(low), number(9)}));
  }
  TermId choice(TermId test, TermId then, TermId otherwise) {
    return statement(Control::if_, {test, then, otherwise});
  }
  term::Step only(TermId body, std::optional<TermId> guard = std::nullopt) {
    term::Theory theory = program(body);
    theory.callables[0].guard = guard;
    theory.callables[0].parameters = variables;
    const auto steps = rewrite(theory, clamping(), 1).steps;
    return steps.size() == 1 ? steps[0] : term::Step{};
  }
};

// A flag says which way was gone: values that it does not go with are no counterexample.
TEST_F(FlagTest, WhatIsKnownOfAFlagIsNotPassedOver) {
  const SymbolId flag = store.fresh_variable("flag", integer);
  const auto with = [&](TermId test, TermId otherwise, TermId condition) {
    const TermId chosen = choice(test, block({set(flag, number(1))}), otherwise);
    const TermId declared = statement(Control::declare, {make(flag), number(0)});
    const TermId asked = choice(condition, block({clamped(first)}), skip());
    return only(block({declared, chosen, asked}, {flag}));
  };
  const auto is_one = [&] { return equal(make(flag), number(1)); };
  const term::Step both_ways = with(within(0, first, 9), block({set(flag, number(0))}), is_one());
  EXPECT_EQ(both_ways.verdict.answer, Answer::unknown) << both_ways.verdict.detail;
  EXPECT_NE(both_ways.verdict.detail.find("but not all is known of `flag`"), std::string::npos)
      << both_ways.verdict.detail;
  EXPECT_EQ(with(within(0, first, 9), skip(), is_one()).verdict.answer, Answer::unknown);
  // Excluded by what is known, whatever the flag is.
  const TermId outside = both(is_one(), make(less, {first, number(0)}));
  EXPECT_EQ(with(within(0, first, 9), skip(), outside).verdict.answer, Answer::refuted);
  // Nothing that is known is about the flag.
  EXPECT_EQ(with(within(0, first, 9), skip(), within(-5, first, 9)).verdict.answer,
            Answer::refuted);
}

// What only says the value of a variable that nothing else mentions rules out nothing.
TEST_F(FlagTest, AValueAloneIsNoCondition) {
  const SymbolId one = store.fresh_variable("one", integer);
  const SymbolId other = store.fresh_variable("other", integer);
  const TermId stepped = make(step, {make(one)});
  const TermId sum = make(add, {make(one), number(1)});
  const auto declared = [&](SymbolId variable, TermId value) {
    return statement(Control::declare, {make(variable), value});
  };
  const auto body = [&](TermId condition) {
    return block({declared(one, number(0)), stepped, declared(other, number(0)), set(other, sum),
                  choice(condition, block({clamped(first)}), skip())},
                 {one, other});
  };
  EXPECT_EQ(only(body(within(-5, first, 20))).verdict.answer, Answer::refuted);
  const term::Step tested = only(body(within(0, make(other), 1)));
  EXPECT_EQ(tested.verdict.answer, Answer::unknown);
  EXPECT_NE(tested.verdict.detail.find("known of `one`"), std::string::npos)
      << tested.verdict.detail;
}

// What an assertion within a branch rules out is no counterexample behind it.
TEST_F(FlagTest, AnAssertionWithinABranchRulesOutValues) {
  const TermId bounded = choice(make(less, {first, number(0)}),
                                block({assertion(make(less, {number(0), first}))}), skip());
  EXPECT_EQ(only(block({bounded, clamped(make(maximum, {first, second}))})).verdict.answer,
            Answer::unknown);
}

// The ends of a range are what they were before the loop, also where it assigns them.
TEST_F(FlagTest, ARangeHasTheEndsOfBeforeItsLoop) {
  const SymbolId n = store.fresh_variable("n", integer);
  const SymbolId i = store.fresh_variable("i", integer, false);
  const auto looped = [&](TermId before, TermId within_loop, std::optional<TermId> guard) {
    const TermId loop = statement(
        Control::for_, {number(0), make(n), block({within_loop, set(n, number(0))})}, {i});
    return only(block({statement(Control::declare, {make(n), first}), before, loop}, {n}), guard);
  };
  const TermId guard = within(0, first, 9);
  EXPECT_EQ(looped(skip(), clamped(make(i)), guard).verdict.answer, Answer::proved);
  EXPECT_EQ(looped(skip(), clamped(first, 1), guard).verdict.answer, Answer::proved);
  EXPECT_EQ(looped(skip(), clamped(first, 2), guard).verdict.answer, Answer::refuted);
  const TermId lost = choice(make(less, {second, number(0)}), block({set(n, second)}), skip());
  const term::Step open = looped(lost, clamped(first, 5), guard);
  EXPECT_EQ(open.verdict.answer, Answer::unknown);
  EXPECT_NE(open.verdict.detail.find("known of `n`"), std::string::npos) << open.verdict.detail;
}

// Two former values of one variable are told apart.
TEST_F(FlagTest, FormerValuesHaveNamesOfTheirOwn) {
  const TermId twice = make(add, {make(add, {first, first}), number(1)});
  const TermId sum = make(add, {first, second});
  const term::Step asked = only(block({set(p, twice), set(p, sum), clamped(first)}));
  EXPECT_EQ(asked.verdict.answer, Answer::refuted);
  const std::vector<TermId> unknowns{
      make(store.fresh_variable("p'", integer)), make(store.fresh_variable("p'", integer)),
      make(store.fresh_variable("p", integer)), make(store.fresh_variable("p", integer))};
  const TermId condition =
      both(make(less, {unknowns[0], unknowns[1]}), make(less, {unknowns[2], unknowns[3]}));
  const auto found = rewrite::counterexample(store, interpretation(), condition, {});
  ASSERT_TRUE(found.has_value());
  for (const std::string name : {"p' = ", "p'' = ", "p = ", "p_2 = "}) {
    EXPECT_NE((", " + *found).find(", " + name), std::string::npos) << *found;
  }
}

}  // namespace
}  // namespace rhopsi::test
