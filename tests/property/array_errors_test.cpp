// Expressions without a value: where the oracle refuses an argument, so does everything else.
#include <gtest/gtest.h>

#include "tests/oracle/mutation.hpp"
#include "tests/property/array_agreement.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

using oracle::Inputs;
using oracle::Tree;

// What the oracle says: a value, a violated condition, or an element without value, which may go
// unnoticed.
struct Expected {
  std::optional<oracle::Array> value;
  bool violation = false;
};

Expected expected(const Tree& tree, const Inputs& inputs) {
  try {
    return {evaluate(tree, inputs), false};
  } catch (const oracle::ElementViolation&) {
    return {};
  } catch (const oracle::Violation&) {
    return {std::nullopt, true};
  }
}

// A fault of the program, or a limit, is no answer.
bool is_domain_error(const std::string& error) {
  for (const char* code : {"E0531", "E0608", "E0609", "E0612"}) {
    if (error.starts_with(code)) return true;
  }
  return false;
}

TEST(ArrayErrors, ViolatedConditionsAreErrorsEverywhere) {
  ArrayEvaluators evaluators;
  oracle::Suite suite(3);
  property::Choice choice(3);
  unsigned violated = 0;
  unsigned valid = 0;
  const Seeds numbers = expressions_of(3000, 3750);
  int failures = 0;
  for (unsigned number = 0; number < numbers.end && failures < 5; ++number) {
    const oracle::Case one = suite.next();
    const auto tree = oracle::mutated(one.tree, choice);
    if (!tree || number < numbers.begin) continue;
    const Expected wanted = expected(*tree, one.inputs);
    if (!wanted.value && !wanted.violation) continue;
    wanted.value ? ++valid : ++violated;
    const std::vector<std::pair<std::string, Outcome>> outcomes = {
        {"axioms", evaluators.by_axioms(*tree, one.inputs)},
        {"normal form", evaluators.by_normal_form(*tree, one.inputs)},
        {"normal form for all lengths", evaluators.by_normal_form(*tree, one.inputs, true)}};
    for (const auto& [name, outcome] : outcomes) {
      bool right = false;
      if (wanted.value) {
        right = outcome.value ? agrees(*tree, *wanted.value, *outcome.value)
                              : name != "axioms" && outcome.error.starts_with("E0531");
      } else {
        right = !outcome.value && is_domain_error(outcome.error);
      }
      if (right) continue;
      ++failures;
      ADD_FAILURE() << name << " of expression " << number << ": " << oracle::to_string(*tree)
                    << "\n"
                    << oracle::to_string(one.inputs) << "expected "
                    << (wanted.value ? oracle::to_string(*wanted.value) : "a domain error")
                    << "\nfound " << to_string(outcome);
    }
  }
  EXPECT_GT(violated, numbers.size() / 10);
  EXPECT_GT(valid, numbers.size() / 10);
}

// The value, or what is wrong, word for word.
std::string said(ArrayEvaluators& evaluators, const Tree& tree, const Inputs& inputs, bool symbolic,
                 const moa::Limits& limits, std::size_t& stored) {
  const auto plan = evaluators.plan(tree, inputs, symbolic, limits);
  if (!plan) return plan.error();
  stored += plan->stages.size() - 1;
  return to_string(evaluators.by_plan(*plan, inputs));
}

TEST(ArrayErrors, AreTheSameWhateverIsStored) {
  ArrayEvaluators evaluators;
  oracle::Suite suite(5);
  property::Choice choice(5);
  moa::Limits nothing;
  nothing.trials = 0;
  const Seeds numbers = expressions_of(1000, 2000);
  std::size_t stored = 0;
  std::size_t none = 0;
  unsigned errors = 0;
  int failures = 0;
  for (unsigned number = 0; number < numbers.end && failures < 5; ++number) {
    const oracle::Case one = suite.next();
    const auto tree = oracle::mutated(one.tree, choice);
    if (!tree || number < numbers.begin) continue;
    const bool symbolic = number % 2 == 0;
    const std::string plain = said(evaluators, *tree, one.inputs, symbolic, nothing, none);
    const std::string found =
        said(evaluators, *tree, one.inputs, symbolic, storing_everything(), stored);
    if (plain.starts_with("E06")) ++errors;
    if (plain == found) continue;
    ++failures;
    ADD_FAILURE() << "expression " << number << ": " << oracle::to_string(*tree) << "\n"
                  << oracle::to_string(one.inputs) << "as it is " << plain << "\nstored   "
                  << found;
  }
  EXPECT_EQ(none, 0U);
  EXPECT_GT(stored, numbers.size() / 8);
  EXPECT_GT(errors, numbers.size() / 20);
}

}  // namespace
}  // namespace rhopsi::property
