// What follows from facts about the smaller and the greater of two.
#include "engine/moa/facts.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace rhopsi::moa {
namespace {

using Function = onf::ScalarFunction;

class Extremes : public testing::Test {
 protected:
  ExprId min(ExprId a, ExprId b) { return all.apply(Function::minimum, {a, b}); }
  ExprId max(ExprId a, ExprId b) { return all.apply(Function::maximum, {a, b}); }
  ExprId at_most(ExprId a, ExprId b) { return all.apply(Function::less_equal, {a, b}); }
  ExprId less(ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); }
  ExprId integer(std::int64_t value) { return all.integer(value); }

  // Is it certain, impossible or open?
  std::string decided(ExprId condition) {
    const auto found = facts.decide(condition);
    return !found ? "open" : *found ? "true" : "false";
  }

  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0);
  const ExprId m = all.extent(LeafId{0}, 1);
  const ExprId k = all.extent(LeafId{1}, 0);
};

TEST_F(Extremes, LieOnOneSideOfBoth) {
  for (const ExprId side : {n, m}) {
    EXPECT_EQ(decided(at_most(min(n, m), side)), "true");
    EXPECT_EQ(decided(at_most(side, max(n, m))), "true");
    EXPECT_EQ(decided(less(side, min(n, m))), "false");
    EXPECT_EQ(decided(less(max(n, m), side)), "false");
    EXPECT_EQ(decided(at_most(side, min(n, m))), "open");
    EXPECT_EQ(decided(at_most(max(n, m), side)), "open");
  }
  EXPECT_EQ(decided(at_most(min(n, m), max(n, m))), "true");
  EXPECT_EQ(decided(at_most(integer(0), min(n, m))), "true");
  EXPECT_EQ(decided(at_most(integer(1), max(n, integer(1)))), "true");
}

TEST_F(Extremes, AreBoundedByWhatBoundsBoth) {
  facts.assume(at_most(k, n));
  EXPECT_EQ(decided(at_most(k, min(n, m))), "open");
  EXPECT_EQ(decided(at_most(k, max(n, m))), "true");
  facts.assume(at_most(k, m));
  EXPECT_EQ(decided(at_most(k, min(n, m))), "true");
  EXPECT_EQ(decided(less(min(n, m), k)), "false");
  facts.assume(at_most(n, integer(4)));
  EXPECT_EQ(decided(at_most(max(n, m), integer(4))), "open");
  facts.assume(at_most(m, integer(3)));
  EXPECT_EQ(decided(at_most(max(n, m), integer(4))), "true");
}

TEST_F(Extremes, WithinOneAnother) {
  facts.assume(at_most(integer(2), n));
  facts.assume(at_most(integer(2), m));
  EXPECT_EQ(decided(at_most(integer(2), min(n, max(m, k)))), "true");
  EXPECT_EQ(decided(at_most(integer(2), min(min(n, m), k))), "open");
  EXPECT_EQ(decided(at_most(all.add(min(n, m), min(n, m)), all.add(n, m))), "true");
  EXPECT_EQ(decided(at_most(integer(4), all.add(min(n, m), max(n, m)))), "true");
}

TEST_F(Extremes, SaySomethingOfBoth) {
  const Facts::Mark before = facts.mark();
  facts.assume(at_most(k, min(n, m)));
  EXPECT_EQ(decided(at_most(k, n)), "true");
  EXPECT_EQ(decided(at_most(k, m)), "true");
  facts.restore(before);
  EXPECT_EQ(decided(at_most(k, n)), "open");
  facts.assume(less(max(n, m), integer(5)));
  EXPECT_EQ(decided(less(n, integer(5))), "true");
  EXPECT_EQ(decided(less(m, integer(5))), "true");
  EXPECT_EQ(decided(less(k, integer(5))), "open");
}

TEST_F(Extremes, AreNotMixedUp) {
  facts.assume(at_most(min(n, m), k));
  EXPECT_EQ(decided(at_most(n, k)), "open");
  EXPECT_EQ(decided(at_most(max(n, m), k)), "open");
  facts.assume(at_most(k, max(n, m)));
  EXPECT_EQ(decided(at_most(k, n)), "open");
  EXPECT_EQ(decided(at_most(k, min(n, m))), "open");
}

// Every comparison of numbers that are known, of either kind, is what C++ says it is.
// Nothing was asked between two facts: what is asked once the second one is gone is answered by the
// first one, and no longer without it.
TEST(Answers, AreKeptWithAllTheirFacts) {
  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0), m = all.extent(LeafId{0}, 1);
  const VariableId variable = all.make_variable("i");
  const ExprId i = all.variable(variable), next = all.add(i, all.integer(1));
  const auto less = [&](ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); };
  facts.range(variable, all.integer(0), n);
  const ExprId last = less(next, n), around = facts.modulo(next, n);
  EXPECT_FALSE(facts.decide(last).has_value());
  const auto outside = facts.mark();
  facts.assume(last);
  facts.assume(less(i, all.integer(5)));
  const auto inside = facts.mark();
  facts.assume(less(i, m));
  facts.restore(inside);
  EXPECT_EQ(facts.decide(last), true);
  EXPECT_EQ(facts.modulo(next, n), next);
  EXPECT_EQ(facts.bounds(i).high, 4);
  facts.restore(outside);
  EXPECT_FALSE(facts.decide(last).has_value());
  EXPECT_EQ(facts.modulo(next, n), around);
  EXPECT_FALSE(facts.bounds(i).high.has_value());
}

// What is asked is kept: an answer holds as long as the facts that it was found with.
TEST(Answers, HoldWhileTheirFactsDo) {
  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0);
  const VariableId variable = all.make_variable("i");
  const ExprId i = all.variable(variable), one = all.integer(1);
  const auto less = [&](ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); };
  facts.range(variable, all.integer(0), n);
  const ExprId next = all.add(i, one), last = less(next, n);
  EXPECT_FALSE(facts.decide(last).has_value());
  const ExprId around = facts.modulo(next, n);
  const auto outside = facts.mark();
  facts.assume(last);
  EXPECT_EQ(facts.decide(last), true);
  EXPECT_EQ(facts.modulo(next, n), next);
  const auto inside = facts.mark();
  facts.assume(less(i, all.integer(5)));
  EXPECT_EQ(facts.bounds(i).high, 4);
  EXPECT_EQ(facts.decide(last), true);
  facts.restore(inside);
  EXPECT_FALSE(facts.bounds(i).high.has_value());
  EXPECT_EQ(facts.modulo(next, n), next);
  facts.restore(outside);
  EXPECT_FALSE(facts.decide(last).has_value());
  EXPECT_EQ(facts.modulo(next, n), around);
  // The same number of facts, and other ones.
  facts.assume(less(i, all.integer(7)));
  EXPECT_FALSE(facts.decide(last).has_value());
  EXPECT_EQ(facts.bounds(i).high, 6);
}

TEST(Constants, AreCompared) {
  Expressions all;
  const auto check = [&](const auto& make, auto left, auto right) {
    const auto is = [&](ScalarFunction function) {
      return all.apply(function, {make(left), make(right)}, Scalar::boolean);
    };
    EXPECT_EQ(is(ScalarFunction::less), all.boolean(left < right)) << left << " " << right;
    EXPECT_EQ(is(ScalarFunction::less_equal), all.boolean(left <= right)) << left << " " << right;
    EXPECT_EQ(is(ScalarFunction::greater), all.boolean(left > right)) << left << " " << right;
    EXPECT_EQ(is(ScalarFunction::greater_equal), all.boolean(left >= right))
        << left << " " << right;
    EXPECT_EQ(is(ScalarFunction::equal), all.boolean(left == right)) << left << " " << right;
    EXPECT_EQ(is(ScalarFunction::not_equal), all.boolean(left != right)) << left << " " << right;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double left : {-1.5, 0.0, 2.5, nan})
    for (const double right : {-1.5, 0.0, 2.5, nan})
      check([&](double value) { return all.real(value); }, left, right);
  for (const std::int64_t left : {-1, 0, 2})
    for (const std::int64_t right : {-1, 0, 2})
      check([&](std::int64_t value) { return all.integer(value); }, left, right);
}

TEST(Remainders, AreLessThanWhatDividesWhereThatIsPositive) {
  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0), x = all.variable(VariableId{0}, Scalar::int64);
  const ExprId rest = all.apply(Function::modulo, {x, n});
  const auto less = [&](ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); };
  EXPECT_FALSE(facts.decide(less(rest, n)).has_value());
  const auto before = facts.mark();
  facts.range(VariableId{1}, all.integer(0), n);  // there is an index below n
  EXPECT_FALSE(facts.decide(less(all.add(rest, all.integer(1)), n)).has_value());
  facts.restore(before);
  facts.assume(less(all.integer(1), n));
  EXPECT_EQ(facts.decide(less(rest, n)), true);
  EXPECT_EQ(facts.decide(less(n, rest)), false);
  EXPECT_FALSE(facts.decide(less(all.add(rest, all.integer(1)), n)).has_value());
  EXPECT_FALSE(facts.decide(less(x, n)).has_value());
}

// Indices of an array that is half as long, and of one that is half of that.
TEST(Quotients, AreBoundedByWhatIsDivided) {
  Expressions all;
  Facts facts{all};
  const auto less = [&](ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); };
  const auto half = [&](ExprId a) { return all.apply(Function::divide, {a, all.integer(2)}); };
  const auto twice = [&](ExprId a) { return all.multiply(a, all.integer(2)); };
  const ExprId n = all.extent(LeafId{0}, 0);
  const ExprId i = all.variable(VariableId{0}, Scalar::int64);
  const ExprId next = all.add(twice(i), all.integer(1));
  const auto before = facts.mark();
  facts.range(VariableId{0}, all.integer(0), half(n));
  EXPECT_EQ(facts.decide(less(twice(i), n)), true);
  EXPECT_EQ(facts.decide(less(next, n)), true);
  EXPECT_FALSE(facts.decide(less(all.add(next, all.integer(1)), n)).has_value());
  facts.restore(before);
  EXPECT_FALSE(facts.decide(less(twice(i), n)).has_value());
  facts.range(VariableId{0}, all.integer(0), half(half(n)));
  EXPECT_EQ(facts.decide(less(twice(i), half(n))), true);
  EXPECT_EQ(facts.decide(less(all.add(twice(next), all.integer(1)), n)), true);
  EXPECT_FALSE(facts.decide(less(twice(twice(next)), n)).has_value());
  // Without a range: 2 (n / 2) <= n < 2 (n / 2) + 2.
  facts.restore(before);
  EXPECT_EQ(facts.decide(less(n, twice(half(n)))), false);
  EXPECT_EQ(facts.decide(less(n, all.add(twice(half(n)), all.integer(2)))), true);
  EXPECT_FALSE(facts.decide(less(n, all.add(twice(half(n)), all.integer(1)))).has_value());
}

TEST(Choices, AreDecidedCaseByCase) {
  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0), i = all.variable(VariableId{0}, Scalar::int64);
  const auto less = [&](ExprId a, ExprId b) { return all.apply(Function::less, {a, b}); };
  facts.range(VariableId{0}, all.integer(0), n);
  const ExprId next = all.add(i, all.integer(1));
  const ExprId within = all.select(less(next, n), next, all.subtract(n, all.integer(1)));
  EXPECT_EQ(facts.decide(less(within, n)), true);
  EXPECT_EQ(facts.decide(less(n, within)), false);
  EXPECT_FALSE(facts.decide(less(within, all.subtract(n, all.integer(1)))).has_value());
  const ExprId beyond = all.select(less(next, n), all.add(next, all.integer(1)), i);
  EXPECT_FALSE(facts.decide(less(beyond, n)).has_value());
  const auto before = facts.mark();
  facts.assume(less(beyond, n));  // of the choice itself
  EXPECT_EQ(facts.decide(less(beyond, all.add(n, all.integer(1)))), true);
  facts.restore(before);
  EXPECT_FALSE(facts.decide(less(next, n)).has_value());  // what was assumed is forgotten
}

// (i * (n * m) + j * m + k) divided by m, as reshapes have it.
TEST(Divisions, FindTheDivisorWithinProducts) {
  Expressions all;
  Facts facts{all};
  const ExprId n = all.extent(LeafId{0}, 0), m = all.extent(LeafId{0}, 1);
  const auto index = [&](std::uint32_t k) {
    return all.variable(static_cast<VariableId>(k), Scalar::int64);
  };
  const ExprId i = index(0), j = index(1), k = index(2);
  facts.range(VariableId{1}, all.integer(0), n);
  facts.range(VariableId{2}, all.integer(0), m);
  const ExprId place = all.add(all.add(all.multiply(all.multiply(n, m), i), all.multiply(j, m)), k);
  EXPECT_EQ(facts.modulo(place, m), k);
  const ExprId rows = facts.divide(place, m);
  EXPECT_EQ(rows, all.add(all.multiply(n, i), j));
  EXPECT_EQ(facts.modulo(rows, n), j);
  EXPECT_EQ(facts.divide(rows, n), i);
}

// What lies between an integer and the next one is that integer.
TEST(Conditions, OfOneIntegerAreEqualities) {
  Expressions all;
  const ExprId at = all.subtract(all.extent(LeafId{0}, 0), all.extent(LeafId{0}, 1));
  const auto within = [&](std::int64_t low, std::int64_t end) {
    return all.apply(Function::and_, {all.apply(Function::less_equal, {all.integer(low), at}),
                                      all.apply(Function::less, {at, all.integer(end)})});
  };
  EXPECT_EQ(within(0, 1), all.apply(Function::equal, {at, all.integer(0)}));
  EXPECT_EQ(within(-3, -2), all.apply(Function::equal, {at, all.integer(-3)}));
  EXPECT_NE(within(0, 2), all.apply(Function::equal, {at, all.integer(0)}));
}

}  // namespace
}  // namespace rhopsi::moa
