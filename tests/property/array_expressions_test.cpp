// Random array expressions: what the axioms say operation by operation, what the normal form
// computes, and what the oracle computes, are the same.
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "tests/property/array_agreement.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

using oracle::Case;
using oracle::Inputs;
using oracle::Tree;

constexpr unsigned seed = 1;
constexpr unsigned shares = 4;  // tests, so that they run beside each other

Evaluation by_axioms() {
  return {
      "the axioms",
      [](const Tree& tree, const Inputs& inputs) { return evaluators().by_axioms(tree, inputs); },
      {}};
}

// What is unknown is the number of axes, which a normal form needs. Where lengths are not known
// nothing large is stored, and what is sorted twice is compared again for each element.
Evaluation by_normal_form(bool symbolic) {
  return {symbolic ? "the normal form for all lengths" : "the normal form",
          [symbolic](const Tree& tree, const Inputs& inputs) {
            return evaluators().by_normal_form(tree, inputs, symbolic);
          },
          [symbolic](const Tree& tree, const std::string& error) {
            const bool long_ = symbolic && error.starts_with("E0616");
            return long_ || (error.starts_with("E0531") && has_unknown_rank(tree, symbolic));
          }};
}

// Each subterm that can be an array of its own is one.
Evaluation by_stages(std::size_t& stored) {
  return {"the normal forms of all subterms",
          [&stored](const Tree& tree, const Inputs& inputs) {
            const bool symbolic = inputs.size() % 2 == 1;
            const auto plan = evaluators().plan(tree, inputs, symbolic, storing_everything());
            if (!plan) return Outcome{std::nullopt, plan.error()};
            stored += plan->stages.size() - 1;
            return evaluators().by_plan(*plan, inputs);
          },
          [](const Tree& tree, const std::string& error) {
            return error.starts_with("E0531") && has_unknown_rank(tree, true);
          }};
}

class ArrayExpressions : public testing::TestWithParam<unsigned> {};

TEST_P(ArrayExpressions, MeanTheSameByAxiomsByNormalFormAndByTheOracle) {
  const Seeds numbers = expressions_of(10'000, 12'500);
  const std::vector<Evaluation> evaluations = {by_axioms(), by_normal_form(false),
                                               by_normal_form(true)};
  oracle::Suite suite(seed);
  std::map<std::string, unsigned> declined;
  int failures = 0;
  for (unsigned number = 0; number < numbers.end; ++number) {
    const Case one = suite.next();
    if (number < numbers.begin || number % shares != GetParam()) continue;
    for (const Evaluation& evaluation : evaluations) {
      const Verdict found = verdict(evaluation, one.tree, one.inputs, one.value);
      if (found == Verdict::declined) ++declined[evaluation.name];
      if (found != Verdict::disagreed) continue;
      ADD_FAILURE() << report(evaluation, one);
      ASSERT_LT(++failures, 5) << "and so on";
    }
  }
  // Of a small part of the expressions the shares that are declined say little.
  if (part != 1) return;
  const unsigned compared = numbers.size() / shares;
  EXPECT_LT(declined[evaluations[1].name], compared / 20);
  EXPECT_LT(declined[evaluations[2].name], compared / 5);
}

INSTANTIATE_TEST_SUITE_P(Shares, ArrayExpressions, testing::Range(0U, shares));

TEST(ArrayStages, MeanWhatTheExpressionMeans) {
  std::size_t stored = 0;
  const Evaluation evaluation = by_stages(stored);
  oracle::Suite suite(seed + 1);
  const Seeds numbers = expressions_of(2000, 2600);
  int failures = 0;
  for (unsigned number = 0; number < numbers.end; ++number) {
    const Case one = suite.next();
    if (number < numbers.begin) continue;
    if (verdict(evaluation, one.tree, one.inputs, one.value) != Verdict::disagreed) continue;
    ADD_FAILURE() << report(evaluation, one);
    ASSERT_LT(++failures, 5) << "and so on";
  }
  std::cout << stored << " stored subterms\n";
  EXPECT_GT(stored, numbers.size() / 4);
}

// Of the same expressions.
TEST(ArrayExpressionPairs, AreMetAll) {
  oracle::Suite suite(seed);
  for (unsigned number = 0; number < 10'000; ++number) suite.next();
  std::cout << suite.coverage().table();
  std::string missing;
  for (const oracle::Pair& pair : suite.coverage().missing()) missing += to_string(pair) + "\n";
  EXPECT_EQ(missing, "");
  EXPECT_TRUE(suite.coverage().missing_operations().empty());
}

}  // namespace
}  // namespace rhopsi::property
