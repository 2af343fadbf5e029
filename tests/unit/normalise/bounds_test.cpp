#include <chrono>
#include <new>

#include <gtest/gtest.h>

#include "tests/unit/normalise/arithmetic.hpp"

namespace {

using namespace rhopsi;
using normalise::Bounds;
using normalise::Stop;

class Endless : public tests::EndlessRules {
 protected:
  normalise::Outcome run(term::SymbolId start, const Bounds& bounds,
                         normalise::Strategy strategy = normalise::Strategy::innermost) {
    compile();
    machine = std::make_unique<normalise::Machine>(program, bounds);
    return machine->normalise(*machine->load(store, make(start, {make(z, {})})), strategy);
  }
};

TEST_F(Endless, StepsAreCountedExactly) {
  Bounds bounds;
  for (const std::uint64_t steps : {0U, 1U, 5U, 20000U, 100001U}) {
    bounds.steps = steps;
    for (const term::SymbolId each : {loop, grow, pile}) {
      const auto outcome = run(each, bounds);
      EXPECT_EQ(outcome.stop, Stop::steps);
      EXPECT_EQ(outcome.steps, steps);
    }
    for (const term::SymbolId each : {grow, pile}) {
      const auto outcome = run(each, bounds);
      EXPECT_EQ(machine->size(outcome.term, Bounds::none), steps + 2);
    }
  }
}

TEST_F(Endless, TimeIsKept) {
  for (const auto strategy : {normalise::Strategy::innermost, normalise::Strategy::outermost,
                              normalise::Strategy::bottom_up}) {
    Bounds bounds;
    bounds.seconds = 0.1;
    const auto start = std::chrono::steady_clock::now();
    const auto outcome = run(loop, bounds, strategy);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(outcome.stop, Stop::time);
    EXPECT_GE(spent.count(), 0.1);
    EXPECT_LT(spent.count(), 10);  // on a busy machine
  }
}

// For each step a pass tries a rule that compares whole terms at all places above: the clock is
// looked at between steps, too.
TEST_F(Endless, TimeIsKeptWhereStepsAreFar) {
  const term::SymbolId sink = operation("sink", 1);
  const term::SymbolId pair = operation("pair", 2);
  rule(make(sink, {make(s, {x})}), make(s, {make(sink, {x})}));
  rule(make(pair, {x, x}), x);
  compile();
  Bounds bounds;
  bounds.seconds = 0.05;
  normalise::Machine machine(program, bounds);
  std::vector<normalise::Symbol> word;
  for (std::size_t i = 0; i < 100'000; ++i) {
    word.push_back(symbol(pair));
    word.push_back(symbol(z));
  }
  word.push_back(symbol(sink));
  word.insert(word.end(), 100'000, symbol(s));
  word.push_back(symbol(z));
  const auto outcome =
      machine.normalise(machine.make_preorder(word), normalise::Strategy::bottom_up);
  EXPECT_EQ(outcome.stop, Stop::time);
  EXPECT_LT(outcome.steps, 16'384U);  // 10^9 places and more
  EXPECT_EQ(machine.size(outcome.term, Bounds::none), word.size());
}

// 10^7 nodes, nested half as deep: what is normal is neither copied nor gone through again.
TEST_F(Endless, ALargeNormalTermStaysWhereItIs) {
  const term::SymbolId pair = operation("pair", 2);
  const term::SymbolId same = operation("same", 1);
  rule(make(same, {x}), x);
  compile();
  constexpr std::size_t levels = 5'000'000;
  std::vector<normalise::Symbol> word{symbol(same)};
  for (std::size_t i = 0; i < levels; ++i) {
    word.push_back(symbol(pair));
    word.push_back(symbol(z));
  }
  word.push_back(symbol(z));
  for (const auto strategy : {normalise::Strategy::innermost, normalise::Strategy::outermost,
                              normalise::Strategy::top_down, normalise::Strategy::bottom_up}) {
    normalise::Machine machine(program);
    const auto outcome = machine.normalise(machine.make_preorder(word), strategy);
    EXPECT_EQ(outcome.stop, Stop::normal_form);
    EXPECT_EQ(outcome.steps, 1U);
    EXPECT_EQ(machine.size(outcome.term, Bounds::none), word.size() - 1);
    EXPECT_LT(machine.peak_bytes(), 3 * levels * sizeof(normalise::Handle) + (1U << 20));
  }
}

TEST_F(Endless, MemoryIsKeptByArenaAndStack) {
  Bounds bounds;
  bounds.bytes = 8 << 20;
  for (const term::SymbolId each : {grow, pile}) {
    const auto outcome = run(each, bounds);
    EXPECT_EQ(outcome.stop, Stop::memory);
    EXPECT_GT(outcome.steps, 100000U);
    EXPECT_LE(machine->peak_bytes(), bounds.bytes);
    EXPECT_EQ(machine->size(outcome.term, Bounds::none), outcome.steps + 2);
  }
  bounds.steps = 3000000;
  EXPECT_EQ(run(loop, bounds).stop, Stop::steps);
}

// What is loaded is within the bound too, and is not copied where there is no memory for that.
TEST_F(Endless, MemoryIsKeptByWhatIsLoaded) {
  compile();
  std::vector<normalise::Symbol> word{symbol(grow)};
  word.insert(word.end(), 300'000, symbol(s));
  word.push_back(symbol(z));
  Bounds bounds;
  bounds.bytes = 3'000'000;
  for (const auto strategy : {normalise::Strategy::innermost, normalise::Strategy::outermost}) {
    normalise::Machine large(program, bounds);
    const auto outcome = large.normalise(large.make_preorder(word), strategy);
    EXPECT_EQ(outcome.stop, Stop::memory);
    EXPECT_LE(large.peak_bytes(), bounds.bytes);
    EXPECT_EQ(large.size(outcome.term, Bounds::none), word.size() + outcome.steps);
  }
  bounds.bytes = 2'000'000;
  normalise::Machine small(program, bounds);
  EXPECT_THROW(small.make_preorder(word), std::bad_alloc);
}

TEST_F(Endless, SizesOfTermsAreKept) {
  Bounds bounds;
  bounds.nodes = 100000;
  const auto outcome = run(grow, bounds);
  EXPECT_EQ(outcome.stop, Stop::nodes);
  EXPECT_LT(outcome.steps, 400'000U);
}

// pile(x) -> s(pile(x)) fills the stack alone.
TEST_F(Endless, WhatWaitsCountsAsTheNodesThatItWillBe) {
  Bounds bounds;
  for (const std::uint64_t nodes : {10U, 1000U, 100'000U}) {
    bounds.nodes = nodes;
    const auto outcome = run(pile, bounds);
    EXPECT_EQ(outcome.stop, Stop::nodes);
    EXPECT_LT(outcome.steps, nodes + nodes / 5 + 1000);
    EXPECT_EQ(machine->size(outcome.term, Bounds::none), outcome.steps + 2);
  }
}

constexpr auto all_strategies = {normalise::Strategy::innermost, normalise::Strategy::outermost,
                                 normalise::Strategy::top_down, normalise::Strategy::bottom_up};

TEST_F(Endless, ATermThatIsTooLargeFromTheStartIsSaidToBe) {
  compile();
  std::vector<normalise::Symbol> word{symbol(grow)};
  word.insert(word.end(), 300'000, symbol(s));
  word.push_back(symbol(z));
  Bounds bounds;
  bounds.nodes = 5;
  for (const auto strategy : all_strategies) {
    normalise::Machine each(program, bounds);
    const auto outcome = each.normalise(each.make_preorder(word), strategy);
    EXPECT_EQ(outcome.stop, Stop::nodes);
    EXPECT_EQ(each.size(outcome.term, Bounds::none), word.size() + outcome.steps);
  }
}

// No term on the way has more nodes than the first: neither what has been replaced nor what frames
// have done with counts.
TEST_F(Endless, OnlyTheTermAsItIsCounts) {
  const term::SymbolId sink = operation("sink", 1);
  const term::SymbolId pair = operation("pair", 2);
  rule(make(sink, {make(s, {x})}), make(s, {make(sink, {x})}));
  rule(make(sink, {make(z, {})}), make(z, {}));
  compile();
  const auto chain = [&](std::size_t length, std::vector<normalise::Symbol>& word) {
    word.push_back(symbol(sink));
    word.insert(word.end(), length, symbol(s));
    word.push_back(symbol(z));
  };
  for (const auto strategy : all_strategies) {
    std::vector<normalise::Symbol> line;
    chain(200'000, line);
    std::vector<normalise::Symbol> comb;
    for (std::size_t i = 0; i < 20'000; ++i) {
      comb.push_back(symbol(pair));
      chain(10, comb);
    }
    comb.push_back(symbol(z));
    for (const auto& word : {line, comb}) {
      Bounds bounds;
      bounds.nodes = word.size() + 100;
      normalise::Machine each(program, bounds);
      const auto outcome = each.normalise(each.make_preorder(word), strategy);
      EXPECT_EQ(outcome.stop, Stop::normal_form);
      normalise::Machine free(program);
      const auto expected = free.normalise(free.make_preorder(word), strategy);
      EXPECT_EQ(outcome.steps, expected.steps);
      EXPECT_EQ(each.size(outcome.term, Bounds::none), free.size(expected.term, Bounds::none));
    }
  }
}

TEST_F(Endless, ConditionsThatAskForEachOtherEnd) {
  const auto f = operation("f", 1);
  rules.push_back({"f",
                   make(f, {x}),
                   make(z, {}),
                   {{normalise::Condition::Relation::equal, make(f, {make(s, {x})}), x}}});
  Bounds steps;
  steps.steps = 100;
  Bounds nodes;
  nodes.nodes = 1000;
  Bounds memory;
  memory.bytes = 4 << 20;
  for (const auto& [bounds, stop] : {std::pair{steps, Stop::steps}, std::pair{nodes, Stop::nodes},
                                     std::pair{memory, Stop::memory}}) {
    for (const auto strategy : all_strategies) {
      const auto outcome = run(f, bounds, strategy);
      EXPECT_EQ(outcome.stop, stop);
      EXPECT_EQ(outcome.steps, 0U);
      EXPECT_EQ(normalise::to_string(store, *machine, outcome.term), "f(z)");
      EXPECT_LT(machine->peak_bytes(), stop == Stop::memory ? bounds.bytes : 1U << 20);
    }
  }
}

// As many conditions as steps may be begun.
TEST_F(Endless, ConditionsInsideEachOtherHaveTheirOwnCount) {
  const auto f = operation("f", 1);
  rules.push_back({"f",
                   make(f, {make(s, {x})}),
                   make(z, {}),
                   {{normalise::Condition::Relation::equal, make(f, {x}), make(z, {})}}});
  rule(make(f, {make(z, {})}), make(z, {}));
  compile();
  std::vector<normalise::Symbol> word{symbol(f)};
  word.insert(word.end(), 50'000, symbol(s));
  word.push_back(symbol(z));
  Bounds bounds;
  bounds.steps = 50'001;
  normalise::Machine enough(program, bounds);
  auto outcome = enough.normalise(enough.make_preorder(word));
  EXPECT_EQ(outcome.stop, Stop::normal_form);
  EXPECT_EQ(outcome.steps, 50'001U);
  bounds.steps = 49'999;
  normalise::Machine few(program, bounds);
  outcome = few.normalise(few.make_preorder(word));
  EXPECT_EQ(outcome.stop, Stop::steps);
  EXPECT_EQ(outcome.steps, 0U);
  EXPECT_EQ(few.size(outcome.term, Bounds::none), word.size());
}

TEST_F(Endless, GarbageIsReclaimed) {
  // count(s(x), y) -> count(x, c(y, y)) keeps two nodes alive at a time.
  const auto count = operation("count", 2);
  const auto c = operation("c", 2);
  const auto first = operation("first", 1);
  rule(make(count, {make(s, {x}), y}), make(count, {x, make(first, {make(c, {y, y})})}));
  rule(make(count, {make(z, {}), y}), y);
  rule(make(first, {make(c, {x, y})}), x);
  compile();
  Bounds bounds;
  bounds.bytes = 64 << 20;
  normalise::Machine small(program, bounds);
  std::vector<normalise::Symbol> text{symbol(count)};
  text.insert(text.end(), 1000000, symbol(s));
  text.push_back(symbol(z));
  text.push_back(symbol(z));
  const auto outcome = small.normalise(small.make_preorder(text));
  EXPECT_EQ(outcome.stop, Stop::normal_form);
  EXPECT_EQ(outcome.steps, 2000001U);
  EXPECT_EQ(normalise::to_string(store, small, outcome.term), "z");
  EXPECT_LT(small.peak_bytes(), 40U << 20);
}

TEST_F(Endless, AConditionThatDoesNotEndLeavesTheCall) {
  const auto f = operation("f", 1);
  rules.push_back({"f",
                   make(f, {x}),
                   make(z, {}),
                   {{normalise::Condition::Relation::equal, make(loop, {x}), x}}});
  Bounds bounds;
  bounds.steps = 1000;
  for (const auto strategy : {normalise::Strategy::innermost, normalise::Strategy::outermost,
                              normalise::Strategy::top_down, normalise::Strategy::bottom_up}) {
    const auto outcome = run(f, bounds, strategy);
    EXPECT_EQ(outcome.stop, Stop::steps);
    EXPECT_EQ(outcome.steps, 1000U);
    EXPECT_EQ(normalise::to_string(store, *machine, outcome.term), "f(z)");
  }
}

}  // namespace
