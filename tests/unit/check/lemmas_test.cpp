// Certificates whose conditions rest on lemmas, and what is wrong with changed ones.
#include <gtest/gtest.h>

#include "tests/unit/check/certificates.hpp"

namespace rhopsi::test {
namespace {

using check::Certificate;

// Three steps: of weight(n - 1) where 1 <= n - 1, of weight(n - 1) where n - 1 <= 0, of weight(m).
struct Lemmas : testing::Test {
  term::Store store;
  Certificate certificate;

  void SetUp() override {
    const std::string text = test::certificate("tests/unit/check/lemmas.mg", "After");
    auto read = check::read(store, text);
    ASSERT_TRUE(std::holds_alternative<Certificate>(read));
    certificate = std::move(std::get<Certificate>(read));
    ASSERT_EQ(steps().size(), 3U);
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

  std::size_t lemma(const std::string& name) {
    for (std::size_t i = 0; i < derivation().lemmas.size(); ++i) {
      if (derivation().lemmas[i].name == name) return i;
    }
    ADD_FAILURE() << "no lemma " << name;
    return 0;
  }

  void expect_flaw(const std::string& message) {
    const std::string found = flaw_of(check::write(store, certificate));
    EXPECT_NE(found.find(message), std::string::npos) << found;
  }
};

TEST_F(Lemmas, OfAllStepsAreNamedAndDecideThem) {
  check::Outcome outcome;
  EXPECT_EQ(flaw_of(check::write(store, certificate), &outcome), "");
  EXPECT_EQ(outcome.conditions, 3U);
  EXPECT_TRUE(outcome.trusted.empty());
  EXPECT_EQ(outcome.lemmas.size(), 3U);
  for (const check::Step* step : steps()) {
    EXPECT_EQ(step->decider, "lemma");
    EXPECT_EQ(step->basis, term::Basis::assumed);
    EXPECT_EQ(step->lemmas.size(), 2U);
  }
}

TEST_F(Lemmas, ThatStateAnotherThingAreRefused) {
  derivation().lemmas[lemma("above")].statement = derivation().lemmas[lemma("small")].statement;
  derivation().lemmas[lemma("above")].variables = derivation().lemmas[lemma("small")].variables;
  derivation().lemmas[lemma("above")].condition.reset();
  expect_flaw("of the lemma small, is no part of the condition");
}

TEST_F(Lemmas, OfOnePartAloneAreRefused) {
  steps()[0]->lemmas[0].lemma = lemma("small");
  expect_flaw("of the lemma small, is no part of the condition, or one with a lemma before it");
}

TEST_F(Lemmas, WhoseOwnConditionIsFalseAreRefused) {
  check::LemmaUse& use = steps()[0]->lemmas[0];
  ASSERT_EQ(use.lemma, lemma("above"));
  use.lemma = lemma("below");
  expect_flaw("the condition of the lemma below is false there: `n - 1 <= 0`");
}

TEST_F(Lemmas, OfOtherValuesAreRefused) {
  steps()[0]->lemmas[0].binding = steps()[2]->lemmas[0].binding;
  expect_flaw("of the lemma above, is no part of the condition");
}

TEST_F(Lemmas, OfTooManyValuesAreRefused) {
  check::LemmaUse& use = steps()[0]->lemmas[0];
  use.binding.push_back(use.binding[0]);
  expect_flaw("the lemma above has another number of variables");
}

TEST_F(Lemmas, ThatDoNotExistAreRefused) {
  steps()[0]->lemmas[0].lemma = derivation().lemmas.size();
  expect_flaw("lemma");
}

// What another decider is said to have decided is not decided by a lemma.
TEST_F(Lemmas, AreNeededByTheirDeciderAlone) {
  steps()[0]->decider = "interval";
  expect_flaw("go together");
}

// A part that no lemma is about any more is open again, and is listed or asked for.
TEST_F(Lemmas, ThatAreMissingLeaveTheConditionOpen) {
  steps()[0]->lemmas.pop_back();
  check::Outcome outcome;
  EXPECT_EQ(flaw_of(check::write(store, certificate), &outcome), "");
  ASSERT_EQ(outcome.trusted.size(), 1U);
  EXPECT_EQ(outcome.trusted[0].decider, "lemma");
  EXPECT_EQ(outcome.trusted[0].condition, "0 <= weight(n - 1) && weight(n - 1) <= 1000");
}

}  // namespace
}  // namespace rhopsi::test
