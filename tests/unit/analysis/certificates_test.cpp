// What is checked of an order, a loop and a divergence: a certificate that is changed is refused.
#include <gtest/gtest.h>

#include "engine/analysis/arctic.hpp"
#include "engine/analysis/divergence.hpp"
#include "engine/analysis/interpretation.hpp"
#include "engine/analysis/loop.hpp"
#include "engine/analysis/path_order.hpp"

namespace rhopsi::analysis {
namespace {

class Certificates : public testing::Test {
 protected:
  Certificates() {
    f = bank.add_symbol("f", 2);
    s = bank.add_symbol("s", 1);
    zero = bank.make(bank.add_symbol("0", 0), {});
    x = bank.variable(bank.fresh_variable(0, "x"));
    y = bank.variable(bank.fresh_variable(0, "y"));
    addition = {{F(zero, y), y}, {F(S(x), y), S(F(x, y))}};
    all.oriented = addition;
    all.monotone = true;
    all.all_strict = true;
  }
  Term F(Term a, Term b) { return bank.make(f, {a, b}); }
  Term S(Term a) { return bank.make(s, {a}); }
  static Matrix number(std::int64_t value) { return {1, 1, {value}}; }
  Interpretation polynomial(std::int64_t first, std::int64_t second, std::int64_t constant) {
    return Interpretation(1, {{f, {{constant}, {number(first), number(second)}}},
                              {s, {{1}, {number(1)}}},
                              {bank.head(zero), {{0}, {}}}});
  }

  TermBank bank;
  int f = 0;
  int s = 0;
  Term zero{};
  Term x{};
  Term y{};
  Rules addition;
  OrderProblem all;
};

TEST_F(Certificates, PolynomialsAreEvaluated) {
  EXPECT_TRUE(verify(bank, all, polynomial(2, 1, 1)));
  EXPECT_FALSE(verify(bank, all, polynomial(1, 1, 1)));  // s(f(x, y)) is not smaller
  EXPECT_FALSE(verify(bank, all, polynomial(2, 0, 1)));  // not monotone
  EXPECT_FALSE(verify(bank, all, polynomial(2, 1, 0)));  // f(0, y) = y
}

TEST_F(Certificates, NumbersThatDoNotFitAreNoProof) {
  OrderProblem twice;
  twice.oriented = {{S(S(x)), S(x)}};
  const auto order = [&](std::int64_t factor) {
    return Interpretation(1, {{s, {{1}, {number(factor)}}}});
  };
  EXPECT_TRUE(verify(bank, twice, order(3)));
  EXPECT_FALSE(verify(bank, twice, order(std::int64_t{1} << 62)));
}

TEST_F(Certificates, PathOrdersAreCompared) {
  const auto order = [&](std::uint64_t of_f, std::uint64_t of_s, std::vector<int> slots) {
    return PathOrder(
        {{f, {of_f, -1, std::move(slots)}}, {s, {of_s, -1, {0}}}, {bank.head(zero), {0, -1, {}}}});
  };
  EXPECT_TRUE(verify(bank, all, order(2, 1, {0, 1})));
  EXPECT_TRUE(verify(bank, all, order(2, 1, {1, 0})));  // y is the same
  EXPECT_FALSE(verify(bank, all, order(1, 2, {0, 1})));
  EXPECT_FALSE(verify(bank, all, order(2, 1, {0, -1})));  // an argument is left out
}

TEST_F(Certificates, WeightsHaveToBeAdmissible) {
  const auto order = [&](std::int64_t variable, std::int64_t constant, std::int64_t of_s) {
    return KnuthBendixOrder(variable,
                            {{f, {0, 2}}, {s, {of_s, 1}}, {bank.head(zero), {constant, 0}}});
  };
  EXPECT_TRUE(verify(bank, all, order(1, 1, 1)));
  EXPECT_FALSE(verify(bank, all, order(1, 0, 1)));  // a constant below variables
  EXPECT_FALSE(verify(bank, all, order(0, 1, 1)));
  EXPECT_FALSE(verify(bank, all, order(1, 1, 0)));  // s of weight 0 is not the greatest
}

TEST_F(Certificates, ArcticNumbersAreCompared) {
  const ArcticNumber none;
  OrderProblem pairs;
  pairs.oriented = {{S(S(x)), S(x)}};
  const auto order = [&](ArcticNumber factor, ArcticNumber constant) {
    return ArcticInterpretation(1, {{s, {{constant}, {{factor}}}}});
  };
  EXPECT_TRUE(verify(bank, pairs, order(1, none)));
  EXPECT_FALSE(verify(bank, pairs, order(0, none)));     // nothing is strict
  EXPECT_TRUE(verify(bank, pairs, order(1, 0)));         // max(x + 2, 1) > max(x + 1, 0)
  EXPECT_FALSE(verify(bank, pairs, order(none, none)));  // nowhere finite
  EXPECT_FALSE(verify(bank, pairs, order(-1, 0)));       // below 0
  const std::int64_t huge = std::int64_t{1} << 62;
  pairs.oriented = {{S(S(S(x))), S(x)}};
  EXPECT_FALSE(verify(bank, pairs, order(huge, none)));  // does not fit
  pairs.monotone = true;
  EXPECT_FALSE(verify(bank, pairs, order(1, none)));  // not for the removal of rules
}

TEST_F(Certificates, UsableRulesFollowWhatIsRegarded) {
  OrderProblem problem;
  problem.oriented = {{S(F(x, y)), S(x)}, {S(x), S(F(x, x))}};
  problem.rules = {{F(x, y), S(S(x))}};
  const auto regarded = usable_rules(bank, problem, polynomial(1, 1, 0));
  EXPECT_EQ(regarded, std::vector<bool>{true});
  const Interpretation blind(1, {{f, {{0}, {number(1), number(0)}}}, {s, {{0}, {number(0)}}}});
  EXPECT_EQ(usable_rules(bank, problem, blind), std::vector<bool>{false});
}

TEST_F(Certificates, LoopsAreRewritten) {
  const Rules rules{{F(S(x), y), F(x, S(y))}, {F(zero, y), F(y, zero)}};
  const Term start = F(S(zero), zero);
  EXPECT_TRUE(verify(bank, rules, false, {start, {{{}, 0}, {{}, 1}}, {}}));
  EXPECT_TRUE(verify(bank, rules, true, {start, {{{}, 0}, {{}, 1}}, {}}));
  EXPECT_FALSE(verify(bank, rules, false, {start, {{{}, 0}}, {}}));
  EXPECT_FALSE(verify(bank, rules, false, {start, {{{}, 1}, {{}, 0}}, {}}));
  EXPECT_FALSE(verify(bank, rules, false, {start, {{{}, 0}, {{}, 1}}, {0}}));
  EXPECT_FALSE(verify(bank, rules, false, {start, {}, {}}));
}

TEST_F(Certificates, InnermostLoopsStayInnermost) {
  // f(0, x) -> f(0, s(x)) goes on for ever only if s(s(...)) is never rewritten.
  const Rules free{{F(zero, x), F(zero, S(x))}};
  EXPECT_TRUE(verify(bank, free, true, {F(zero, x), {{{}, 0}}, {}}));
  const Rules blocked{{F(zero, x), F(zero, S(x))}, {S(S(x)), zero}};
  EXPECT_TRUE(verify(bank, blocked, false, {F(zero, x), {{{}, 0}}, {}}));
  EXPECT_FALSE(verify(bank, blocked, true, {F(zero, x), {{{}, 0}}, {}}));
}

TEST_F(Certificates, DivergencesAreReplayed) {
  const Rules rules{{F(x, y), x}, {F(x, y), y}, {S(S(x)), x}};
  const auto reason = Divergence::Reason::normal_forms;
  const Term peak = F(zero, S(zero));
  EXPECT_TRUE(verify(bank, rules, {}, {peak, {{{}, 0}}, {{{}, 1}}, reason}));
  EXPECT_FALSE(verify(bank, rules, {}, {peak, {{{}, 0}}, {{{}, 0}}, reason}));
  EXPECT_FALSE(verify(bank, rules, {false, true, true}, {peak, {{{}, 0}}, {{{}, 1}}, reason}));
  const Term reducible = F(zero, S(S(zero)));
  EXPECT_FALSE(verify(bank, rules, {}, {reducible, {{{}, 0}}, {{{}, 1}}, reason}));
}

}  // namespace
}  // namespace rhopsi::analysis
