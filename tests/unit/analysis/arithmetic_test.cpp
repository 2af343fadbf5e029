// Canonical terms against values, and confluence of rules together with arithmetic.
#include <random>

#include <gtest/gtest.h>

#include "engine/analysis/modulo.hpp"

namespace rhopsi::analysis {
namespace {

class Sums : public testing::Test {
 protected:
  Sums() {
    const auto operation = [&](const char* name, std::size_t arity, Operation meaning) {
      const int symbol = bank.add_symbol(name, arity);
      arithmetic.operations.emplace(symbol, meaning);
      return symbol;
    };
    plus = operation("+", 2, Operation::add);
    minus = operation("-", 2, Operation::subtract);
    times = operation("*", 2, Operation::multiply);
    opposite = operation("neg", 1, Operation::negate);
    and_ = operation("and", 2, Operation::and_);
    or_ = operation("or", 2, Operation::or_);
    not_ = operation("not", 1, Operation::not_);
    implies = operation("implies", 2, Operation::implies);
    iff = operation("iff", 2, Operation::iff);
    f = bank.add_symbol("f", 1);
    for (int i = 0; i < 3; ++i) variables.push_back(bank.variable(bank.fresh_variable(0)));
    for (std::int64_t value : {0, 1, 2, -3}) {
      const int symbol = bank.add_symbol(std::to_string(value), 0);
      arithmetic.integers.emplace(symbol, value);
      numbers.push_back(bank.make(symbol, {}));
    }
  }

  Term integer(int depth) {
    const auto draw = [&](int n) { return static_cast<std::size_t>(random() % n); };
    if (depth == 0) return draw(3) == 0 ? numbers[draw(4)] : variables[draw(3)];
    switch (draw(6)) {
      case 0:
        return bank.make(f, {integer(depth - 1)});
      case 1:
        return bank.make(opposite, {integer(depth - 1)});
      case 2:
        return bank.make(minus, {integer(depth - 1), integer(depth - 1)});
      case 3:
        return bank.make(times, {integer(depth - 1), integer(depth - 1)});
      default:
        return bank.make(plus, {integer(depth - 1), integer(depth - 1)});
    }
  }

  Term truth(int depth) {
    if (depth == 0) return variables[random() % 3];
    const int symbols[] = {and_, or_, implies, iff};
    if (random() % 5 == 0) return bank.make(not_, {truth(depth - 1)});
    return bank.make(symbols[random() % 4], {truth(depth - 1), truth(depth - 1)});
  }

  // With values for the variables, f a function that mixes, and numbers that wrap.
  std::uint64_t value(Term term, const std::vector<std::uint64_t>& at) {
    if (bank.is_variable(term)) return at[static_cast<std::size_t>(bank.variable_of(term))];
    const int head = bank.head(term);
    const auto argument = [&](std::size_t i) { return value(bank.arguments(term)[i], at); };
    if (const auto found = arithmetic.integers.find(head); found != arithmetic.integers.end()) {
      return static_cast<std::uint64_t>(found->second);
    }
    if (head == plus) return argument(0) + argument(1);
    if (head == minus) return argument(0) - argument(1);
    if (head == times) return argument(0) * argument(1);
    if (head == opposite) return 0 - argument(0);
    if (head == and_) return argument(0) & argument(1);
    if (head == or_) return argument(0) | argument(1);
    if (head == not_) return 1 - argument(0);
    if (head == implies) return (1 - argument(0)) | argument(1);
    if (head == iff) return argument(0) == argument(1) ? 1 : 0;
    return (argument(0) + at[3]) * 0x9e3779b97f4a7c15U ^ (argument(0) >> 29);
  }

  TermBank bank;
  Arithmetic arithmetic;
  std::vector<Term> variables;
  std::vector<Term> numbers;
  std::mt19937 random{7};
  int plus = 0, minus = 0, times = 0, opposite = 0, f = 0;
  int and_ = 0, or_ = 0, not_ = 0, implies = 0, iff = 0;
};

TEST_F(Sums, AreOneTermIfAndOnlyIfTheirValuesAre) {
  CanonicalTerms canonical(bank, arithmetic);
  std::size_t same = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Term left = integer(1 + i % 3);
    const Term right = integer(1 + i % 3);
    const auto one = canonical.of(left);
    const auto other = canonical.of(right);
    ASSERT_TRUE(one && other);
    ASSERT_EQ(canonical.of(*one), one);
    bool equal = true;
    for (int point = 0; point < 6; ++point) {
      std::vector<std::uint64_t> at;
      for (int k = 0; k < 4; ++k) at.push_back(random() * 2654435761U + 1);
      equal = equal && value(left, at) == value(right, at);
    }
    ASSERT_EQ(*one == *other, equal) << to_string(bank, left) << "\n" << to_string(bank, right);
    same += equal ? 1 : 0;
  }
  EXPECT_GT(same, 100U);
}

TEST_F(Sums, OfTruthValuesAreOneTermIfAndOnlyIfTheirTablesAre) {
  CanonicalTerms canonical(bank, arithmetic);
  std::size_t same = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Term left = truth(1 + i % 3);
    const Term right = truth(1 + i % 3);
    bool equal = true;
    for (std::uint64_t row = 0; row < 8; ++row) {
      const std::vector<std::uint64_t> at{row & 1, row >> 1 & 1, row >> 2, 0};
      equal = equal && value(left, at) == value(right, at);
    }
    ASSERT_EQ(*canonical.of(left) == *canonical.of(right), equal) << to_string(bank, left) << "\n"
                                                                  << to_string(bank, right);
    same += equal ? 1 : 0;
  }
  EXPECT_GT(same, 100U);
}

TEST_F(Sums, OfNumbersThatDoNotFitHaveNoForm) {
  const int big = bank.add_symbol("big", 0);
  arithmetic.integers.emplace(big, std::int64_t{1} << 62);
  CanonicalTerms canonical(bank, arithmetic);
  const Term number = bank.make(big, {});
  EXPECT_TRUE(canonical.of(number));
  EXPECT_FALSE(canonical.of(bank.make(times, {number, number})));
  EXPECT_FALSE(canonical.of(bank.make(f, {bank.make(times, {number, number})})));
}

class JoinedModulo : public Sums {
 protected:
  ModuloFinding joined(const Rules& rules) {
    ModuloProblem problem{rules, std::vector<std::optional<Term>>(rules.size()),
                          std::vector<bool>(rules.size(), false),
                          [](const auto&, auto) { return false; }};
    return join_modulo(bank, problem, arithmetic, Deadline(std::chrono::seconds(60)));
  }
  Term F(Term s) { return bank.make(f, {s}); }
};

TEST_F(JoinedModulo, PairsThatArithmeticMakesEqualJoin) {
  const int g = bank.add_symbol("g", 2);
  const Term x = variables[0];
  const Term y = variables[1];
  const Term z = variables[2];
  const auto G = [&](Term s, Term t) { return bank.make(g, {s, t}); };
  // The length of a list that is regrouped.
  const Rules rules{{F(G(x, y)), bank.make(plus, {F(x), F(y)})}, {G(G(x, y), z), G(x, G(y, z))}};
  const ModuloFinding found = joined(rules);
  EXPECT_EQ(found.pairs, 2U);
  EXPECT_TRUE(found.open.empty());
  EXPECT_EQ(found.obstacle, "");
  // With the sum turned round in one rule only, they still do; with a product they do not.
  const Rules wrong{{F(G(x, y)), bank.make(plus, {bank.make(times, {F(x), F(x)}), F(y)})},
                    rules[1]};
  const ModuloFinding other = joined(wrong);
  ASSERT_EQ(other.open.size(), 1U);
  EXPECT_TRUE(other.open[0].apart);
}

TEST_F(JoinedModulo, LeftSidesWithArithmeticAreAnObstacle) {
  const Term x = variables[0];
  EXPECT_NE(joined({{F(bank.make(plus, {x, numbers[1]})), x}}).obstacle, "");
  EXPECT_EQ(joined({{F(numbers[1]), numbers[0]}}).obstacle, "");
  EXPECT_NE(joined({{numbers[1], F(numbers[0])}}).obstacle, "");
}

// f(0) is rewritten for ever in canonical form, and not as it is written.
TEST_F(JoinedModulo, OrdersPutArithmeticBelow) {
  const int k = bank.add_symbol("k", 1);
  const Term x = variables[0];
  const Rules rules{{bank.make(k, {x}), F(bank.make(minus, {x, x}))},
                    {F(numbers[0]), bank.make(k, {numbers[0]})}};
  EXPECT_NE(joined(rules).obstacle, "");
  EXPECT_EQ(joined({rules[0]}).obstacle, "");
}

}  // namespace
}  // namespace rhopsi::analysis
