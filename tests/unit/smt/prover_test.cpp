#include "engine/smt/prover.hpp"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace rhopsi::smt {
namespace {

using moa::Expressions;
using moa::ExprId;
using moa::Scalar;
using Function = moa::ScalarFunction;
using Kind = Answer::Kind;

class ProverTest : public ::testing::Test {
 protected:
  ExprId integer(const std::string& name) {
    return expressions.variable(expressions.make_variable(name));
  }
  ExprId real(const std::string& name) {
    return expressions.variable(expressions.make_variable(name), Scalar::float64);
  }
  ExprId apply(Function function, ExprId left, ExprId right) {
    return expressions.apply(function, {left, right});
  }
  ExprId load(ExprId index) {
    return expressions.load(moa::LeafId{0}, Scalar::float64, std::vector{index});
  }
  ExprId sum(ExprId count, const std::function<ExprId(ExprId)>& body) {
    const moa::VariableId k = expressions.make_variable("k");
    return expressions.fold(Function::add, k, count, body(expressions.variable(k)));
  }
  Kind same(ExprId left, ExprId right, Theory theory, const std::vector<ExprId>& hypotheses = {}) {
    Prover prover(expressions, {});
    return prover.prove_same(hypotheses, left, right, theory).kind;
  }

  Expressions expressions;
};

TEST_F(ProverTest, CounterexamplesAreRead) {
  const ExprId i = integer("i");
  const ExprId n = expressions.extent(moa::LeafId{0}, 0);
  Prover prover(expressions, {});
  const ExprId inside = apply(Function::less, i, n);
  const ExprId goal = apply(Function::less, i, expressions.integer(7));
  const Answer answer = prover.prove(std::vector{inside}, goal, Theory::any);
  ASSERT_EQ(answer.kind, Kind::refuted);
  const std::int64_t value = answer.counterexample.variables.at(expressions[i].variable);
  EXPECT_GE(value, 7);
  EXPECT_GT((answer.counterexample.extents.at({moa::LeafId{0}, 0U})), value);
  EXPECT_EQ(prover
                .prove(std::vector{inside}, apply(Function::less_equal, expressions.integer(0), n),
                       Theory::any)
                .kind,
            Kind::proved);
}

TEST_F(ProverTest, ElementsAreUnknownFunctionsOfIndices) {
  const ExprId i = integer("i");
  const ExprId j = integer("j");
  EXPECT_EQ(same(load(i), load(j), Theory::any), Kind::refuted);
  EXPECT_EQ(same(load(i), load(j), Theory::any, {apply(Function::equal, i, j)}), Kind::proved);
}

TEST_F(ProverTest, TheoriesOfElements) {
  const ExprId a = real("a"), b = real("b"), c = real("c");
  const auto plus = [&](ExprId x, ExprId y) { return apply(Function::add, x, y); };
  const ExprId left = plus(plus(a, b), c);
  const ExprId right = plus(a, plus(b, c));
  EXPECT_EQ(same(left, right, Theory::any), Kind::refuted);
  EXPECT_EQ(same(left, right, Theory::ring), Kind::proved);
  EXPECT_NE(same(left, right, Theory::ieee), Kind::proved);
  EXPECT_EQ(same(plus(a, b), plus(b, a), Theory::ieee), Kind::proved);
  const ExprId least = apply(Function::minimum, a, b);
  EXPECT_EQ(same(least, apply(Function::minimum, b, a), Theory::ring), Kind::refuted);
  EXPECT_EQ(same(least, apply(Function::minimum, b, a), Theory::field), Kind::proved);
  // Large and small constants keep all their digits.
  const ExprId tiny = expressions.real(1e-300);
  EXPECT_NE(same(plus(a, tiny), a, Theory::ring), Kind::proved);
}

// The solver worked on the bits of these for half a minute, whatever time it had.
TEST_F(ProverTest, QuotientsOfDoubles) {
  const ExprId a = real("a"), b = real("b");
  const auto over = [&](ExprId value, double divisor) {
    return apply(Function::divide, value, expressions.real(divisor));
  };
  const auto times = [&](ExprId value, double factor) {
    return apply(Function::multiply, value, expressions.real(factor));
  };
  const auto minus = [&](ExprId value) { return expressions.apply(Function::negate, {value}); };
  EXPECT_EQ(same(over(a, 4), times(a, 0.25), Theory::ieee), Kind::proved);
  EXPECT_EQ(same(over(a, -0.5), times(a, -2), Theory::ieee), Kind::proved);
  EXPECT_EQ(same(over(a, -3), minus(over(a, 3)), Theory::ieee), Kind::proved);
  const ExprId sum = apply(Function::add, a, b), turned = apply(Function::add, b, a);
  EXPECT_EQ(same(apply(Function::divide, a, sum), apply(Function::divide, a, turned), Theory::ieee),
            Kind::proved);
  // The inverse of 3 is rounded, and that of 2^-1074 is no number of that type.
  EXPECT_NE(same(over(a, 3), times(a, 1.0 / 3), Theory::ieee), Kind::proved);
  EXPECT_NE(same(over(a, 4), times(a, 0.5), Theory::ieee), Kind::proved);
  EXPECT_NE(same(over(a, 0x1p-1074), times(a, 0x1p1023), Theory::ieee), Kind::proved);
  EXPECT_NE(same(over(a, 0), times(a, 0), Theory::ieee), Kind::proved);
  EXPECT_NE(same(over(a, 6), over(times(a, 2), 3), Theory::ieee), Kind::proved);
}

TEST_F(ProverTest, FoldsAreEqualWhereTheirElementsAre) {
  const ExprId n = expressions.extent(moa::LeafId{0}, 0);
  const ExprId one = expressions.integer(1);
  const auto plain = sum(n, [&](ExprId k) { return load(k); });
  const auto again = sum(n, [&](ExprId k) { return load(apply(Function::modulo, k, n)); });
  const auto shifted = sum(n, [&](ExprId k) { return load(expressions.add(k, one)); });
  const auto longer = sum(expressions.add(n, one), [&](ExprId k) { return load(k); });
  EXPECT_EQ(same(plain, again, Theory::any), Kind::proved);
  EXPECT_EQ(same(plain, shifted, Theory::any), Kind::refuted);
  EXPECT_EQ(same(plain, longer, Theory::any), Kind::refuted);
}

TEST_F(ProverTest, WhateverGoesWrongIsUnknown) {
  const ExprId i = integer("i");
  const ExprId goal = apply(Function::less_equal, expressions.apply(Function::negate, {i}),
                            expressions.apply(Function::absolute, {i}));
  const auto with = [&](Interference interference) {
    Prover prover(expressions, {}, std::move(interference));
    return prover.prove({}, goal, Theory::any);
  };
  EXPECT_EQ(with({}).kind, Kind::proved);
  EXPECT_EQ(with([]() -> std::optional<Answer> { throw std::bad_alloc(); }).kind, Kind::unknown);
  const Answer failed = with([]() -> std::optional<Answer> { throw std::runtime_error("broken"); });
  EXPECT_EQ(failed.kind, Kind::unknown);
  EXPECT_EQ(failed.reason, "the solver failed: broken");
  const Answer late = with([] { return Answer{Kind::unknown, "time", {}}; });
  EXPECT_EQ(late.reason, "time");
}

TEST_F(ProverTest, TimeIsLimited) {
  // a^3 + b^3 = c^3 has no solution above 0, which no solver finds.
  const ExprId a = integer("a"), b = integer("b"), c = integer("c");
  const auto cube = [&](ExprId x) { return expressions.multiply(x, expressions.multiply(x, x)); };
  std::vector<ExprId> positive;
  for (ExprId each : {a, b, c})
    positive.push_back(apply(Function::less, expressions.integer(2), each));
  const ExprId goal = apply(Function::not_equal, expressions.add(cube(a), cube(b)), cube(c));
  Prover prover(expressions, {std::chrono::milliseconds(50), std::chrono::milliseconds(80)});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(prover.prove(positive, goal, Theory::any).kind, Kind::unknown);
  EXPECT_EQ(prover.prove(positive, goal, Theory::any).kind, Kind::unknown);
  EXPECT_EQ(prover.prove(positive, goal, Theory::any).kind, Kind::unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace rhopsi::smt
