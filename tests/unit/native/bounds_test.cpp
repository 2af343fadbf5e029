// Bounds, deep terms and collections where rules are compiled.
#include <chrono>

#include <gtest/gtest.h>

#include "tests/unit/native/native.hpp"
#include "tests/unit/normalise/arithmetic.hpp"

namespace {

using namespace rhopsi;
using normalise::Bounds;
using normalise::Stop;

class Compiled : public tests::EndlessRules {
 protected:
  Compiled() {
    five = operation("five", 5);
    pack = operation("pack", 5);
    ask = operation("ask", 1);
    const auto a = variable("a");
    const auto b = variable("b");
    const auto c = variable("c");
    rule(make(five, {make(z, {}), x, y, a, b}), make(pack, {b, a, y, x, make(z, {})}));
    rule(make(five, {make(s, {c}), x, y, a, b}),
         make(five, {c, y, a, make(five, {c, b, a, y, x}), make(add, {b, x})}));
    rules.push_back({"ask",
                     make(ask, {x}),
                     make(z, {}),
                     {{normalise::Condition::Relation::equal, make(loop, {x}), x}}});
    knot = operation("knot", 1);
    rules.push_back({"knot",
                     make(knot, {x}),
                     make(z, {}),
                     {{normalise::Condition::Relation::equal, make(knot, {make(s, {x})}), x}}});
    compile();
    native = tests::native_of(program);
  }

  normalise::Outcome run(std::vector<normalise::Symbol> text, const Bounds& bounds) {
    machine = std::make_unique<normalise::Machine>(program, bounds, native.get());
    return machine->normalise(machine->make_preorder(text));
  }
  normalise::Outcome run(term::SymbolId start, const Bounds& bounds) {
    return run({symbol(start), symbol(z)}, bounds);
  }

  term::SymbolId five, pack, ask, knot;
  std::shared_ptr<const normalise::Native> native;
};

TEST_F(Compiled, StepsAreCountedExactly) {
  Bounds bounds;
  for (const std::uint64_t steps : {0U, 1U, 5U, 20000U, 100001U}) {
    bounds.steps = steps;
    for (const term::SymbolId each : {loop, grow, pile}) {
      const auto outcome = run(each, bounds);
      EXPECT_EQ(outcome.stop, Stop::steps);
      EXPECT_EQ(outcome.steps, steps);
      if (each == loop) continue;
      EXPECT_EQ(machine->size(outcome.term, Bounds::none), steps + 2);
    }
  }
}

TEST_F(Compiled, TimeIsKept) {
  Bounds bounds;
  bounds.seconds = 0.1;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run(loop, bounds).stop, Stop::time);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_GE(spent.count(), 0.1);
  EXPECT_LT(spent.count(), 10);  // on a busy machine
}

TEST_F(Compiled, MemoryAndSizesAreKept) {
  Bounds bounds;
  bounds.bytes = 8 << 20;
  for (const term::SymbolId each : {grow, pile}) {
    const auto outcome = run(each, bounds);
    EXPECT_EQ(outcome.stop, Stop::memory);
    EXPECT_GT(outcome.steps, 100000U);
    EXPECT_LE(machine->peak_bytes(), bounds.bytes);
    EXPECT_EQ(machine->size(outcome.term, Bounds::none), outcome.steps + 2);
  }
  bounds = Bounds{};
  bounds.nodes = 100000;
  const auto outcome = run(grow, bounds);
  EXPECT_EQ(outcome.stop, Stop::nodes);
  EXPECT_LT(outcome.steps, 400'000U);
}

TEST_F(Compiled, WhatWaitsCountsAsTheNodesThatItWillBe) {
  Bounds bounds;
  for (const std::uint64_t nodes : {10U, 1000U, 100'000U}) {
    bounds.nodes = nodes;
    const auto outcome = run(pile, bounds);
    EXPECT_EQ(outcome.stop, Stop::nodes);
    EXPECT_LT(outcome.steps, nodes + nodes / 5 + 1000);
    EXPECT_EQ(machine->size(outcome.term, Bounds::none), outcome.steps + 2);
  }
}

TEST_F(Compiled, ATermThatIsTooLargeFromTheStartIsSaidToBe) {
  std::vector<normalise::Symbol> text{symbol(grow)};
  text.insert(text.end(), 300'000, symbol(s));
  text.push_back(symbol(z));
  Bounds bounds;
  bounds.nodes = 5;
  const auto outcome = run(text, bounds);
  EXPECT_EQ(outcome.stop, Stop::nodes);
  EXPECT_EQ(machine->size(outcome.term, Bounds::none), text.size() + outcome.steps);
}

// add(s(... s(z)), z) never has more nodes than at first.
TEST_F(Compiled, OnlyTheTermAsItIsCounts) {
  std::vector<normalise::Symbol> text{symbol(add)};
  text.insert(text.end(), 200'000, symbol(s));
  text.insert(text.end(), {symbol(z), symbol(z)});
  Bounds bounds;
  bounds.nodes = text.size() + 100;
  EXPECT_EQ(run(text, bounds).stop, Stop::normal_form);
}

TEST_F(Compiled, ConditionsThatAskForEachOtherEnd) {
  Bounds steps;
  steps.steps = 100;
  Bounds nodes;
  nodes.nodes = 1000;
  Bounds memory;
  memory.bytes = 4 << 20;
  for (const auto& [bounds, stop] : {std::pair{steps, Stop::steps}, std::pair{nodes, Stop::nodes},
                                     std::pair{memory, Stop::memory}}) {
    const auto outcome = run(knot, bounds);
    EXPECT_EQ(outcome.stop, stop);
    EXPECT_EQ(outcome.steps, 0U);
    EXPECT_EQ(normalise::to_string(store, *machine, outcome.term), "knot(z)");
    EXPECT_LE(machine->peak_bytes(), bounds.bytes);
  }
}

TEST_F(Compiled, AConditionThatDoesNotEndLeavesTheCall) {
  Bounds bounds;
  bounds.steps = 1000;
  const auto outcome = run(ask, bounds);
  EXPECT_EQ(outcome.stop, Stop::steps);
  EXPECT_EQ(outcome.steps, 1000U);
  EXPECT_EQ(normalise::to_string(store, *machine, outcome.term), "ask(z)");
}

TEST_F(Compiled, TermsMayBeNestedAMillionDeep) {
  constexpr std::size_t depth = 1000000;
  // Calls inside calls, and a redex below what no rule is about.
  std::vector<normalise::Symbol> text;
  for (std::size_t i = 0; i < depth; ++i) {
    text.push_back(symbol(add));
    text.push_back(symbol(s));
    text.push_back(symbol(z));
  }
  text.push_back(symbol(z));
  auto outcome = run(text, {});
  EXPECT_EQ(outcome.stop, Stop::normal_form);
  EXPECT_EQ(outcome.steps, 2 * depth);
  EXPECT_EQ(machine->size(outcome.term, Bounds::none), depth + 1);

  text.assign(depth, symbol(s));
  text.insert(text.end(), {symbol(add), symbol(s), symbol(z), symbol(z)});
  outcome = run(text, {});
  EXPECT_EQ(outcome.steps, 2U);
  EXPECT_EQ(machine->size(outcome.term, Bounds::none), depth + 2);

  // add(s(... s(z)), z): a frame for each step.
  text.assign(1, symbol(add));
  text.insert(text.end(), depth, symbol(s));
  text.insert(text.end(), {symbol(z), symbol(z)});
  outcome = run(text, {});
  EXPECT_EQ(outcome.steps, depth + 1);
  EXPECT_EQ(machine->size(outcome.term, Bounds::none), depth + 1);
}

TEST_F(Compiled, ArgumentsBeyondRegistersAndCollectionsLoseNothing) {
  std::vector<normalise::Symbol> text{symbol(five)};
  text.insert(text.end(), 13, symbol(s));
  text.push_back(symbol(z));
  for (int i = 0; i < 4; ++i) text.insert(text.end(), {symbol(s), symbol(z)});
  for (const std::uint64_t steps : {10U, 1000U, 30001U, 10000000U}) {
    Bounds bounds;
    bounds.steps = steps;
    const auto found = run(text, bounds);
    normalise::Machine slow(program, bounds);
    const auto expected = slow.normalise(slow.make_preorder(text));
    EXPECT_EQ(found.stop, expected.stop);
    EXPECT_EQ(found.steps, expected.steps);
    const auto size = slow.size(expected.term, 1000000);
    ASSERT_EQ(machine->size(found.term, 1000000), size);
    if (size) {
      EXPECT_EQ(normalise::to_string(store, *machine, found.term),
                normalise::to_string(store, slow, expected.term));
    }
  }
}

}  // namespace
