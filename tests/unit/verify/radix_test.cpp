#include "engine/verify/radix.hpp"

#include <array>
#include <functional>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "engine/moa/integers.hpp"

namespace rhopsi::verify {
namespace {

using moa::Expressions;
using moa::ExprId;
using moa::Node;
using Function = moa::ScalarFunction;

class RadixTest : public ::testing::Test {
 protected:
  ExprId variable(const std::string& name) {
    variables.push_back(expressions.make_variable(name));
    return expressions.variable(variables.back());
  }
  ExprId apply(Function function, ExprId left, ExprId right) {
    return expressions.apply(function, {left, right});
  }
  ExprId number(std::int64_t value) { return expressions.integer(value); }
  // low <= value < high
  void within(ExprId value, ExprId low, ExprId high) {
    hypotheses.push_back(apply(Function::less_equal, low, value));
    hypotheses.push_back(apply(Function::less, value, high));
  }

  // The value; nothing where a division has none.
  std::optional<std::int64_t> value_of(ExprId id, const std::vector<std::int64_t>& values) {
    const Node node = expressions[id];
    if (node.kind == Node::Kind::integer || node.kind == Node::Kind::boolean) return node.integer;
    if (node.kind == Node::Kind::variable) {
      for (std::size_t k = 0; k < variables.size(); ++k) {
        if (variables[k] == node.variable) return values[k];
      }
    }
    if (node.kind != Node::Kind::apply) throw std::logic_error("not of integers");
    std::array<std::int64_t, 2> operands{};
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const auto operand = value_of(node.operands[k], values);
      if (!operand) return std::nullopt;
      operands[k] = *operand;
    }
    const auto [a, b] = operands;
    switch (node.function) {
      case Function::add:
        return a + b;
      case Function::subtract:
        return a - b;
      case Function::multiply:
        return a * b;
      case Function::negate:
        return -a;
      case Function::divide:
        if (b == 0) return std::nullopt;
        return moa::euclidean_quotient(a, b);
      case Function::modulo:
        if (b == 0) return std::nullopt;
        return moa::euclidean_remainder(a, b);
      case Function::absolute:
        return a < 0 ? -a : a;
      case Function::less:
        return a < b;
      case Function::less_equal:
        return a <= b;
      case Function::greater:
        return a > b;
      case Function::greater_equal:
        return a >= b;
      case Function::equal:
        return a == b;
      case Function::not_equal:
        return a != b;
      default:
        throw std::logic_error("another function");
    }
  }

  Expressions expressions;
  std::vector<moa::VariableId> variables;
  moa::Vector hypotheses;
};

TEST_F(RadixTest, DigitsOfAPlace) {
  const ExprId i = variable("i"), j = variable("j"), m = variable("m"), n = variable("n");
  within(i, number(0), m);
  within(j, number(0), n);
  const ExprId place = expressions.add(expressions.multiply(i, n), j);
  Radix radix(expressions, hypotheses);
  EXPECT_EQ(radix.normalised(apply(Function::divide, place, n)), i);
  EXPECT_EQ(radix.normalised(apply(Function::modulo, place, n)), j);
  EXPECT_TRUE(radix.holds(apply(Function::less, place, expressions.multiply(m, n))));
  EXPECT_FALSE(radix.holds(apply(Function::less, place, expressions.multiply(n, n))));
}

TEST_F(RadixTest, ModuloOfModulo) {
  const ExprId a = variable("a"), b = variable("b"), n = variable("n");
  hypotheses.push_back(apply(Function::not_equal, n, number(0)));
  const ExprId twice =
      apply(Function::modulo, expressions.add(apply(Function::modulo, a, n), b), n);
  const ExprId once = apply(Function::modulo, expressions.add(a, b), n);
  EXPECT_TRUE(Radix(expressions, hypotheses).equal(twice, once));
  EXPECT_FALSE(Radix(expressions, {}).equal(twice, once));
}

TEST_F(RadixTest, WhatHoldsInALoopIsForgottenBehindIt) {
  const ExprId n = variable("n");
  const moa::VariableId k = expressions.make_variable("k");
  const ExprId index = expressions.variable(k);
  // k % n is k where 0 <= k < n; n / n is 1 there, and has no value where n is 0.
  const ExprId body =
      expressions.add(apply(Function::modulo, index, n), apply(Function::divide, n, n));
  const ExprId fold = expressions.fold(Function::add, k, n, body);
  Radix radix(expressions, {});
  radix.normalised(fold);
  const ExprId outside = apply(Function::divide, expressions.add(n, number(1)), n);
  EXPECT_EQ(radix.normalised(outside), outside);
}

// Whatever is said is true of all small values for which the hypotheses hold.
TEST_F(RadixTest, AgreesWithNumbers) {
  std::mt19937 random(20261121);
  const auto pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  const std::array<Function, 6> functions{Function::add,    Function::subtract, Function::multiply,
                                          Function::divide, Function::modulo,   Function::absolute};
  const std::array<Function, 4> relations{Function::less, Function::less_equal, Function::equal,
                                          Function::not_equal};
  for (int k = 0; k < 4; ++k) variable(std::string(1, "ijmn"[k]));
  std::vector<ExprId> atoms;
  for (moa::VariableId each : variables) atoms.push_back(expressions.variable(each));
  const std::function<ExprId(int)> term = [&](int depth) {
    if (depth == 0 || pick(4) == 0) {
      return pick(4) == 0 ? number(pick(5) - 1) : atoms[static_cast<std::size_t>(pick(4))];
    }
    const Function function = functions[static_cast<std::size_t>(pick(6))];
    if (function == Function::absolute) return expressions.apply(function, {term(depth - 1)});
    return apply(function, term(depth - 1), term(depth - 1));
  };
  std::size_t changed = 0;
  std::size_t held = 0;
  for (int round = 0; round < 4000; ++round) {
    hypotheses.clear();
    if (pick(3) > 0) within(atoms[0], number(0), atoms[2]);
    if (pick(3) > 0) within(atoms[1], number(0), pick(2) == 0 ? atoms[3] : atoms[2]);
    if (pick(2) > 0) {
      hypotheses.push_back(apply(relations[static_cast<std::size_t>(pick(4))], term(1), term(1)));
    }
    const ExprId expression = term(3);
    const ExprId condition = apply(relations[static_cast<std::size_t>(pick(3))], term(2), term(2));
    Radix radix(expressions, hypotheses);
    const ExprId normal = radix.normalised(expression);
    const bool holds = radix.holds(condition);
    changed += normal != expression ? 1 : 0;
    held += holds ? 1 : 0;
    std::vector<std::int64_t> values(4);
    for (values[0] = -1; values[0] < 3; ++values[0]) {
      for (values[1] = -1; values[1] < 3; ++values[1]) {
        for (values[2] = -2; values[2] < 5; ++values[2]) {
          for (values[3] = -2; values[3] < 4; ++values[3]) {
            bool possible = true;
            for (ExprId each : hypotheses) possible = possible && value_of(each, values) == 1;
            if (!possible) continue;
            const auto before = value_of(expression, values);
            if (before) {
              ASSERT_EQ(value_of(normal, values), before)
                  << values[0] << " " << values[1] << " " << values[2] << " " << values[3]
                  << " in round " << round;
            }
            const auto truth = value_of(condition, values);
            ASSERT_FALSE(holds && truth == 0) << "in round " << round;
          }
        }
      }
    }
  }
  EXPECT_GT(changed, 1000U);
  EXPECT_GT(held, 100U);
}

}  // namespace
}  // namespace rhopsi::verify
