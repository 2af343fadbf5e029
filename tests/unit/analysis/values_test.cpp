// Sizes of normal forms, and what guards say of them, against operations computed on numbers.
#include "engine/analysis/values.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rhopsi::analysis {
namespace {

// gt, le, and on numbers; quotients by 2, sums, predecessors; `w` may be either of its arguments.
class SizesOfValues : public testing::Test {
 protected:
  SizesOfValues() {
    for (const char* name : {"0", "t", "ff"}) symbols[name] = bank.add_symbol(name, 0);
    for (const char* name : {"s", "h", "p"}) symbols[name] = bank.add_symbol(name, 1);
    for (const char* name : {"gt", "and", "plus", "w"}) symbols[name] = bank.add_symbol(name, 2);
    x = bank.variable(bank.fresh_variable(0, "x"));
    y = bank.variable(bank.fresh_variable(0, "y"));
    const Term zero = make("0", {});
    const auto s = [&](Term term) { return make("s", {term}); };
    const auto rule = [&](Term left, Term right) { rules.push_back({left, right}); };
    rule(make("gt", {zero, y}), make("ff", {}));
    rule(make("gt", {s(x), zero}), make("t", {}));
    rule(make("gt", {s(x), s(y)}), make("gt", {x, y}));
    rule(make("and", {x, make("t", {})}), x);
    rule(make("and", {x, make("ff", {})}), make("ff", {}));
    rule(make("plus", {zero, y}), y);
    rule(make("plus", {s(x), y}), s(make("plus", {x, y})));
    rule(make("h", {zero}), zero);
    rule(make("h", {s(zero)}), zero);
    rule(make("h", {s(s(x))}), s(make("h", {x})));
    rule(make("p", {zero}), zero);
    rule(make("p", {s(x)}), x);
    rule(make("w", {x, y}), x);
    rule(make("w", {x, y}), y);
    guard = make("and", {make("gt", {x, y}), make("gt", {y, zero})});
  }

  Term make(const std::string& name, std::vector<Term> arguments) {
    return bank.make(symbols.at(name), arguments);
  }
  Values values(std::vector<Term> terms) {
    return Values(bank, rules, {symbols.at("t"), symbols.at("ff")}, terms);
  }
  // With numbers for x and y.
  std::int64_t at(const Linear& sum, std::int64_t for_x, std::int64_t for_y) const {
    std::int64_t out = sum.constant;
    for (const auto& [variable, factor] : sum.factors) {
      out += factor * (variable == bank.variable_of(x) ? for_x : for_y);
    }
    return out;
  }

  TermBank bank;
  std::map<std::string, int> symbols;
  Rules rules;
  Term x{};
  Term y{};
  Term guard{};
};

TEST_F(SizesOfValues, BoundsHoldForNumbers) {
  const Term sum = make("plus", {x, y});
  const Term half = make("h", {x});
  const Term before = make("p", {x});
  const Term either = make("w", {x, y});
  const Values known = values({sum, half, before, either});
  for (std::int64_t i = 0; i < 7; ++i) {
    for (std::int64_t k = 0; k < 7; ++k) {
      EXPECT_EQ(at(known.at_least(sum), i, k), i + k);
      EXPECT_EQ(at(known.at_most(sum).value(), i, k), i + k);
      EXPECT_LE(at(known.at_least(half), i, k), i / 2);
      EXPECT_GE(at(known.at_most(half).value(), i, k), i / 2);
      EXPECT_LE(at(known.at_least(before), i, k), std::max<std::int64_t>(i - 1, 0));
      EXPECT_EQ(at(known.at_most(before).value(), i, k), i);
      EXPECT_LE(at(known.at_least(either), i, k), std::min(i, k));
      EXPECT_GE(at(known.at_most(either).value(), i, k), std::max(i, k));
    }
  }
  EXPECT_TRUE(known.exact(make("s", {x})));
  EXPECT_FALSE(known.exact(make("s", {half})));
}

TEST_F(SizesOfValues, WhatAGuardSaysHoldsForNumbers) {
  const Values known = values({guard});
  const auto yes = known.if_root(guard, symbols.at("t"));
  ASSERT_FALSE(yes.empty());
  bool separates = false;  // x > y, and nothing less, for all that it was asked
  for (std::int64_t i = 0; i < 7; ++i) {
    for (std::int64_t k = 0; k < 7; ++k) {
      const bool holds = i > k && k > 0;
      for (const Linear& each : yes) {
        EXPECT_TRUE(!holds || at(each, i, k) >= 0) << i << " " << k;
        separates = separates || (i == k && at(each, i, k) < 0);
      }
    }
  }
  EXPECT_TRUE(separates);
  for (const Linear& each : known.if_root(guard, symbols.at("ff"))) {
    for (std::int64_t i = 0; i < 7; ++i) {
      for (std::int64_t k = 0; k < 7; ++k) {
        EXPECT_TRUE((i > k && k > 0) || at(each, i, k) >= 0) << i << " " << k;
      }
    }
  }
}

// A rule more, and nothing is said any longer.
TEST_F(SizesOfValues, AnOperationThatMayBeTrueAnywayIsNoGuard) {
  rules.push_back({make("gt", {x, y}), make("t", {})});
  rules.push_back({make("p", {x}), make("s", {make("plus", {x, x})})});
  const Values known = values({guard, make("p", {x})});
  EXPECT_TRUE(known.if_root(guard, symbols.at("t")).empty());
  const auto most = known.at_most(make("p", {x}));
  EXPECT_TRUE(!most || at(*most, 3, 0) >= 7);
}

}  // namespace
}  // namespace rhopsi::analysis
