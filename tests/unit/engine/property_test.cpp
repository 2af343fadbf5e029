// Properties of rewriting that hold for any term, tried on random ones.
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "engine/rewrite/evaluate.hpp"
#include "engine/rewrite/match.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

struct PropertyTest : testing::Test, Algebra {
  std::mt19937 random{987654321};
  const SymbolId x = variable("x");
  const SymbolId y = variable("y");
  const SymbolId z = variable("z");
  const std::vector<SymbolId> inputs{variable("a"), variable("b"), variable("c")};

  std::uint32_t below(std::uint32_t bound) { return random() % bound; }

  // Terms over + - * and negation, `if`, and folds that bind variables of their own.
  TermId term(int depth, std::vector<SymbolId> scope) {
    if (depth == 0 || below(6) == 0) {
      if (below(2) == 0) return number(static_cast<std::int64_t>(below(3)));
      return make(scope[below(static_cast<std::uint32_t>(scope.size()))]);
    }
    const std::uint32_t which = below(7);
    if (which == 0) return make(negate, {term(depth - 1, scope)});
    if (which == 1) {
      const TermId left = term(depth - 1, scope);
      const TermId condition = make(less, {left, term(depth - 1, scope)});
      const TermId then = term(depth - 1, scope);
      return choose(condition, then, term(depth - 1, scope));
    }
    if (which == 2) {
      const SymbolId k = variable("k");
      scope.push_back(k);
      return fold(add, k, number(2), term(depth - 1, scope));
    }
    const std::array binary{add, subtract, multiply, add};
    const TermId left = term(depth - 1, scope);
    return make(binary[which - 3], {left, term(depth - 1, scope)});
  }

  // True on integers, and ending.
  term::RuleSet simplification() {
    const TermId a = make(x);
    const TermId b = make(y);
    const TermId zero = number(0);
    const SymbolId k = variable("k");
    return rules(
        {equation("addZero", make(add, {a, zero}), a), equation("zeroAdd", make(add, {zero, a}), a),
         equation("mulZero", make(multiply, {a, zero}), zero),
         equation("mulOne", make(multiply, {a, number(1)}), a),
         equation("oneMul", make(multiply, {number(1), a}), a),
         equation("subSelf", make(subtract, {a, a}), zero),
         equation("minusMinus", make(negate, {make(negate, {a})}), a),
         equation("minusSub", make(subtract, {a, make(negate, {b})}), make(add, {a, b})),
         equation("distribute", make(multiply, {make(add, {a, b}), make(z)}),
                  make(add, {make(multiply, {a, make(z)}), make(multiply, {b, make(z)})})),
         equation("foldTwo", fold(add, k, number(2), a), make(add, {a, a})),
         axiom("ifLess", {assertion(builtin(
                             Builtin::implies,
                             {make(less, {a, b}),
                              equal(choose(make(less, {a, b}), make(z), make(x)), make(z))}))})});
  }

  // Folds of two elements, unrolled: the evaluator knows no binders.
  std::optional<std::int64_t> value(TermId root, const rewrite::Assignment& point) {
    TermId term = root;
    while (true) {
      std::optional<term::Position> found;
      find_fold(term, {}, found);
      if (!found) return rewrite::evaluate(store, interpretation(), term, point);
      const TermId fold = term::at(store, term, *found);
      const SymbolId k = store.bound(fold)[0];
      const TermId element = store.children(fold)[1];
      const TermId first = term::substitute(store, element, {{k, number(0)}});
      const TermId second = term::substitute(store, element, {{k, number(1)}});
      term = term::replace_at(store, term, *found, make(add, {first, second}));
    }
  }
  void find_fold(TermId term, term::Position here, std::optional<term::Position>& found) {
    if (found) return;
    if (store.is(term, Control::fold)) found = here;
    for (std::uint32_t i = 0; i < store.children(term).size(); ++i) {
      here.push_back(i);
      find_fold(store.children(term)[i], here, found);
      here.pop_back();
    }
  }
};

TEST_F(PropertyTest, NormalisationIsIdempotentAndKeepsValues) {
  const auto set = simplification();
  ASSERT_EQ(set.rules.size(), 11U);
  std::uint64_t steps = 0;
  for (int round = 0; round < 300; ++round) {
    const TermId body = term(5, inputs);
    term::Theory theory = program(body);
    const auto derivation = rewrite(theory, set, 100'000);
    const TermId normal = *theory.callables[0].body;
    steps += derivation.runs.at(0).steps;
    ASSERT_EQ(derivation.runs.at(0).stop, term::CallableRun::Stop::normal_form);
    EXPECT_EQ(rewritten(normal, set), normal) << text(normal);
    if (derivation.runs[0].steps == 0) {
      EXPECT_EQ(normal, body);
    }
    for (int sample = 0; sample < 3; ++sample) {
      rewrite::Assignment point;
      for (SymbolId input : inputs) point[input] = static_cast<std::int64_t>(below(9)) - 4;
      EXPECT_EQ(value(body, point), value(normal, point)) << text(body) << "\n" << text(normal);
    }
    for (SymbolId free : term::free_variables(store, normal)) {
      EXPECT_NE(std::ranges::find(inputs, free), inputs.end()) << "captured or leaked";
    }
  }
  EXPECT_GT(steps, 500U);
}

// The meaning of passes, written down again without any index or cache.
struct PlainPasses {
  Algebra& algebra;
  const term::RuleSet& rules;

  bool one_pass(TermId& root) {
    for (const term::Rule& rule : rules.rules) {
      const TermId after = outermost(rule, root);
      if (after == root) continue;
      root = after;
      return true;
    }
    return false;
  }
  TermId outermost(const term::Rule& rule, TermId term) {
    rewrite::Matcher matcher(algebra.store, rule.variables);
    if (matcher.match(rule.left, term)) {
      const TermId contractum = term::instantiate(algebra.store, rule.right, matcher.binding());
      if (!term::alpha_equal(algebra.store, contractum, term)) return contractum;
    }
    std::vector<TermId> children(algebra.store.children(term).begin(),
                                 algebra.store.children(term).end());
    for (TermId& child : children) child = outermost(rule, child);
    if (std::ranges::equal(children, algebra.store.children(term))) return term;
    return algebra.store.make(algebra.store.symbol(term), children, algebra.store.bound(term));
  }
};

TEST_F(PropertyTest, PassesAreWhatTheirDefinitionSays) {
  auto set = simplification();
  std::erase_if(set.rules, [](const term::Rule& rule) { return rule.condition.has_value(); });
  for (int round = 0; round < 150; ++round) {
    const TermId body = term(5, inputs);
    const std::uint64_t bound = below(12);
    TermId expected = body;
    PlainPasses plain{*this, set};
    std::uint64_t passes = 0;
    while (passes < bound && plain.one_pass(expected)) ++passes;
    term::Theory theory = program(body);
    const auto derivation = rewrite(theory, set, bound);
    EXPECT_EQ(derivation.runs.at(0).passes, passes);
    EXPECT_TRUE(term::alpha_equal(store, *theory.callables[0].body, expected)) << text(body);
  }
}

// Rules that look only so deep, for which the part in focus wanders through deep terms.
TEST_F(PropertyTest, PassesInFocusAreWhatTheirDefinitionSays) {
  const TermId a = make(x);
  const TermId b = make(y);
  const auto set =
      rules({equation("addZero", make(add, {a, number(0)}), a),
             equation("distribute", make(multiply, {make(add, {a, b}), make(z)}),
                      make(add, {make(multiply, {a, make(z)}), make(multiply, {b, make(z)})})),
             equation("minusAdd", make(negate, {make(add, {a, b})}),
                      make(add, {make(negate, {a}), make(negate, {b})})),
             equation("minusMinus", make(negate, {make(negate, {a})}), a),
             equation("outwards", make(multiply, {make(z), make(negate, {a})}),
                      make(negate, {make(multiply, {make(z), a})})),
             equation("outwardsLeft", make(subtract, {make(negate, {a}), b}),
                      make(negate, {make(add, {a, b})}))});
  std::uint64_t all_passes = 0;
  for (int round = 0; round < 150; ++round) {
    TermId body = term(4, inputs);
    for (std::uint32_t level = below(30); level > 0; --level) {
      const std::array around{negate, negate, multiply, add, subtract};
      const SymbolId symbol = around[below(5)];
      const TermId beside = below(4) == 0 ? term(3, inputs) : make(inputs[0]);
      body = symbol == negate                      ? make(negate, {body})
             : symbol == subtract || below(2) == 0 ? make(symbol, {body, beside})
                                                   : make(symbol, {beside, body});
    }
    const std::uint64_t bound = below(2) == 0 ? below(12) : 100;
    TermId expected = body;
    PlainPasses plain{*this, set};
    std::uint64_t passes = 0;
    while (passes < bound && plain.one_pass(expected)) ++passes;
    all_passes += passes;
    term::Theory theory = program(body);
    const auto derivation = rewrite(theory, set, bound);
    EXPECT_EQ(derivation.runs.at(0).passes, passes);
    EXPECT_TRUE(term::alpha_equal(store, *theory.callables[0].body, expected)) << text(body);
    // Each step is where the derivation says, in the term as it was before the pass.
    TermId before = body;
    TermId after = body;
    std::uint64_t pass = 1;
    for (const term::Step& step : derivation.steps) {
      if (step.pass != pass) before = after;
      pass = step.pass;
      EXPECT_EQ(text(term::at(store, before, step.position)), text(step.before));
      after = term::replace_at(store, after, step.position, step.after);
    }
    EXPECT_TRUE(term::alpha_equal(store, after, expected));
  }
  EXPECT_GT(all_passes, 1'000U);
}

}  // namespace
}  // namespace rhopsi::test
