// A changed byte of a certificate is found.
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/check/certificates.hpp"

namespace rhopsi::test {
namespace {

// Another byte in that place: a digit becomes another digit most of the time, so that the text
// stays well-formed and the checker, not the reader, has to find it.
char other(char byte, std::mt19937& random) {
  if (byte >= '0' && byte <= '9' && random() % 4 != 0) {
    return static_cast<char>('0' + (byte - '0' + 1 + random() % 9) % 10);
  }
  return static_cast<char>(byte ^ (1U << (random() % 7)));
}

TEST(CertificateMutation, EveryChangedByteIsFoundByTheDigest) {
  const std::string text = certificate("specs/smooth/smooth.mg", "DNF");
  ASSERT_EQ(flaw_of(text), "");
  std::mt19937 random(20261);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = text;
    const std::size_t at = random() % text.size();
    changed[at] = other(changed[at], random);
    if (changed == text) continue;
    EXPECT_NE(flaw_of(changed), "") << "byte " << at << " became " << changed[at];
  }
}

// Whatever stands in it, reading and checking come to an end.
TEST(CertificateMutation, ChangedTextsAreReadWithoutHarm) {
  const std::string text = certificate("specs/burgers/burgers.mg", "3DPadded");
  std::mt19937 random(20263);
  int accepted = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string changed = text;
    for (int count = 1 + static_cast<int>(random() % 3); count > 0; --count) {
      const std::size_t at = random() % text.size();
      changed[at] = other(changed[at], random);
    }
    const auto fitting = check::sealed(changed);
    if (fitting && flaw_of(*fitting).empty()) ++accepted;
  }
  // Names, places and what no step needs may be others; most of a text is not that.
  EXPECT_LT(accepted, 750);
}

// Where somebody has made the digest fit, what the steps say still has to hold.
class StepMutation : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(StepMutation, AChangedByteOfAStepIsFoundWithoutTheDigest) {
  const std::string text = certificate(GetParam().first, GetParam().second);
  ASSERT_EQ(flaw_of(text), "");
  const std::string same = rewritten(text);
  std::vector<std::size_t> places;
  for (std::size_t begin = text.find("\"passes\":["); begin != std::string::npos;
       begin = text.find("\"passes\":[", begin + 1)) {
    const std::size_t end = text.find("]}]}", begin);
    for (std::size_t at = begin; at < end; ++at) places.push_back(at);
  }
  ASSERT_FALSE(places.empty());
  std::mt19937 random(20262);
  int found_by_checker = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string changed = text;
    const std::size_t at = places[random() % places.size()];
    changed[at] = other(changed[at], random);
    if (changed == text) continue;
    const auto fitting = check::sealed(changed);
    ASSERT_TRUE(fitting.has_value());
    const std::string flaw = flaw_of(*fitting);
    if (flaw.find("].passes[") != std::string::npos && flaw.find(".steps") != std::string::npos) {
      ++found_by_checker;
    }
    if (flaw.empty()) {
      EXPECT_EQ(rewritten(*fitting), same) << "byte " << at << " became " << changed[at] << ": "
                                           << text.substr(at < 60 ? 0 : at - 60, 120);
    }
  }
  EXPECT_GT(found_by_checker, 300);
}

// A fact takes no solver: what a step does not rest on is no fact of its place, and what is made of
// facts by connectives is decided here.
TEST(CertificateMutation, AFactThatTheStepDoesNotRestOnIsNone) {
  const std::string text = certificate("tests/unit/check/facts.mg", "After");
  check::Outcome outcome;
  ASSERT_EQ(flaw_of(text, &outcome), "");
  EXPECT_TRUE(outcome.trusted.empty());
  EXPECT_EQ(outcome.conditions, 5U);
  for (const std::string basis : {"assumed", "entry check"}) {
    const std::string fact = "\"decider\":\"fact\",\"basis\":\"";
    const std::size_t at = text.find(fact + basis + "\"");
    ASSERT_NE(at, std::string::npos) << basis;
    std::string changed = text;
    changed.replace(at + fact.size(), basis.size(), "context");
    const std::string flaw = flaw_of(*check::sealed(changed));
    EXPECT_NE(flaw.find("does not follow from the facts"), std::string::npos) << flaw;
  }
}

// The checker follows assignments as the rewriter does, and sees where one is put in the way.
TEST(CertificateMutation, AFactIsAboutTheValueThatAVariableHadThere) {
  const std::string text = certificate("tests/unit/check/assignments.mg", "After");
  check::Outcome outcome;
  ASSERT_EQ(flaw_of(text, &outcome), "");
  EXPECT_TRUE(outcome.trusted.empty());
  EXPECT_EQ(outcome.steps, 11U);
  EXPECT_EQ(outcome.conditions, 11U);
}

// Of variables that are assigned, and beside facts that no number tells, no numbers are tried: the
// oracle is asked what the condition follows from.
TEST(CertificateMutation, ABasisThatSaysTooLittleIsFoundByAsking) {
  const std::string text = certificate("tests/unit/check/bases.mg", "After");
  rewrite::IntervalOracle oracle;
  std::size_t flaws = 0;
  for (const bool limited : {false, true}) {
    check::ReplayOptions options{&oracle};
    std::size_t given_up = 0;
    if (limited) options.given_up = [&] { return ++given_up; };
    EXPECT_EQ(flaw_of(text, nullptr, options), "");
    const std::string basis = "\"basis\":\"entry check\"";
    for (std::size_t at = text.find(basis); at != std::string::npos;
         at = text.find(basis, at + 1)) {
      std::string changed = text;
      changed.replace(at, basis.size(), "\"basis\":\"context\"");
      const std::string flaw = flaw_of(*check::sealed(changed), nullptr, options);
      if (limited) {  // what was left open for want of time shows nothing
        EXPECT_EQ(flaw.find("but with an entry check"), std::string::npos) << flaw;
        continue;
      }
      EXPECT_NE(flaw, "");
      if (flaw.find("but with an entry check") != std::string::npos) ++flaws;
    }
  }
  EXPECT_GE(flaws, 1U);  // the others are refuted
}

// What the checker's arithmetic leaves open is tried on numbers with the facts that the step rests
// on: less than it needs is found without the solver that decided it.
TEST(CertificateMutation, AConditionThatNeedsMoreThanItRestsOnIsFalseForNumbers) {
  const std::string text = certificate("tests/unit/check/squares.mg", "After");
  check::Outcome outcome;
  ASSERT_EQ(flaw_of(text, &outcome), "");
  ASSERT_EQ(outcome.trusted.size(), 1U);
  EXPECT_EQ(outcome.trusted[0].decider, "Z3");
  const std::string basis = "\"basis\":\"";
  const std::size_t at = text.find(basis + "entry check\"");
  ASSERT_NE(at, std::string::npos);
  std::string changed = text;
  changed.replace(at + basis.size(), std::string("entry check").size(), "context");
  const std::string flaw = flaw_of(*check::sealed(changed));
  EXPECT_NE(flaw.find("does not follow from what the step rests on: it is false for k = "),
            std::string::npos)
      << flaw;
}

// Where the program begins and ends. What nothing looks at may be another: which variable stands
// for a parameter that no body and no guard mentions.
TEST_P(StepMutation, AChangedByteOfABeginningOrAnEndIsFoundWithoutTheDigest) {
  const std::string text = certificate(GetParam().first, GetParam().second);
  ASSERT_EQ(flaw_of(text), "");
  std::vector<std::size_t> places;
  for (const char* const list : {"\"begins\":[", "\"ends\":["}) {
    const std::size_t begin = text.find(list) + std::string(list).size();
    for (std::size_t at = begin; at < text.find("}]", begin); ++at) places.push_back(at);
  }
  std::mt19937 random(20264);
  int found_by_checker = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string changed = text;
    const std::size_t at = places[random() % places.size()];
    changed[at] = other(changed[at], random);
    const auto fitting = check::sealed(changed);
    ASSERT_TRUE(fitting.has_value());
    const std::string flaw = flaw_of(*fitting);
    const bool at_link = flaw.starts_with("derivations[") || flaw.starts_with("ends");
    if (at_link && flaw.find("].passes[") == std::string::npos) ++found_by_checker;
    if (flaw.empty() && rewritten(*fitting) != rewritten(text)) {
      const std::string before = text.substr(0, at);
      EXPECT_GT(before.rfind("\"parameters\":["), before.rfind("\"callable\":"))
          << "byte " << at << " became " << changed[at] << ": "
          << text.substr(at < 60 ? 0 : at - 60, 120);
    }
  }
  EXPECT_GT(found_by_checker, 50);
}

INSTANTIATE_TEST_SUITE_P(Programs, StepMutation,
                         testing::Values(std::pair{"specs/smooth/smooth.mg", "DNF"},
                                         std::pair{"specs/burgers/burgers.mg", "3DPadded"},
                                         std::pair{"specs/matrix_chain/matrix_chain.mg",
                                                   "DevProgram"},
                                         std::pair{"tests/unit/check/lemmas.mg", "After"},
                                         std::pair{"tests/unit/check/sequences.mg", "Shared"},
                                         std::pair{"tests/unit/check/shapes.mg", "Rewritten"}));

}  // namespace
}  // namespace rhopsi::test
