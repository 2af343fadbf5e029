// What is checked of an order, a loop and a divergence: a certificate that is changed is refused.
#include <gtest/gtest.h>

#include "engine/analysis/arctic.hpp"
#include "engine/analysis/closed_pairs.hpp"
#include "engine/analysis/divergence.hpp"
#include "engine/analysis/interpretation.hpp"
#include "engine/analysis/loop.hpp"
#include "engine/analysis/path_order.hpp"
#include "engine/analysis/polynomial.hpp"
#include "engine/analysis/processors.hpp"

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

TEST_F(Certificates, ProductsAreCompared) {
  OrderProblem problem;
  problem.oriented = {{F(x, S(y)), S(F(x, y))}};
  const auto order = [&](std::int64_t product, std::int64_t of_x, std::int64_t of_y) {
    return PolynomialInterpretation(
        {{f, {{{}, 0}, {{0}, of_x}, {{1}, of_y}, {{0, 1}, product}}}, {s, {{{}, 1}, {{0}, 1}}}});
  };
  EXPECT_FALSE(verify(bank, problem, order(1, 1, 1)));  // x y + 2 x + y + 1, and one more: equal
  EXPECT_TRUE(verify(bank, problem, order(1, 1, 2)));
  EXPECT_FALSE(verify(bank, problem, order(1, 1, 0)));
  problem.monotone = true;
  EXPECT_TRUE(verify(bank, problem, order(1, 1, 2)));
  EXPECT_FALSE(verify(bank, problem, order(1, 0, 2)));  // of x only in the product
  problem.monotone = false;
  problem.oriented = {{F(x, F(x, S(y))), F(x, F(x, y))}};
  EXPECT_TRUE(verify(bank, problem, order(1, 1, 1)));
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_FALSE(verify(bank, problem, order(huge, 1, 1)));  // does not fit
  EXPECT_FALSE(order(1, 0, 0).regards(s, 1));
  EXPECT_TRUE(order(1, 0, 0).regards(f, 0));
  EXPECT_FALSE(order(0, 0, 1).regards(f, 0));
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

TEST_F(Certificates, ModelsAreCheckedByAllAssignments) {
  // f(x, x) -> 0 and s(x) -> f(x, s(x)): 0 and s(0) have no reduct in common.
  const Rules rules{{F(x, x), zero}, {S(x), F(x, S(x))}};
  const auto model = [&](std::vector<std::size_t> of_f, std::vector<std::size_t> of_s) {
    return FiniteModel{
        2, {{f, std::move(of_f)}, {s, std::move(of_s)}, {bank.head(zero), {0}}}, false};
  };
  EXPECT_TRUE(separates(bank, rules, zero, S(zero), model({0, 1, 0, 0}, {1, 0})));
  EXPECT_FALSE(separates(bank, rules, zero, S(zero), model({0, 1, 0, 1}, {1, 0})));  // f(1, 1)
  EXPECT_FALSE(separates(bank, rules, zero, S(zero), model({0, 0, 0, 0}, {0, 0})));  // equal
  EXPECT_FALSE(separates(bank, rules, zero, S(zero), model({0, 1, 0, 2}, {1, 0})));  // no element
  EXPECT_FALSE(separates(bank, rules, zero, S(zero), model({0, 1}, {1, 0})));        // no value
  EXPECT_FALSE(separates(bank, rules, zero, S(x), model({0, 1, 0, 0}, {1, 0})));     // variables
  const Rules fresh{{F(x, x), y}};
  EXPECT_FALSE(separates(bank, fresh, zero, F(zero, zero), model({1, 1, 1, 1}, {0, 0})));
}

// g copies what it is applied to, and nothing brings it back; h does so for ever.
TEST_F(Certificates, RulesThatCopyHaveToEnd) {
  const int g = bank.add_symbol("g", 1);
  const int h = bank.add_symbol("h", 1);
  const auto G = [&](Term term) { return bank.make(g, {term}); };
  const auto H = [&](Term term) { return bank.make(h, {term}); };
  const Deadline deadline{std::chrono::minutes(1)};
  const auto decides = [&](const Rules& rules) {
    const auto pairs = critical_pairs(bank, rules);
    EXPECT_FALSE(pairs.empty());
    return decreasing(bank, rules, pairs, deadline).has_value();
  };
  const Rules around{{S(zero), S(S(zero))}, {S(S(zero)), S(zero)}};
  Rules copying = around;
  copying.push_back({G(x), F(x, x)});
  EXPECT_TRUE(decides(copying));
  EXPECT_TRUE(relative_termination(bank, {copying.back()}, copying, deadline));
  Rules more = around;
  more.push_back({H(x), F(x, H(x))});
  EXPECT_FALSE(decides(more));
  EXPECT_FALSE(relative_termination(bank, {more.back()}, more, deadline));
  EXPECT_FALSE(relative_termination(bank, {around.front()}, around, deadline));
}

// f(x, 0) only ever becomes larger, and 0 stays: none of the equations tells them apart, since both
// are below s(x), which no reduct of them has.
TEST_F(Certificates, OrderedModelsAreCheckedByAllAssignments) {
  const Rules rules{{F(x, y), F(F(x, y), y)}, {S(x), F(S(x), zero)}, {S(x), zero}};
  const auto model = [&](std::vector<std::size_t> of_f, std::vector<std::size_t> of_s) {
    return FiniteModel{
        2, {{f, std::move(of_f)}, {s, std::move(of_s)}, {bank.head(zero), {0}}}, true};
  };
  const Term upper = F(zero, zero);
  EXPECT_TRUE(separates(bank, rules, zero, upper, model({1, 1, 1, 1}, {0, 0})));
  EXPECT_FALSE(separates(bank, rules, upper, zero, model({1, 1, 1, 1}, {0, 0})));  // larger
  EXPECT_FALSE(separates(bank, rules, zero, upper, model({1, 0, 1, 1}, {0, 0})));  // not monotone
  EXPECT_FALSE(separates(bank, rules, zero, upper, model({0, 1, 1, 1}, {0, 0})));  // equal
  EXPECT_FALSE(separates(bank, rules, zero, upper, model({1, 1, 1}, {0, 0})));     // no value
  // Of s(0) a reduct is 0.
  EXPECT_FALSE(separates(bank, rules, zero, S(zero), model({1, 1, 1, 1}, {1, 1})));
  const Rules falling{{F(x, y), F(x, x)}, {F(x, x), zero}};
  EXPECT_FALSE(separates(bank, falling, zero, upper, model({1, 1, 1, 1}, {0, 0})));
}

TEST_F(Certificates, ModelsAreFoundForWhatIsReachedOnly) {
  const Rules rules{{F(x, x), zero}, {S(x), F(x, S(x))}};
  const Deadline deadline{std::chrono::minutes(1)};
  const auto found = find_separating_model(bank, rules, zero, S(zero), false, 2, deadline);
  ASSERT_TRUE(found);
  EXPECT_TRUE(separates(bank, rules, zero, S(zero), *found));
  // A constant that is rewritten to s of itself makes both equal, but neither has it.
  const Term a = bank.make(bank.add_symbol("a", 0), {});
  Rules more = rules;
  more.push_back({a, S(a)});
  EXPECT_TRUE(find_separating_model(bank, more, zero, S(zero), false, 2, deadline));
  more.push_back({S(zero), a});
  EXPECT_FALSE(find_separating_model(bank, more, zero, S(zero), false, 2, deadline));
}

}  // namespace
}  // namespace rhopsi::analysis
