// Terms, unification, critical pairs and rewriting.
#include <gtest/gtest.h>

#include "engine/analysis/closed_pairs.hpp"
#include "engine/analysis/critical_pairs.hpp"
#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {
namespace {

class Terms : public testing::Test {
 protected:
  Terms() {
    f = bank.add_symbol("f", 2);
    g = bank.add_symbol("g", 1);
    a = bank.make(bank.add_symbol("a", 0), {});
    x = bank.variable(bank.fresh_variable(0, "x"));
    y = bank.variable(bank.fresh_variable(0, "y"));
  }
  Term F(Term s, Term t) { return bank.make(f, {s, t}); }
  Term G(Term s) { return bank.make(g, {s}); }

  TermBank bank;
  int f = 0;
  int g = 0;
  Term a{};
  Term x{};
  Term y{};
};

TEST_F(Terms, EqualTermsAreOne) {
  EXPECT_EQ(F(G(x), a), F(G(x), a));
  EXPECT_NE(F(x, y), F(y, x));
  EXPECT_EQ(to_string(bank, F(G(x), a)), "f(g(x), a)");
  EXPECT_EQ(bank.size(F(G(x), a)), 4U);
  EXPECT_TRUE(is_subterm(bank, G(x), F(a, G(x))));
  EXPECT_EQ(replace(bank, F(a, G(x)), {1, 0}, a), F(a, G(a)));
}

TEST_F(Terms, MatchingIsOneSided) {
  EXPECT_TRUE(match(bank, F(x, y), F(G(y), a)));
  EXPECT_FALSE(match(bank, F(x, x), F(G(y), a)));
  EXPECT_FALSE(match(bank, F(a, x), F(y, x)));
}

TEST_F(Terms, UnifiersAreMostGeneral) {
  const auto sigma = unify(bank, F(x, G(x)), F(G(y), G(G(y))));
  ASSERT_TRUE(sigma);
  EXPECT_EQ(apply(bank, F(x, y), *sigma), F(G(y), y));
  EXPECT_FALSE(unify(bank, F(x, x), F(y, G(y))));
  EXPECT_FALSE(unify(bank, x, G(x)));
  EXPECT_TRUE(unify_apart(bank, x, G(x)));
}

TEST_F(Terms, VariablesKeepTheirSort) {
  const int other = bank.fresh_variable(1, "z");
  EXPECT_FALSE(unify(bank, bank.variable(other), a));
  EXPECT_FALSE(match(bank, bank.variable(other), a));
}

TEST_F(Terms, SemiUnificationFindsBothSubstitutions) {
  // f(x, y) sigma mu = f(g(y), x) sigma
  const auto found = semi_unify(bank, F(x, y), F(G(y), x));
  ASSERT_TRUE(found);
  const Term left = apply(bank, apply(bank, F(x, y), found->sigma), found->mu);
  EXPECT_EQ(left, apply(bank, F(G(y), x), found->sigma));
  EXPECT_TRUE(semi_unify(bank, F(x, a), F(a, x)));
  EXPECT_FALSE(semi_unify(bank, F(x, a), F(x, G(x))));
  EXPECT_FALSE(semi_unify(bank, G(G(x)), G(x)).has_value() && !match(bank, G(G(x)), G(G(G(x)))));
}

TEST_F(Terms, CriticalPairsOfARuleWithItself) {
  const Rules rules{{F(F(x, y), a), G(x)}};
  const auto pairs = critical_pairs(bank, rules);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].position, Position{0});
  EXPECT_FALSE(pairs[0].overlay());
}

TEST_F(Terms, NormalFormsAndBounds) {
  const Rules rules{{F(G(x), y), F(x, G(y))}};
  const RuleIndex index(bank, rules);
  EXPECT_EQ(normalise(bank, index, F(G(G(a)), a), 10), F(a, G(G(a))));
  EXPECT_EQ(normalise(bank, index, F(G(G(a)), a), 1), std::nullopt);
  const RuleIndex growing(bank, {{a, G(a)}});
  EXPECT_EQ(normalise(bank, growing, a, 1000), std::nullopt);
}

TEST_F(Terms, InnermostReductsHaveNormalArguments) {
  const RuleIndex index(bank, {{F(x, y), x}, {a, G(a)}});
  EXPECT_EQ(reducts(bank, index, F(a, x)).size(), 2U);
  EXPECT_EQ(reducts(bank, index, F(a, x), true).size(), 1U);
}

TEST_F(Terms, MultiStepsContractNestedRedexes) {
  const RuleIndex index(bank, {{F(x, y), G(x)}});
  EXPECT_TRUE(multi_step(bank, index, F(F(a, a), y), G(G(a))));
  EXPECT_TRUE(multi_step(bank, index, F(F(a, a), y), F(F(a, a), y)));
  EXPECT_FALSE(multi_step(bank, index, F(a, y), G(G(a))));
}

}  // namespace
}  // namespace rhopsi::analysis
