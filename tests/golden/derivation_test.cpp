// The counts of the paper's reduction to the denotational normal form.
#include "engine/rewrite/derivation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi {
namespace {

// The last transformation that led to a module.
std::shared_ptr<const term::Derivation> last_derivation(support::Specification& specification,
                                                        const std::string& module) {
  const auto theory = specification.module(module);
  if (!theory || theory->derivations.empty()) return nullptr;
  return theory->derivations.back().derivation;
}

TEST(Derivation, TheNormalFormTakesThirtyThreeStepsInFifteenPasses) {
  support::Specification paper(exec::source("specs/burgers/paper.mg"));
  const auto derivation = last_derivation(paper, "DNF");
  ASSERT_NE(derivation, nullptr);
  EXPECT_EQ(derivation->kind, "rewrite");

  std::uint64_t pushes = 0;
  std::uint64_t rotations = 0;
  for (const auto& [rule, count] : derivation->applications) {
    (rule == "rotateRule" ? rotations : pushes) += count;
    EXPECT_TRUE(rule == "rotateRule" || rule.ends_with("ArrayRule") || rule.ends_with("ScalarRule"))
        << rule;
  }
  EXPECT_EQ(pushes, 21U);
  EXPECT_EQ(rotations, 12U);

  std::uint64_t passes = 0;
  std::uint64_t steps = 0;
  for (const term::CallableRun& run : derivation->runs) {
    EXPECT_EQ(run.stop, term::CallableRun::Stop::normal_form);
    if (run.steps == 0) continue;
    EXPECT_EQ(paper.store()[run.callable].name, "substepIx");
    passes += run.passes;
    steps += run.steps;
  }
  EXPECT_EQ(passes, 15U);
  EXPECT_EQ(steps, 33U);
}

TEST(Derivation, PassesTakeTheFirstRuleByName) {
  support::Specification paper(exec::source("specs/burgers/paper.mg"));
  const auto derivation = last_derivation(paper, "DNF");
  ASSERT_NE(derivation, nullptr);
  ASSERT_EQ(derivation->steps.size(), 33U);
  std::uint64_t pass = 0;
  std::string rule;
  for (const term::Step& step : derivation->steps) {
    EXPECT_TRUE(step.applied);
    EXPECT_TRUE(step.pass == pass || step.pass == pass + 1);
    if (step.pass == pass) {
      EXPECT_EQ(step.rule, rule) << "two rules in pass " << pass;
    }
    pass = step.pass;
    rule = step.rule;
  }
  EXPECT_EQ(pass, 15U);
  // The body is one addition of arrays, so that its rule comes first.
  EXPECT_EQ(derivation->steps.front().rule, "addArrayRule");
}

// A modulo goes away for every rotated access, and each had its condition proved.
TEST(Derivation, EveryModuloIsEliminatedByAProof) {
  support::Specification paper(exec::source("specs/burgers/paper.mg"));
  const auto derivation = last_derivation(paper, "3DPadded");
  ASSERT_NE(derivation, nullptr);
  // One rule for each axis, for two accesses of the diffusion and two of the advection.
  EXPECT_EQ(derivation->applications,
            (std::map<std::string, std::uint64_t>{{"eliminateModuloPaddingRule#1", 4},
                                                  {"eliminateModuloPaddingRule#2", 4},
                                                  {"eliminateModuloPaddingRule#3", 4}}));
  for (const term::Step& step : derivation->steps) {
    EXPECT_TRUE(step.applied);
    EXPECT_TRUE(step.condition.has_value());
  }
  EXPECT_EQ(paper.callable("3DPadded", "substepIx3D").find('%'), std::string::npos);
}

}  // namespace
}  // namespace rhopsi
