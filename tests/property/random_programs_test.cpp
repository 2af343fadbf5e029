// Random programs through check, rewrite and the reference evaluator.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/check/replay.hpp"
#include "engine/rewrite/derivation.hpp"
#include "frontend/driver/certificate.hpp"
#include "tests/exec/process.hpp"
#include "tests/property/random_program.hpp"
#include "tests/property/seeds.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::property {
namespace {

class RandomPrograms : public testing::TestWithParam<unsigned> {
 protected:
  RandomPrograms()
      : random(random_program(GetParam())),
        file(folder.write(random.package + ".mg", random.text)) {}

  support::Inputs inputs() const {
    support::Inputs result;
    result.shape = random.shape;
    result.seed = random.seed;
    result.parameters = random.parameters;
    result.numbers = random.numbers;
    result.integers = random.integers;
    return result;
  }

  exec::Folder folder;
  RandomProgram random;
  std::string file;
};

std::uint64_t steps_of(const term::Derivation& derivation) {
  std::uint64_t steps = 0;
  for (const term::CallableRun& run : derivation.runs) steps += run.steps;
  return steps;
}

TEST_P(RandomPrograms, AreAccepted) {
  support::Specification specification(file);
  EXPECT_EQ(specification.problems(), "") << random.description();
}

TEST_P(RandomPrograms, KeepTheirValuesToTheBit) {
  support::Specification specification(file);
  const auto base = specification.module("Base");
  ASSERT_NE(base, nullptr) << random.description();
  const support::Outputs expected = evaluate(specification, *base, "step", inputs());
  ASSERT_EQ(expected.error, "") << random.description();
  for (const std::string& name : random.derived) {
    const auto program = specification.module(name);
    ASSERT_NE(program, nullptr) << random.description();
    const support::Outputs outputs = evaluate(specification, *program, "step", inputs());
    ASSERT_EQ(outputs.error, "") << name << ", " << random.description();
    ASSERT_EQ(support::first_difference(expected, outputs), "")
        << name << ", " << random.description();
  }
}

// A normal form is one: no rule is left to apply, and no operation on whole arrays.
TEST_P(RandomPrograms, HaveNormalForms) {
  support::Specification specification(file);
  const auto program = specification.module("Again");
  ASSERT_NE(program, nullptr) << random.description();
  const auto& derivations = program->derivations;
  ASSERT_GE(derivations.size(), 2U);
  const term::Derivation& again = *derivations.back();
  const term::Derivation& first = *derivations[derivations.size() - 2];
  for (const term::CallableRun& run : first.runs) {
    EXPECT_EQ(run.stop, term::CallableRun::Stop::normal_form) << random.description();
  }
  EXPECT_EQ(steps_of(again), 0U) << random.description();
  const std::string element = specification.callable("DNF", "k0Ix");
  EXPECT_EQ(element.find("rotate("), std::string::npos) << element << random.description();
}

// The checker finds every step as the rewriter has made it.
TEST_P(RandomPrograms, HaveDerivationsThatAreReplayed) {
  support::Specification specification(file);
  for (const std::string& name : random.derived) {
    const auto program = specification.module(name);
    ASSERT_NE(program, nullptr) << random.description();
    const std::string text = driver::certificate_of(specification.session(), *program, file);
    term::Store store;
    const auto read = check::read(store, text);
    const auto* certificate = std::get_if<check::Certificate>(&read);
    ASSERT_NE(certificate, nullptr) << name << ", " << random.description();
    const check::Outcome outcome = check::replay(store, *certificate);
    ASSERT_FALSE(outcome.flaw) << name << ": " << outcome.flaw->place << ": "
                               << outcome.flaw->message << ", " << random.description();
    std::uint64_t steps = 0;
    for (const auto& derivation : program->derivations) {
      if (derivation->kind == "rewrite") steps += steps_of(*derivation);
    }
    EXPECT_EQ(outcome.steps, steps) << name << ", " << random.description();
  }
}

// What is printed is accepted, has the same declarations, and computes the same.
TEST_P(RandomPrograms, SurvivePrinting) {
  support::Specification specification(file);
  std::vector<std::string> names = random.derived;
  names.push_back("Base");
  for (const std::string& name : names) {
    ASSERT_EQ(support::reprinting_problem(specification, name, folder.path()), "")
        << random.description();
  }
  const std::string last = random.derived.back();
  const auto program = specification.module(last);
  support::Specification again(folder / (last + ".mg"));
  const auto read = again.module(last);
  ASSERT_TRUE(program && read);
  EXPECT_EQ(support::first_difference(evaluate(specification, *program, "step", inputs()),
                                      evaluate(again, *read, "step", inputs())),
            "")
      << random.description();
}

const Seeds programs = seeds(60, 150);
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms,
                         testing::Range(1 + programs.begin, 1 + programs.end));

// The programs are what the tests above claim to cover.
TEST(RandomProgramsCover, RanksAndForms) {
  std::vector<int> ranks(7);
  const std::vector<std::string> forms = {"rotate(rotate(", " for i",      "iterate",     "var t",
                                          "{ var w",        "if ",         "abs(",        "(-",
                                          "max(",           "everywhere(", "NestedPadded"};
  std::vector<int> found(forms.size());
  for (unsigned seed = 1; seed < 61; ++seed) {
    const RandomProgram random = random_program(seed);
    ++ranks[std::size_t(random.rank)];
    for (std::size_t i = 0; i < forms.size(); ++i) {
      found[i] += random.text.find(forms[i]) != std::string::npos ? 1 : 0;
    }
  }
  for (int rank = 1; rank <= 6; ++rank) EXPECT_GE(ranks[std::size_t(rank)], 4) << "rank " << rank;
  for (std::size_t i = 0; i < forms.size(); ++i) EXPECT_GE(found[i], 4) << forms[i];
}

TEST(RandomProgramsCover, TheSameSeedGivesTheSameText) {
  EXPECT_EQ(random_program(7).text, random_program(7).text);
  EXPECT_NE(random_program(7).text, random_program(8).text);
}

}  // namespace
}  // namespace rhopsi::property
