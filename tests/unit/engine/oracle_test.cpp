#include <limits>

#include <gtest/gtest.h>

#include "engine/rewrite/evaluate.hpp"
#include "tests/unit/engine/algebra.hpp"
#include "tests/unit/engine/random_conditions.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;

struct OracleTest : testing::Test, Algebra {
  const SymbolId i = variable("i");
  const SymbolId o = variable("o");
  const SymbolId s = variable("s");
  const SymbolId shape = function("shape0", 0);

  TermId le(TermId left, TermId right) { return make(less_equal, {left, right}); }
  TermId lt(TermId left, TermId right) { return make(less, {left, right}); }
  TermId within(TermId low, TermId middle, TermId high) {
    return both(le(low, middle), lt(middle, high));
  }
  TermId plus(TermId left, TermId right) { return make(add, {left, right}); }
  TermId mod(TermId left, TermId right) { return make(modulo, {left, right}); }

  term::Verdict decide(TermId condition, std::vector<TermId> facts = {}) {
    return oracle.decide(store, condition, facts, interpretation());
  }
  Answer answer(TermId condition, std::vector<TermId> facts = {}) {
    return decide(condition, std::move(facts)).answer;
  }
};

TEST_F(OracleTest, ComparesWithFacts) {
  const TermId inside = within(number(0), make(i), make(shape));
  const auto verdict = decide(inside, {le(number(0), make(i)), lt(make(i), make(shape))});
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "fact");
  EXPECT_EQ(answer(inside, {inside}), Answer::proved);
  // A predicate without a meaning.
  const SymbolId valid = predicate("valid", {integer});
  EXPECT_EQ(decide(make(valid, {make(i)}), {make(valid, {make(i)})}).decider, "fact");
  EXPECT_EQ(answer(make(valid, {make(i)}), {make(valid, {make(o)})}), Answer::unknown);
}

TEST_F(OracleTest, CountsTheComponentsOfVectorsThatAreWrittenOut) {
  const SortId index = store.sort("Index");
  const SymbolId len = meaning(function("len", {index}, integer), Arithmetic::length);
  const TermId pair = control(Control::vector_, index, {make(i), number(3)});
  const TermId length = make(len, {pair});
  EXPECT_EQ(decide(lt(number(1), length)).decider, "constant");
  EXPECT_EQ(answer(lt(number(1), length)), Answer::proved);
  EXPECT_EQ(answer(le(length, number(1))), Answer::refuted);
  EXPECT_EQ(answer(le(make(i), length), {lt(make(i), number(3))}), Answer::proved);
  EXPECT_EQ(answer(le(make(i), length), {lt(make(i), number(4))}), Answer::refuted);
  const TermId unknown = make(len, {make(store.fresh_variable("p", index, false))});
  EXPECT_EQ(answer(le(unknown, number(5))), Answer::unknown);
  EXPECT_EQ(answer(le(unknown, number(5)), {le(unknown, number(4))}), Answer::proved);
}

TEST_F(OracleTest, FoldsConstantsThroughDefinitions) {
  const SymbolId one = function("one", 0);
  const SymbolId pad = function("pad", 0);
  definitions[one] = number(1);
  definitions[pad] = make(one);
  const auto padded = [&](TermId offset) {
    return both(le(make(negate, {make(pad)}), offset), le(offset, make(pad)));
  };
  const auto verdict = decide(padded(make(negate, {make(one)})));
  EXPECT_EQ(verdict.answer, Answer::proved);
  EXPECT_EQ(verdict.decider, "constant");
  EXPECT_EQ(answer(padded(number(-1))), Answer::proved) << decide(padded(number(-1))).detail;
  const auto refuted = decide(padded(number(-2)));
  EXPECT_EQ(refuted.answer, Answer::refuted);
  EXPECT_NE(refuted.detail.find("pad() = 1"), std::string::npos) << refuted.detail;
  const auto open = decide(le(make(negate, {make(pad)}), make(o)), {le(make(o), number(-2))});
  EXPECT_EQ(open.answer, Answer::refuted);
  EXPECT_EQ(open.detail, "o = -2, pad() = 1, one() = 1");
}

TEST_F(OracleTest, EvaluatesArithmetic) {
  const auto value = [&](TermId term) {
    return rewrite::evaluate(store, interpretation(), term, {{i, 7}, {o, -3}}).value_or(-99);
  };
  const TermId a = make(i);
  const TermId b = make(o);
  EXPECT_EQ(value(make(add, {a, b})), 4);
  EXPECT_EQ(value(make(subtract, {a, b})), 10);
  EXPECT_EQ(value(make(multiply, {a, b})), -21);
  EXPECT_EQ(value(make(negate, {a})), -7);
  EXPECT_EQ(value(make(absolute, {b})), 3);
  EXPECT_EQ(value(make(minimum, {a, b})), -3);
  EXPECT_EQ(value(make(maximum, {a, b})), 7);
  EXPECT_EQ(value(make(divide, {b, number(2)})), -2);
  EXPECT_EQ(value(make(modulo, {b, number(2)})), 1);
  EXPECT_EQ(value(lt(a, b)), 0);
  EXPECT_EQ(value(lt(b, a)), 1);
  EXPECT_EQ(value(le(a, a)), 1);
  EXPECT_EQ(value(choose(lt(a, b), a, b)), -3);
  EXPECT_EQ(value(make(s)), -99);
}

TEST_F(OracleTest, DivisionIsEuclidean) {
  const auto divided = [&](std::int64_t a, std::int64_t b) {
    return make(divide, {number(a), number(b)});
  };
  const auto rest = [&](std::int64_t a, std::int64_t b) { return mod(number(a), number(b)); };
  for (const auto& [a, b, q, r] : std::vector<std::array<std::int64_t, 4>>{{7, 3, 2, 1},
                                                                           {-7, 3, -3, 2},
                                                                           {7, -3, -2, 1},
                                                                           {-7, -3, 3, 2},
                                                                           {6, -3, -2, 0},
                                                                           {0, 5, 0, 0}}) {
    EXPECT_EQ(answer(equal(divided(a, b), number(q))), Answer::proved) << a << " / " << b;
    EXPECT_EQ(answer(equal(rest(a, b), number(r))), Answer::proved) << a << " % " << b;
  }
  EXPECT_EQ(answer(equal(divided(1, 0), number(0))), Answer::unknown);
  EXPECT_EQ(answer(equal(rest(1, 0), rest(2, 0))), Answer::unknown);
}

TEST_F(OracleTest, DoesNotDecideBeyondSixtyFourBits) {
  const TermId largest = number(std::numeric_limits<std::int64_t>::max());
  const TermId smallest = number(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(answer(lt(largest, plus(largest, number(1)))), Answer::unknown);
  EXPECT_EQ(answer(lt(make(negate, {smallest}), number(0))), Answer::unknown);
  EXPECT_EQ(answer(lt(make(multiply, {largest, largest}), number(0))), Answer::unknown);
  EXPECT_EQ(answer(lt(make(divide, {smallest, number(-1)}), number(0))), Answer::unknown);
  EXPECT_NE(answer(lt(plus(make(i), largest), smallest)), Answer::proved);
}

TEST_F(OracleTest, DividesSumsAtTheEndOfSixtyFourBits) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::vector<TermId> facts{le(number(0), make(i)), le(number(1), make(s))};
  const TermId sum = plus(make(i), number(largest));
  EXPECT_EQ(answer(le(number(0), mod(sum, make(s))), facts), Answer::proved);
  EXPECT_NE(answer(le(mod(sum, make(s)), number(0)), facts), Answer::proved);
  EXPECT_NE(answer(le(make(divide, {sum, make(s)}), number(0)), facts), Answer::proved);
}

TEST_F(OracleTest, FollowsChainsOfDifferences) {
  std::vector<TermId> facts;
  std::vector<TermId> chain;
  for (int k = 0; k < 30; ++k) chain.push_back(make(variable("c" + std::to_string(k))));
  for (int k = 0; k + 1 < 30; ++k) facts.push_back(lt(chain[k], chain[k + 1]));
  EXPECT_EQ(answer(le(plus(chain.front(), number(29)), chain.back()), facts), Answer::proved);
  EXPECT_NE(answer(le(plus(chain.front(), number(30)), chain.back()), facts), Answer::proved);
}

TEST_F(OracleTest, BoundsRemaindersAndQuotients) {
  const TermId positive = lt(number(0), make(s));
  const TermId rest = mod(make(i), make(s));
  EXPECT_EQ(answer(within(number(0), rest, make(s)), {positive}), Answer::proved);
  EXPECT_NE(answer(le(number(0), rest)), Answer::proved);
  EXPECT_EQ(answer(equal(rest, make(i)), {within(number(0), make(i), make(s))}), Answer::proved);
  // Wrapping round once: 0 <= i < s and -s <= o < 0.
  const TermId sum = plus(make(i), make(o));
  EXPECT_EQ(answer(equal(mod(sum, make(s)), plus(sum, make(s))),
                   {within(make(negate, {make(s)}), sum, number(0)), positive}),
            Answer::proved);
  EXPECT_EQ(answer(within(number(0), mod(make(i), number(4)), number(4))), Answer::proved);
  EXPECT_EQ(answer(equal(plus(make(multiply, {number(4), make(divide, {make(i), number(4)})}),
                              mod(make(i), number(4))),
                         make(i))),
            Answer::proved);
  EXPECT_EQ(answer(lt(make(divide, {make(i), number(4)}), number(8)), {lt(make(i), number(32))}),
            Answer::proved);
}

TEST_F(OracleTest, PadsThatAreWideEnough) {
  // 0 <= i < s, -l <= o <= r: the padded index is in bounds.
  const TermId l = make(variable("l"));
  const TermId r = make(variable("r"));
  const std::vector<TermId> facts{within(number(0), make(i), make(s)),
                                  both(le(make(negate, {l}), make(o)), le(make(o), r))};
  const TermId index = plus(plus(make(i), make(o)), l);
  EXPECT_EQ(answer(within(number(0), index, plus(plus(l, make(s)), r)), facts), Answer::proved);
  const auto without = decide(within(number(0), index, plus(l, make(s))), facts);
  EXPECT_EQ(without.answer, Answer::refuted) << without.detail;
}

TEST_F(OracleTest, KnowsMinimaMaximaAndAbsoluteValues) {
  const TermId a = make(i);
  const TermId b = make(o);
  EXPECT_EQ(answer(le(make(minimum, {a, b}), b)), Answer::proved);
  EXPECT_EQ(answer(lt(number(0), make(minimum, {a, b})), {lt(number(0), a), lt(number(0), b)}),
            Answer::proved);
  EXPECT_EQ(answer(equal(plus(make(minimum, {a, b}), make(maximum, {a, b})), plus(a, b))),
            Answer::proved);
  EXPECT_EQ(answer(le(number(0), make(absolute, {a}))), Answer::proved);
  EXPECT_EQ(answer(le(make(absolute, {a}), number(3)), {le(number(-3), a), le(a, number(3))}),
            Answer::proved);
}

TEST_F(OracleTest, TakesConditionsApart) {
  const TermId a = lt(make(i), number(3));
  const TermId b = lt(make(i), number(5));
  EXPECT_EQ(answer(builtin(Builtin::implies, {a, b})), Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::or_, {a, le(number(2), make(i))})), Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::not_, {both(a, le(number(4), make(i)))})), Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::iff, {a, le(make(i), number(2))})), Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::not_equal, {make(i), number(9)}), {b}), Answer::proved);
  EXPECT_EQ(answer(lt(make(i), number(4)), {b, builtin(Builtin::not_equal, {make(i), number(4)})}),
            Answer::proved);
  EXPECT_EQ(answer(builtin(Builtin::implies, {b, a})), Answer::refuted);
}

TEST_F(OracleTest, ArraysAreNoIntegers) {
  const TermId a = make(store.fresh_variable("a", array));
  const TermId b = make(store.fresh_variable("b", array));
  EXPECT_EQ(answer(equal(a, b)), Answer::unknown);
  EXPECT_EQ(answer(equal(a, a)), Answer::proved);
  EXPECT_EQ(answer(equal(a, b), {equal(a, b)}), Answer::proved);
}

TEST_F(OracleTest, DeepAndSharedTermsAreNoTrouble) {
  const SymbolId f = function("f");
  TermId deep = make(i);
  for (int k = 0; k < 1'000'000; ++k) deep = store.make(f, std::vector{deep});
  EXPECT_EQ(answer(le(number(0), plus(deep, number(1))), {le(number(0), deep)}), Answer::proved);
  TermId sum = make(i);
  for (int k = 0; k < 100'000; ++k) sum = store.make(add, std::vector{sum, number(1)});
  EXPECT_NE(answer(le(sum, number(0))), Answer::proved);
  TermId shared = make(i);
  for (int k = 0; k < 200; ++k) shared = make(add, {shared, shared});
  EXPECT_NE(answer(le(shared, number(0))), Answer::proved);
}

TEST_F(OracleTest, AgreesWithTryingEveryPoint) {
  const Agreement found = agreement(*this, oracle, 20240607, 1200);
  EXPECT_GT(found.proved, 90);
  EXPECT_GT(found.refuted, 300);
}

}  // namespace
}  // namespace rhopsi::test
