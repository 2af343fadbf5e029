// Conditions that are instances of what a theory states.
#include <gtest/gtest.h>

#include "engine/rewrite/lemmas.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;

// Answers what it is told, and counts.
class Fixed final : public term::ConditionOracle {
 public:
  term::Verdict decide(const term::Store&, TermId, std::span<const TermId>,
                       const term::Interpretation&) override {
    return {answer, "other", ""};
  }
  Answer answer = Answer::unknown;
};

// 0 <= weight(a) where 1 <= a; weight(a) <= 9; and of valid nothing but valid(weight(a), a).
struct LemmaOracleTest : testing::Test, Algebra {
  const SymbolId n = variable("n");
  const SymbolId a = variable("a");
  const SymbolId weight = function("weight");
  const SymbolId valid = predicate("valid", {integer, integer});
  Fixed other;

  TermId le(TermId left, TermId right) { return make(less_equal, {left, right}); }
  TermId of(TermId term) { return make(weight, {term}); }

  std::vector<term::Lemma> lemmas() {
    return {{"positive", {a}, le(number(0), of(make(a))), le(number(1), make(a))},
            {"small", {a}, le(of(make(a)), number(9)), std::nullopt},
            {"valid", {a}, make(valid, {of(make(a)), make(a)}), std::nullopt}};
  }

  term::Verdict decide(TermId condition, std::vector<TermId> facts = {}) {
    rewrite::LemmaOracle oracle(store, other, lemmas());
    return oracle.decide(store, condition, facts, interpretation());
  }
};

TEST_F(LemmaOracleTest, InstancesAreProvedAsAssumed) {
  const term::Verdict verdict = decide(le(of(number(4)), number(9)));
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "lemma small");
  EXPECT_EQ(verdict.basis, term::Basis::assumed);
  ASSERT_EQ(verdict.lemmas.size(), 1U);
  EXPECT_EQ(verdict.lemmas[0].lemma, 1U);
  ASSERT_EQ(verdict.lemmas[0].binding.size(), 1U);
  EXPECT_EQ(text(verdict.lemmas[0].binding[0]), "4");
}

TEST_F(LemmaOracleTest, OtherBoundsAndOtherOperandsAreNoInstances) {
  EXPECT_EQ(decide(le(of(number(4)), number(10))).answer, Answer::unknown);
  EXPECT_EQ(decide(le(number(9), of(number(4)))).answer, Answer::unknown);
  EXPECT_EQ(decide(make(valid, {of(number(4)), number(4)})).answer, Answer::proved);
  EXPECT_EQ(decide(make(valid, {of(number(4)), number(5)})).answer, Answer::unknown);
}

TEST_F(LemmaOracleTest, TheConditionOfALemmaHasToHold) {
  const TermId condition = le(number(0), of(make(n)));
  EXPECT_EQ(decide(condition).answer, Answer::unknown);
  EXPECT_EQ(decide(condition).detail, "the lemma positive says so where `1 <= n`");
  EXPECT_EQ(decide(condition, {le(number(0), make(n))}).answer, Answer::unknown);
  EXPECT_EQ(decide(condition, {le(number(2), make(n))}).answer, Answer::proved);
  EXPECT_EQ(decide(le(number(0), of(number(0)))).answer, Answer::unknown);
}

TEST_F(LemmaOracleTest, EachPartNeedsAReason) {
  const TermId bounded = both(le(number(0), of(make(n))), le(of(make(n)), number(9)));
  const TermId positive = le(number(1), make(n));
  EXPECT_EQ(decide(bounded, {positive}).decider, "lemma positive, small");
  EXPECT_EQ(decide(both(bounded, le(make(n), number(5))), {positive}).answer, Answer::unknown);
  EXPECT_EQ(decide(both(positive, bounded)).answer, Answer::unknown);
  EXPECT_EQ(decide(both(positive, bounded), {le(number(3), make(n))}).lemmas.size(), 2U);
}

TEST_F(LemmaOracleTest, AreNotAskedWhereTheOtherKnows) {
  const TermId condition = le(of(number(4)), number(9));
  other.answer = Answer::proved;
  EXPECT_EQ(decide(condition).decider, "other");
  EXPECT_TRUE(decide(condition).lemmas.empty());
  other.answer = Answer::refuted;
  EXPECT_EQ(decide(condition).answer, Answer::refuted);
}

// What one part of a claim is proved by is told apart from another, though both have its name.
TEST_F(LemmaOracleTest, PartsOfOneClaimAreLemmasEach) {
  term::Theory theory;
  theory.axioms.push_back(
      axiom("bounded", {assertion(both(le(number(0), of(make(a))), le(of(make(a)), number(9))))}));
  const std::vector<term::Lemma> found = term::lemmas_of(store, theory);
  ASSERT_EQ(found.size(), 2U);
  rewrite::LemmaOracle oracle(store, other, found);
  const TermId condition = both(le(number(0), of(make(n))), le(of(make(n)), number(9)));
  const auto with = [&](TermId fact) {
    return oracle.decide(store, condition, std::vector<TermId>{fact}, interpretation());
  };
  EXPECT_EQ(with(le(number(3), make(n))).decider, "lemma bounded");
  const term::Verdict first = with(le(of(make(n)), number(3)));
  const term::Verdict second = with(le(number(3), of(make(n))));
  EXPECT_EQ(first.decider, second.decider);
  ASSERT_EQ(first.lemmas.size(), 1U);
  ASSERT_EQ(second.lemmas.size(), 1U);
  EXPECT_EQ(first.lemmas[0].lemma, 0U);
  EXPECT_EQ(second.lemmas[0].lemma, 1U);
}

}  // namespace
}  // namespace rhopsi::test
