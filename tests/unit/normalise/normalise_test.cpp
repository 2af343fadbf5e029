#include <chrono>

#include <gtest/gtest.h>

#include "tests/unit/normalise/arithmetic.hpp"

namespace {

using namespace rhopsi;
using normalise::Handle;
using normalise::Machine;
using normalise::Problem;
using normalise::Strategy;
using normalise::Symbol;

class Normalise : public tests::Arithmetic {};

TEST_F(Normalise, ARuleThatCannotBeCompiledIsNamed) {
  const auto f = operation("f", 1);
  rule(x, make(z, {}));
  rule(make(f, {x}), y);
  rules.push_back({"c", make(f, {x}), x, {{normalise::Condition::Relation::equal, y, x}}});
  std::vector<Problem> problems;
  program = normalise::compile(store, rules, problems);
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].kind, Problem::Kind::left_is_variable);
  EXPECT_EQ(problems[0].rule, 2U);
  EXPECT_EQ(problems[1].kind, Problem::Kind::unbound_variable);
  EXPECT_EQ(problems[1].detail, "y");
  EXPECT_EQ(problems[2].kind, Problem::Kind::unbound_variable);
}

TEST_F(Normalise, TermsNestedAMillionDeepAreNormalisedByEveryStrategy) {
  compile();
  constexpr std::size_t depth = 1000000;
  std::vector<Symbol> text(depth, symbol(add));
  text.push_back(symbol(z));
  for (std::size_t i = 0; i < depth; ++i) {
    if (i % 100000 == 0) text.push_back(symbol(s));
    text.push_back(symbol(z));
  }
  for (const auto strategy : {Strategy::innermost, Strategy::bottom_up}) {
    Machine machine(program);
    const auto outcome = machine.normalise(machine.make_preorder(text), strategy);
    ASSERT_EQ(outcome.stop, normalise::Stop::normal_form);
    EXPECT_EQ(machine.size(outcome.term, 1000000), depth / 100000 + 1);
  }
  std::vector<Symbol> tower(depth, symbol(s));
  tower.insert(tower.end(), {symbol(add), symbol(s), symbol(z), symbol(z)});
  for (const auto strategy :
       {Strategy::innermost, Strategy::outermost, Strategy::bottom_up, Strategy::top_down}) {
    Machine machine(program);
    const auto outcome = machine.normalise(machine.make_preorder(tower), strategy);
    EXPECT_EQ(outcome.steps, 2U);
    EXPECT_EQ(machine.size(outcome.term, 2000000), depth + 2);
    EXPECT_EQ(normalise::to_string(store, machine, outcome.term).size(), 3 * depth + 4);
  }
}

TEST_F(Normalise, ALargeNormalFormIsKeptAsItIs) {
  compile();
  const auto pair = symbol(add);
  std::vector<Symbol> text;
  constexpr std::size_t nodes = 3000000;
  for (std::size_t i = 0; i < nodes; ++i) text.push_back(symbol(s));
  text.push_back(symbol(z));
  Machine machine(program);
  const Handle big = machine.make_preorder(text);
  const Handle none = machine.make(symbol(z), {});
  const auto outcome = machine.normalise(machine.make(pair, std::vector{none, big}));
  EXPECT_EQ(outcome.term, big);
  EXPECT_EQ(outcome.steps, 1U);
}

// Two chains that end in the same one, each longer than the pieces in which collections copy
// them, among garbage for many collections.
TEST_F(Normalise, SharedChainsOutliveCollections) {
  const auto pair = operation("pair", 2);
  const auto waste = operation("waste", 1);
  const auto both = operation("both", 2);
  rule(make(waste, {make(z, {})}), make(z, {}));
  rule(make(waste, {make(s, {x})}), make(add, {make(waste, {x}), make(add, {make(s, {x}), x})}));
  rule(make(both, {x, y}), make(pair, {make(waste, {x}), y}));
  compile();
  Machine machine(program);
  const auto chain = [&](Handle term, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) term = machine.make(symbol(s), std::vector{term});
    return term;
  };
  const Handle tail = chain(machine.make(symbol(z), {}), 23);
  const Handle left = chain(tail, 9);
  const Handle right = chain(tail, 40);
  const Handle kept = machine.make(symbol(pair), std::vector{left, right});
  const Handle number = chain(machine.make(symbol(z), {}), 250);
  const auto outcome = machine.normalise(machine.make(symbol(both), std::vector{number, kept}));
  ASSERT_EQ(outcome.stop, normalise::Stop::normal_form);
  EXPECT_GT(outcome.steps, 250 * 250U);
  ASSERT_EQ(machine.symbol(outcome.term), symbol(pair));
  const Handle after = machine.arguments(outcome.term)[1];
  const auto below = [&](Handle term, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) term = machine.arguments(term)[0];
    return term;
  };
  const auto sides = machine.arguments(after);
  EXPECT_EQ(machine.size(sides[0], 1000), 33U);
  EXPECT_EQ(machine.size(sides[1], 1000), 64U);
  EXPECT_EQ(below(sides[0], 9), below(sides[1], 40));
}

// Few symbols are compared one by one, and more by tables; some of them have no rule.
TEST_F(Normalise, SymbolsAreToldApartHoweverManyThereAre) {
  for (std::size_t count = 1; count <= 20; ++count) {
    const auto name = [&](const std::string& first, std::size_t i) {
      return first + std::to_string(count) + "_" + std::to_string(i);
    };
    const auto number_of = operation(name("number", 0), 1);
    std::vector<term::SymbolId> tags;
    term::TermId number = make(z, {});
    for (std::size_t i = 0; i <= count; ++i) {
      tags.push_back(operation(name("tag", i), 1));
      if (i < count) rule(make(number_of, {make(tags[i], {x})}), make(add, {number, x}));
      number = make(s, {number});
    }
    compile();
    Machine machine(program);
    for (std::size_t i = 0; i <= count; ++i) {
      const std::vector<Symbol> call{symbol(number_of), symbol(tags[i]), symbol(s), symbol(z)};
      const auto outcome = machine.normalise(machine.make_preorder(call));
      EXPECT_EQ(outcome.steps, i < count ? i + 2 : 0);
      EXPECT_EQ(machine.size(outcome.term, 100), i < count ? i + 2 : 4);
    }
  }
}

TEST_F(Normalise, RepeatedVariablesCompareWholeTermsAlsoWhereTheyShareMuch) {
  const auto same = operation("same", 2);
  const auto twice = operation("twice", 1);
  const auto c = operation("c", 2);
  const auto t = operation("t", 0);
  rule(make(same, {x, x}), make(t, {}));
  rule(make(twice, {make(z, {})}), make(z, {}));
  rule(make(twice, {make(s, {x})}), make(c, {make(twice, {x}), make(twice, {x})}));
  // Two towers of shared pairs: 2^60 nodes each if written out.
  const auto tower = operation("tower", 2);
  rule(make(tower, {make(z, {}), y}), y);
  rule(make(tower, {make(s, {x}), y}), make(tower, {x, make(c, {y, y})}));
  compile();
  term::TermId number = make(z, {});
  for (int i = 0; i < 60; ++i) number = make(s, {number});
  Machine machine(program);
  const auto term =
      make(same, {make(tower, {number, make(z, {})}), make(tower, {number, make(z, {})})});
  const auto outcome = machine.normalise(*machine.load(store, term));
  EXPECT_EQ(normalise::to_string(store, machine, outcome.term), "t");
}

TEST_F(Normalise, TheFirstRuleWinsAndConditionsLetTheNextOneTry) {
  const auto f = operation("f", 2);
  const auto one = operation("one", 0);
  const auto two = operation("two", 0);
  using Relation = normalise::Condition::Relation;
  rules.push_back({"equal",
                   make(f, {x, y}),
                   make(one, {}),
                   {{Relation::equal, x, make(add, {y, make(z, {})})}}});
  rules.push_back({"zero", make(f, {make(z, {}), y}), make(two, {}), {}});
  rules.push_back({"other", make(f, {x, y}), x, {{Relation::different, x, y}}});
  compile();
  const auto result = [&](term::TermId a, term::TermId b) {
    Machine machine(program);
    const auto outcome = machine.normalise(*machine.load(store, make(f, {a, b})));
    return normalise::to_string(store, machine, outcome.term);
  };
  const auto zero = make(z, {});
  const auto next = make(s, {zero});
  EXPECT_EQ(result(zero, zero), "one");
  EXPECT_EQ(result(zero, next), "two");
  EXPECT_EQ(result(next, zero), "s(z)");
  EXPECT_EQ(result(make(s, {next}), make(add, {next, next})), "one");
}

TEST_F(Normalise, TermsComeBackToTheStore) {
  compile();
  Machine machine(program);
  const auto one = make(s, {make(z, {})});
  const auto outcome = machine.normalise(*machine.load(store, make(add, {one, one})));
  const term::TermId back = machine.unload(store, outcome.term);
  EXPECT_EQ(store.symbol(back), s);
  EXPECT_EQ(store.symbol(store.children(back)[0]), s);
  EXPECT_FALSE(machine.load(store, make(operation("young", 0), {})));
}

// A table over thousands of constructors, and one symbol with thousands of rules.
TEST_F(Normalise, ThousandsOfRulesAreOneTable) {
  const auto name = operation("name", 2);
  std::vector<term::SymbolId> constants;
  for (int i = 0; i < 10000; ++i) constants.push_back(operation("c" + std::to_string(i), 0));
  for (std::size_t i = 0; i + 1 < constants.size(); ++i) {
    rule(make(name, {make(constants[i], {}), y}), make(name, {make(constants[i + 1], {}), y}));
  }
  rule(make(name, {x, y}), y);
  compile();
  EXPECT_LT(program.code.size(), 200000U);
  Machine machine(program);
  const auto outcome =
      machine.normalise(*machine.load(store, make(name, {make(constants[0], {}), make(z, {})})));
  EXPECT_EQ(outcome.steps, 10000U);
  EXPECT_EQ(normalise::to_string(store, machine, outcome.term), "z");
}

// Rules with a variable where others have a symbol: none is carried into branches where it can
// never apply, and where it could a bound ends the tree. So the code is linear in the rules.
TEST_F(Normalise, RulesThatLookAtDifferentArgumentsTakeCodeInTheirNumber) {
  const auto f = operation("f", 2);
  std::vector<term::SymbolId> constants;
  for (int k = 0; k < 1200; ++k) constants.push_back(operation("c" + std::to_string(k), 0));
  for (const bool in_turns : {false, true}) {
    std::vector<std::size_t> words;
    for (const std::size_t count : {300, 1200}) {
      rules.resize(2);
      for (std::size_t k = 0; k < (in_turns ? count : 2 * count); ++k) {
        const auto c = make(constants[k % count], {});
        if (in_turns || k < count) rule(make(f, {x, c}), make(s, {c}));
        if (in_turns || k >= count) rule(make(f, {c, y}), make(z, {}));
      }
      compile();
      words.push_back(program.code.size() + program.tables.size());
      normalise::Machine machine(program);
      const auto of = [&](std::size_t a, std::size_t b) {
        const auto outcome = machine.normalise(
            *machine.load(store, make(f, {make(constants[a], {}), make(constants[b], {})})));
        return normalise::to_string(store, machine, outcome.term);
      };
      const std::string last = "c" + std::to_string(count - 1);
      // In turns the rule of the smaller number stands first.
      EXPECT_EQ(of(3, count - 1), in_turns ? "z" : "s(" + last + ")");
      EXPECT_EQ(of(count - 1, 3), "s(c3)");
      EXPECT_EQ(of(count - 1, count - 1), "s(" + last + ")");
    }
    EXPECT_LT(words[1], 6 * words[0]) << in_turns;
  }
}

TEST_F(Normalise, WideSymbolsAndLargeRightSidesWork) {
  const auto wide = operation("wide", 40);
  const auto turn = operation("turn", 40);
  std::vector<term::TermId> variables, turned;
  for (int i = 0; i < 40; ++i) variables.push_back(variable("v" + std::to_string(i)));
  for (int i = 0; i < 40; ++i)
    turned.push_back(make(add, {make(s, {variables[39 - i]}), make(z, {})}));
  rule(store.make(turn, variables), make(s, {store.make(wide, turned)}));
  const auto again = operation("again", 40);
  rule(store.make(again, variables), store.make(turn, turned));
  compile();
  std::vector<term::TermId> numbers;
  term::TermId number = make(z, {});
  for (int i = 0; i < 40; ++i) numbers.push_back(number = make(s, {number}));
  Machine machine(program);
  const auto outcome = machine.normalise(*machine.load(store, store.make(again, numbers)));
  const Handle result = machine.arguments(outcome.term)[0];
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(machine.size(machine.arguments(result)[i], 1000), i + 1 + 2 + 1);
  }
}

}  // namespace
