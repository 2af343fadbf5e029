// Random rule sets and terms: normal forms and numbers of steps are those of NaiveRewriter.
#include <array>

#include <gtest/gtest.h>

#include "tests/unit/normalise/random_rules.hpp"

namespace {

using namespace rhopsi;
using tests::Generator;
using tests::NaiveRule;
using tests::NaiveStrategy;
using tests::Terms;
using tests::Tree;

constexpr std::array strategies{
    std::pair{normalise::Strategy::innermost, NaiveStrategy::innermost},
    std::pair{normalise::Strategy::outermost, NaiveStrategy::outermost},
    std::pair{normalise::Strategy::top_down, NaiveStrategy::top_down},
    std::pair{normalise::Strategy::bottom_up, NaiveStrategy::bottom_up}};

// With a bound on nodes, what is no longer part of the term is let go of every few steps.
void compare_counted(const normalise::Program& program, term::TermId subject,
                     normalise::Strategy strategy, std::uint64_t steps, bool conditional,
                     const Tree& expected, const term::Store& store, const Terms& terms) {
  for (const std::uint64_t nodes : {1U, 15U, 60U, 1000U}) {
    normalise::Bounds bounds;
    bounds.nodes = nodes;
    normalise::Machine machine(program, bounds);
    const auto outcome = machine.normalise(*machine.load(store, subject), strategy);
    EXPECT_LE(outcome.steps, steps);
    if (outcome.stop != normalise::Stop::normal_form) {
      EXPECT_EQ(outcome.stop, normalise::Stop::nodes);
      EXPECT_LT(nodes, 1000U);
      continue;
    }
    if (!conditional) {
      EXPECT_EQ(outcome.steps, steps);
    }
    ASSERT_EQ(terms.tree(machine, outcome.term), expected);
  }
}

void compare(unsigned seed, int rule_count, bool conditional, int& finished) {
  Generator generate(seed);
  const std::vector<NaiveRule> rules = generate.rules(rule_count, conditional);
  const Tree subject = generate.tree(5, 0);
  term::Store store;
  Terms terms(store);
  std::vector<normalise::Rule> compiled;
  for (const NaiveRule& rule : rules) compiled.push_back(terms(rule));
  std::vector<normalise::Problem> problems;
  const normalise::Program program = normalise::compile(store, compiled, problems);
  ASSERT_TRUE(problems.empty());
  for (const auto& [strategy, naive_strategy] : strategies) {
    tests::NaiveRewriter naive(rules, 100);
    Tree expected;
    try {
      expected = naive.normal_form(subject, naive_strategy);
    } catch (const tests::TooLong&) {
      normalise::Bounds bounds;
      bounds.steps = 60;
      normalise::Machine machine(program, bounds);
      const auto outcome = machine.normalise(*machine.load(store, terms(subject)), strategy);
      if (conditional) continue;
      EXPECT_EQ(outcome.stop, normalise::Stop::steps);
      EXPECT_EQ(outcome.steps, 60U);
      continue;
    } catch (const tests::TooDeep&) {
      // A condition that asks for itself takes no steps: the stack is what it fills.
      normalise::Bounds bounds;
      bounds.bytes = 1 << 22;
      bounds.steps = 10000;
      normalise::Machine machine(program, bounds);
      const auto outcome = machine.normalise(*machine.load(store, terms(subject)), strategy);
      EXPECT_NE(outcome.stop, normalise::Stop::normal_form);
      continue;
    }
    ++finished;
    normalise::Machine machine(program);
    auto outcome = machine.normalise(*machine.load(store, terms(subject)), strategy);
    ASSERT_EQ(outcome.stop, normalise::Stop::normal_form);
    // The definitions try conditions anew in every normal form that they come upon again.
    if (conditional) {
      EXPECT_LE(outcome.steps, naive.steps()) << "seed " << seed;
    } else {
      EXPECT_EQ(outcome.steps, naive.steps()) << "seed " << seed;
    }
    ASSERT_EQ(terms.tree(machine, outcome.term), expected) << "seed " << seed;
    compare_counted(program, terms(subject), strategy, naive.steps(), conditional, expected, store,
                    terms);
    // In pieces of a few steps, without conditions, the same steps are taken.
    if (conditional || strategy == normalise::Strategy::top_down ||
        strategy == normalise::Strategy::bottom_up) {
      continue;
    }
    normalise::Bounds bounds;
    bounds.steps = 1 + seed % 3;
    normalise::Machine slow(program, bounds);
    outcome.term = *slow.load(store, terms(subject));
    std::uint64_t steps = 0;
    do {
      outcome = slow.normalise(outcome.term, strategy);
      steps += outcome.steps;
    } while (outcome.stop == normalise::Stop::steps);
    EXPECT_EQ(steps, naive.steps());
    ASSERT_EQ(terms.tree(slow, outcome.term), expected);
  }
}

TEST(RandomRules, UnconditionalOnesAgreeWithTheDefinitions) {
  int finished = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    compare(seed, 1 + static_cast<int>(seed % 12), false, finished);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(finished, 1500);
}

TEST(RandomRules, ConditionalOnesAgreeWithTheDefinitions) {
  int finished = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    compare(100000 + seed, 1 + static_cast<int>(seed % 9), true, finished);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(finished, 600);
}

TEST(RandomRules, LargeSetsWhoseTreesGrowBeyondTheirBoundAgreeToo) {
  int finished = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    compare(200000 + seed, 600, seed % 2 == 0, finished);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(finished, 12);
}

}  // namespace
