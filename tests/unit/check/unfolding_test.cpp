// Certificates whose conditions were decided with shapes put in, and what is wrong with changed
// ones.
#include <gtest/gtest.h>

#include "tests/unit/check/certificates.hpp"

namespace rhopsi::test {
namespace {

using check::Certificate;

struct Unfoldings : testing::Test {
  term::Store store;
  Certificate certificate;

  void SetUp() override {
    const std::string text = test::certificate("tests/unit/check/shapes.mg", "Rewritten");
    auto read = check::read(store, text);
    ASSERT_TRUE(std::holds_alternative<Certificate>(read));
    certificate = std::move(std::get<Certificate>(read));
    ASSERT_EQ(steps().size(), 7U);
  }

  check::Derivation& derivation() { return certificate.derivations.at(0); }

  std::vector<check::Step*> steps() {
    std::vector<check::Step*> found;
    for (check::Run& run : derivation().runs) {
      for (check::Pass& pass : run.passes) {
        for (check::Step& step : pass.steps) found.push_back(&step);
      }
    }
    return found;
  }

  // The first unfolding of a step of `callable` that stands for what begins so.
  check::Unfolding& unfolding(const std::string& callable, const std::string& before) {
    for (check::Run& run : derivation().runs) {
      if (store[run.callable].name != callable) continue;
      for (check::Unfolding& each : run.passes.at(0).steps.at(0).unfoldings) {
        if (to_string(store, each.before).starts_with(before)) return each;
      }
    }
    throw std::runtime_error("no unfolding of " + before);
  }

  void expect_flaw(const std::string& message) {
    const std::string found = flaw_of(check::write(store, certificate));
    EXPECT_NE(found.find(message), std::string::npos) << found;
  }
};

TEST_F(Unfoldings, AreFollowed) {
  check::Outcome outcome;
  EXPECT_EQ(flaw_of(check::write(store, certificate), &outcome), "");
  EXPECT_EQ(outcome.conditions, 7U);
  // Of `abs` the checker knows nothing: what the condition has become is told.
  ASSERT_EQ(outcome.trusted.size(), 1U);
  EXPECT_EQ(outcome.trusted[0].condition, "at(shape(u), 0) - abs(at(shape(u), 0) - 1) <= 1");
  for (const check::Step* step : steps()) EXPECT_FALSE(step->unfoldings.empty());
}

TEST_F(Unfoldings, ByAnotherAxiomAreRefused) {
  check::Unfolding& changed = unfolding("first", "shape(take(");
  ASSERT_TRUE(changed.axiom.has_value());
  changed.axiom = unfolding("row", "dim(").axiom;
  expect_flaw("dimDefinition");
}

TEST_F(Unfoldings, ByAnAxiomWithAConditionAreRefused) {
  derivation().axioms[*unfolding("first", "shape(take(").axiom].condition = *steps()[0]->condition;
  expect_flaw("holds under a condition");
}

TEST_F(Unfoldings, ToSomethingElseAreRefused) {
  check::Unfolding& changed = unfolding("first", "at(forall");
  changed.after = store.children(changed.before)[1];
  expect_flaw("by what vectors are");
}

// The other branch of what the guard decides.
TEST_F(Unfoldings, ToTheWrongBranchAreRefused) {
  check::Unfolding& changed = unfolding("first", "if ");
  const auto parts = store.children(changed.before);
  changed.after = changed.after == parts[1] ? parts[2] : parts[1];
  expect_flaw("which is false there");
}

// Only a number has no axes.
TEST_F(Unfoldings, OfWhatIsNoNumberAreRefused) {
  check::Unfolding& changed = unfolding("twice", "shape(2.0)");
  ASSERT_FALSE(changed.axiom.has_value());
  changed.before = unfolding("first", "shape(take(").before;
  expect_flaw("by what vectors are");
}

// Without them the condition is what it was: open, and no constant.
TEST_F(Unfoldings, AreNeeded) {
  for (check::Step* step : steps()) step->unfoldings.clear();
  expect_flaw("the condition is no constant");
}

}  // namespace
}  // namespace rhopsi::test
