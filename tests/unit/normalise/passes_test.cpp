// Passes over terms in which few places change, far from each other: what they do is what their
// definitions say, and they do not go over the rest.
#include <array>
#include <functional>

#include <gtest/gtest.h>

#include "tests/unit/normalise/random_rules.hpp"

namespace rhopsi::tests::passes {
namespace {

using normalise::Bounds;
using normalise::Stop;
using normalise::Strategy;

// Symbols by their numbers in arities, and variables.
const Tree x{-1}, y{-2}, w{-3}, z{0}, end{1};
// An initializer list would copy the arguments.
template <class... Each>
Tree node(int symbol, Each... each) {
  Tree tree{symbol, {}};
  (tree.arguments.push_back(std::move(each)), ...);
  return tree;
}
Tree s(Tree a) { return node(3, std::move(a)); }
Tree f(Tree a) { return node(4, std::move(a)); }
Tree pair(Tree a, Tree b) { return node(5, std::move(a), std::move(b)); }
Tree three(Tree a, Tree b, Tree c) { return node(6, std::move(a), std::move(b), std::move(c)); }
Tree four(Tree a, Tree b, Tree c, Tree d) {
  return node(7, std::move(a), std::move(b), std::move(c), std::move(d));
}
Tree times(std::size_t count, Tree (*each)(Tree), Tree tree) {
  while (count-- > 0) tree = each(std::move(tree));
  return tree;
}

struct Passes {
  Strategy strategy;
  NaiveStrategy naive;
};
constexpr std::array strategies{Passes{Strategy::top_down, NaiveStrategy::top_down},
                                Passes{Strategy::bottom_up, NaiveStrategy::bottom_up}};

class Compiled {
 public:
  explicit Compiled(const std::vector<NaiveRule>& rules) : terms(store) {
    std::vector<normalise::Rule> all;
    for (const NaiveRule& each : rules) all.push_back(terms(each));
    std::vector<normalise::Problem> problems;
    program = normalise::compile(store, all, problems);
    EXPECT_TRUE(problems.empty());
  }
  normalise::Handle load(normalise::Machine& machine, const Tree& tree) {
    return *machine.load(store, terms(tree));
  }

  term::Store store;
  Terms terms;
  normalise::Program program;
};

// The normal form, the numbers of steps and passes, each redex, and the term that a bound leaves.
void compare(const std::vector<NaiveRule>& rules, const Tree& tree, const Passes& passes,
             std::uint64_t most, bool conditional, int& finished) {
  Compiled compiled(rules);
  NaiveRewriter naive(rules, most);
  Tree expected;
  try {
    expected = naive.normal_form(tree, passes.naive);
    ++finished;
  } catch (const TooLong&) {
    if (conditional) return;
    expected = NaiveRewriter(rules, most + 1).after(tree, passes.naive, most);
  } catch (const TooDeep&) {
    return;
  }
  const bool ends = naive.steps() <= most;
  Bounds bounds;
  if (!ends) bounds.steps = most;
  const std::uint64_t steps = ends ? naive.steps() : most;
  normalise::Machine machine(compiled.program, bounds);
  machine.record_steps(!conditional);
  const auto outcome = machine.normalise(compiled.load(machine, tree), passes.strategy);
  ASSERT_EQ(compiled.terms.tree(machine, outcome.term), expected);
  if (conditional) {
    // The definitions try conditions anew in every normal form that they come upon again.
    ASSERT_LE(outcome.steps, steps);
    return;
  }
  ASSERT_EQ(outcome.stop, ends ? Stop::normal_form : Stop::steps);
  ASSERT_EQ(outcome.steps, steps);
  if (ends) {
    ASSERT_EQ(outcome.passes, naive.passes());
  }
  ASSERT_EQ(machine.steps().size(), steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const auto& [rule, redex] = naive.redexes()[i];
    ASSERT_EQ(machine.steps()[i].rule, rule);
    ASSERT_EQ(compiled.terms.tree(machine, machine.steps()[i].redex), redex);
  }
  // What is no longer part of the term is let go of every few steps.
  for (const std::uint64_t nodes : {30U, 120U, 500U}) {
    bounds.nodes = nodes;
    normalise::Machine small(compiled.program, bounds);
    const auto counted = small.normalise(compiled.load(small, tree), passes.strategy);
    if (counted.stop == Stop::nodes) continue;
    ASSERT_EQ(counted.steps, steps);
    ASSERT_EQ(compiled.terms.tree(small, counted.term), expected);
  }
  bounds.nodes = Bounds::none;
  for (const std::uint64_t part : {steps / 3, steps - steps / 7}) {
    bounds.steps = part;
    normalise::Machine other(compiled.program, bounds);
    const auto stopped = other.normalise(compiled.load(other, tree), passes.strategy);
    ASSERT_EQ(stopped.steps, part);
    ASSERT_EQ(compiled.terms.tree(other, stopped.term),
              NaiveRewriter(rules, most + 1).after(tree, passes.naive, part));
  }
}

const NaiveRule sinks{f(s(x)), s(f(x)), {}};
const NaiveRule rises{s(f(x)), f(s(x)), {}};

// Rules by which one thing moves through others, which turn things over, copy them, drop them,
// or look at more than one of them.
std::vector<NaiveRule> movers() {
  return {sinks,
          rises,
          {f(z), z, {}},
          {f(end), end, {}},
          {f(f(x)), x, {}},
          {s(s(f(x))), f(s(s(x))), {}},
          {f(pair(x, y)), pair(f(x), f(y)), {}},
          {s(pair(x, y)), pair(y, s(x)), {}},
          {f(pair(x, y)), f(y), {}},
          {f(s(s(x))), pair(x, x), {}},
          {pair(f(x), y), pair(x, f(y)), {}},
          {pair(x, s(f(y))), pair(s(x), f(y)), {}},
          {three(x, y, w), pair(w, pair(x, y)), {}},
          {three(x, s(y), w), s(three(w, y, x)), {}},
          {four(x, y, w, s(x)), three(y, w, y), {}},
          {pair(x, x), f(x), {}},
          {pair(x, pair(y, w)), pair(pair(x, y), w), {}},
          {four(x, y, w, z), y, {}}};
}

// Deep in one argument, and now and then in two.
Tree deep(Generator& generate, int depth) {
  if (depth <= 0) return {generate.below(3), {}};
  const int symbol = generate.below(2) == 0 ? 3 + generate.below(2) : 3 + generate.below(5);
  Tree tree{symbol, {}};
  const int count = arities[static_cast<std::size_t>(symbol)];
  const int far = generate.below(count);
  for (int i = 0; i < count; ++i) {
    const int less = generate.below(6) == 0 ? depth / 2 : generate.below(3);
    tree.arguments.push_back(deep(generate, i == far ? depth - 1 : std::min(less, depth - 1)));
  }
  return tree;
}

TEST(Passes, OverDeepTermsAgreeWithTheDefinitions) {
  int finished = 0;
  const std::vector<NaiveRule> all = movers();
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Generator generate(seed);
    std::vector<NaiveRule> rules;
    const int count = 1 + generate.below(6);
    for (int i = 0; i < count; ++i) {
      rules.push_back(all[static_cast<std::size_t>(generate.below(static_cast<int>(all.size())))]);
    }
    if (generate.below(3) == 0) {
      for (NaiveRule& each : generate.rules(2, false)) rules.push_back(std::move(each));
    }
    const Tree tree = deep(generate, 5 + generate.below(40));
    for (const Passes& each : strategies) compare(rules, tree, each, 100, false, finished);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(finished, 150);
}

TEST(Passes, OverDeepTermsWithConditionsAgreeWithTheDefinitions) {
  int finished = 0;
  const std::vector<NaiveRule> all = movers();
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Generator generate(seed);
    std::vector<NaiveRule> rules = generate.rules(1, true);
    rules.push_back({pair(x, y), s(x), {{f(y), s(x), generate.below(2) == 0}}});
    for (int i = 0; i < 2; ++i) {
      rules.push_back(all[static_cast<std::size_t>(generate.below(static_cast<int>(all.size())))]);
    }
    const Tree tree = deep(generate, 5 + generate.below(20));
    for (const Passes& each : strategies) compare(rules, tree, each, 250, true, finished);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(finished, 200);
}

// Terms of a size that grows with a number, rewritten in passes of which each changes few places.
struct Family {
  const char* name;
  std::vector<NaiveRule> rules;
  Strategy strategy;
  std::function<Tree(std::size_t)> tree;
};

std::vector<Family> families() {
  const auto sinking = [](std::size_t n) { return f(times(n, s, z)); };
  const auto rising = [](std::size_t n) { return times(n, s, f(z)); };
  return {
      {"contracted from below",
       {sinks, {f(z), z, {}}},
       Strategy::top_down,
       [](std::size_t n) { return times(n, f, z); }},
      {"one sinks", {sinks}, Strategy::bottom_up, sinking},
      {"one rises", {rises}, Strategy::top_down, rising},
      {"three sink, far from each other",
       {sinks},
       Strategy::bottom_up,
       [](std::size_t n) { return f(times(n, s, f(times(n, s, f(times(n, s, z)))))); }},
      {"three rise, far from each other",
       {rises},
       Strategy::top_down,
       [](std::size_t n) { return times(n, s, f(times(n, s, f(times(n, s, f(z)))))); }},
      {"sinking in branches",
       {sinks},
       Strategy::bottom_up,
       [=](std::size_t n) {
         return times(n, s, pair(sinking(n), times(n, s, three(sinking(n), z, sinking(n / 2)))));
       }},
      {"rising in branches and over them",
       {rises, {pair(f(x), f(y)), f(pair(y, x)), {}}},
       Strategy::top_down,
       [=](std::size_t n) {
         return times(n, s, pair(rising(n), times(n / 2, s, pair(rising(n), rising(n)))));
       }},
      {"one that is copied",
       {rises, {pair(f(x), y), three(y, x, y), {}}},
       Strategy::top_down,
       [=](std::size_t n) { return pair(rising(n / 2), rising(n)); }},
      {"one that is dropped",
       {rises, {pair(x, f(y)), s(y), {}}},
       Strategy::top_down,
       [=](std::size_t n) { return s(pair(rising(n), rising(n / 2))); }},
      {"where a rule compares terms",
       {sinks, {pair(x, x), x, {}}},
       Strategy::bottom_up,
       [=](std::size_t n) { return times(n, s, pair(z, times(n, s, pair(end, sinking(n))))); }},
      {"where rules look far down",
       {rises, {s(s(s(s(s(end))))), z, {}}},
       Strategy::top_down,
       rising},
  };
}

TEST(Passes, OfFewChangesAgreeWithTheDefinitions) {
  int finished = 0;
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    for (std::size_t n = 0; n < 14; ++n) {
      for (const Passes& each : strategies) {
        compare(family.rules, family.tree(n), each, 2000, false, finished);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(finished, 14 * 2 * 10);
}

// Two terms become equal by changes that are further away than the rule's left side is deep.
TEST(Passes, CompareTermsAgainAfterChangesFarBelow) {
  int finished = 0;
  const std::vector<NaiveRule> rules{sinks, {f(end), end, {}}, {pair(x, x), x, {}}};
  for (std::size_t above = 0; above < 9; above += 2) {
    for (std::size_t way = 0; way < 9; way += 2) {
      const Tree sinking = times(above, s, f(times(way, s, z)));
      const Tree sunk = times(above + way, s, f(z));
      const Tree vanishing = times(above + way, s, f(end));
      const Tree vanished = times(above + way, s, end);
      for (const Tree& tree : {pair(sinking, sunk), pair(vanished, vanishing),
                               s(s(pair(s(s(pair(vanishing, vanished))), times(2, s, vanished)))),
                               three(pair(sunk, sinking), z, s(s(pair(sinking, s(s(z))))))}) {
        for (const Passes& each : strategies) {
          compare(rules, tree, each, 500, false, finished);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
  // No left side looks below its root.
  const std::vector<NaiveRule> flat{{f(x), x, {}}, {pair(x, x), x, {}}};
  for (std::size_t way = 0; way < 5; ++way) {
    const Tree tree = s(pair(times(way, s, f(z)), times(way, s, z)));
    for (const Passes& each : strategies) compare(flat, tree, each, 500, false, finished);
  }
  EXPECT_EQ(finished, 5 * 5 * 4 * 2 + 5 * 2);
  Compiled compiled(rules);
  normalise::Machine machine(compiled.program);
  const auto outcome = machine.normalise(
      compiled.load(machine, pair(times(9, s, f(z)), f(times(9, s, z)))), Strategy::bottom_up);
  EXPECT_EQ(outcome.steps, 10U);
  EXPECT_EQ(compiled.terms.tree(machine, outcome.term), times(9, s, f(z)));
}

std::size_t size(const Tree& tree) {
  std::size_t sum = 1;
  for (const Tree& each : tree.arguments) sum += size(each);
  return sum;
}

// Each pass applies one rule or a few: going over the term in each would be some 10^6 places.
TEST(Passes, OfFewChangesDoNotGoOverTheRest) {
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    const Tree tree = family.tree(1000);
    Compiled compiled(family.rules);
    normalise::Machine machine(compiled.program);
    const auto outcome = machine.normalise(compiled.load(machine, tree), family.strategy);
    EXPECT_EQ(outcome.stop, Stop::normal_form);
    EXPECT_GE(outcome.passes, 500U);

    EXPECT_LT(machine.visits(), 12 * (size(tree) + outcome.steps));
  }
}

// Places are memory too: there is a bound on both together.
TEST(Passes, KeepTheBoundOnMemory) {
  const std::vector<NaiveRule> rules{sinks};
  Compiled compiled(rules);
  const auto symbol = [&](int number) {
    const Tree tree = number == 0 ? z : number == 3 ? s(z) : f(z);
    return compiled.program.of_operation[static_cast<std::size_t>(
               compiled.store.symbol(compiled.terms(tree)))] -
           1;
  };
  constexpr std::size_t levels = 100'000;
  std::vector<normalise::Symbol> word;
  for (std::size_t i = 0; i < levels; ++i) word.push_back(symbol(i % 500 == 0 ? 4 : 3));
  word.push_back(symbol(z.symbol));
  int reached = 0;
  for (std::size_t bytes = 1'500'000; bytes < 24'000'000; bytes += bytes / 3) {
    Bounds bounds;
    bounds.bytes = bytes;
    bounds.steps = 300'000;
    for (const Passes& each : strategies) {
      normalise::Machine machine(compiled.program, bounds);
      const auto outcome = machine.normalise(machine.make_preorder(word), each.strategy);
      EXPECT_LE(machine.peak_bytes(), bytes);
      EXPECT_EQ(machine.size(outcome.term, Bounds::none), word.size());
      EXPECT_TRUE(outcome.stop == Stop::memory || outcome.stop == Stop::steps);
      if (outcome.stop == Stop::memory) ++reached;
    }
  }
  for (std::size_t bytes = 400; bytes < 8'000; bytes += 40) {
    Bounds bounds;
    bounds.bytes = bytes;
    for (const Passes& each : strategies) {
      normalise::Machine machine(compiled.program, bounds);
      const Tree tree = times(7, s, times(7, f, times(7, s, z)));
      const auto outcome = machine.normalise(compiled.load(machine, tree), each.strategy);
      EXPECT_LE(machine.peak_bytes(), bytes);
      EXPECT_EQ(machine.size(outcome.term, Bounds::none), size(tree));
    }
  }
  EXPECT_GT(reached, 2);
  EXPECT_LT(reached, 14);
}

}  // namespace
}  // namespace rhopsi::tests::passes
