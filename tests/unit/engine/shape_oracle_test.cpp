// Conditions about the shapes of expressions, with laws of shapes and without.
#include "engine/rewrite/shape_oracle.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using Answer = term::Verdict::Answer;

// shape(flat(A)) == [count(A)], shape(cut(A, n)) == put(shape(A), n), rank(A) == len(shape(A)), and
// put(p, e) == forall (m < len(p)) (if m == 0 then e else at(p, m)).
struct ShapeOracleTest : testing::Test, Algebra {
  const SortId index = store.sort("Index");
  const SymbolId shape = function("shape", {array}, index);
  const SymbolId at = function("at", {index, integer}, integer);
  const SymbolId len = meaning(function("len", {index}, integer), Arithmetic::length);
  const SymbolId rank = function("rank", {array}, integer);
  const SymbolId count = function("count", {array}, integer);
  const SymbolId flat = function("flat", {array}, array);
  const SymbolId cut = function("cut", {array, integer}, array);
  const SymbolId put = function("put", {index, integer}, index);
  const SymbolId A = store.fresh_variable("A", array, false);
  const SymbolId p = store.fresh_variable("p", index, false);
  const SymbolId n = variable("n");
  const SymbolId m = variable("m");
  const TermId u = make(store.fresh_variable("u", array, false));

  TermId of_shape(TermId term) { return make(shape, {term}); }
  TermId length(TermId term, std::int64_t axis) { return make(at, {of_shape(term), number(axis)}); }

  term::Theory theory() {
    term::Theory made;
    made.axioms.push_back(equation("flatShape", of_shape(make(flat, {make(A)})),
                                   control(Control::vector_, index, {make(count, {make(A)})})));
    made.axioms.push_back(equation("cutShape", of_shape(make(cut, {make(A), make(n)})),
                                   make(put, {of_shape(make(A)), make(n)})));
    made.axioms.push_back(
        equation("rankDefinition", make(rank, {make(A)}), make(len, {of_shape(make(A))})));
    const TermId element = choose(equal(make(m), number(0)), make(n), make(at, {make(p), make(m)}));
    made.axioms.push_back(
        equation("putDefinition", make(put, {make(p), make(n)}),
                 control(Control::forall, index, {make(len, {make(p)}), element}, {m})));
    const std::array<std::vector<SymbolId>, 4> parameters{{{A}, {A, n}, {A}, {p, n}}};
    for (std::size_t i = 0; i < 4; ++i) made.axioms[i].parameters = parameters[i];
    return made;
  }

  term::Interpretation of_arrays() {
    term::Interpretation given = interpretation();
    given.array_function = [this](SymbolId symbol) {
      if (symbol == shape) return term::ArrayFunction::shape;
      return symbol == at ? term::ArrayFunction::component : term::ArrayFunction::none;
    };
    return given;
  }

  std::vector<term::Callable> callables() {
    return {callable(shape, {A}), callable(at, {p, n}), callable(len, {p}), callable(less, {n, m}),
            callable(less_equal, {n, m})};
  }

  term::Verdict decide(TermId condition, const std::vector<TermId>& facts, term::Theory stated) {
    const term::Interpretation given = of_arrays();
    const auto targets = callables();
    rewrite::ShapeOracle shapes(store, oracle, targets, given,
                                [&](const rewrite::ShapeSymbols& symbols) {
                                  return rewrite::shape_laws(store, symbols, given, stated.axioms);
                                });
    return shapes.decide(store, condition, facts, given);
  }
  term::Verdict decide(TermId condition, const std::vector<TermId>& facts = {}) {
    return decide(condition, facts, theory());
  }

  TermId has_axis() { return make(less, {number(0), make(rank, {u})}); }
};

TEST_F(ShapeOracleTest, RanksAndLengthsAreThoseOfTheLaws) {
  const term::Verdict flat_rank = decide(equal(make(rank, {make(flat, {u})}), number(1)));
  EXPECT_EQ(flat_rank.answer, Answer::proved);
  EXPECT_EQ(flat_rank.detail, "`1 == 1` by rankDefinition, flatShape");
  const TermId short_cut = make(less_equal, {length(make(cut, {u, number(1)}), 0), number(1)});
  EXPECT_EQ(decide(short_cut, {has_axis()}).answer, Answer::proved);
  EXPECT_EQ(decide(short_cut, {has_axis()}).unfoldings.size(), 5U);
}

TEST_F(ShapeOracleTest, WhatIsFalseIsRefuted) {
  EXPECT_EQ(decide(equal(make(rank, {make(flat, {u})}), number(2))).answer, Answer::refuted);
  const TermId longer = make(less, {number(1), length(make(cut, {u, number(1)}), 0)});
  EXPECT_EQ(decide(longer, {has_axis()}).answer, Answer::refuted);
}

// A component is where the vector has one: nothing says that u has an axis.
TEST_F(ShapeOracleTest, AComponentHasToBeThere) {
  const TermId short_cut = make(less_equal, {length(make(cut, {u, number(1)}), 0), number(1)});
  const term::Verdict open = decide(short_cut);
  EXPECT_EQ(open.answer, Answer::unknown);
  EXPECT_TRUE(open.unfoldings.empty());
  EXPECT_NE(open.detail.find("; by shapes it is `1 <= 1 && 0 < len(shape(u))`"), std::string::npos)
      << open.detail;
}

// What is known is unfolded too.
TEST_F(ShapeOracleTest, FactsSpeakOfTheSameShapes) {
  const TermId known = make(less, {length(make(cut, {u, make(n)}), 0), number(5)});
  EXPECT_EQ(decide(make(less, {make(n), number(9)}), {has_axis(), known}).answer, Answer::proved);
  EXPECT_EQ(decide(make(less, {make(n), number(4)}), {known}).answer, Answer::refuted);
}

TEST_F(ShapeOracleTest, OtherEquationsAreNoLaws) {
  const TermId flat_rank = equal(make(rank, {make(flat, {u})}), number(1));
  term::Theory conditional = theory();
  conditional.axioms[0] = axiom(
      "flatShape",
      {assertion(builtin(Builtin::implies,
                         {make(less, {number(0), make(count, {make(A)})}),
                          equal(of_shape(make(flat, {make(A)})),
                                control(Control::vector_, index, {make(count, {make(A)})}))}))});
  conditional.axioms[0].parameters = {A};
  EXPECT_EQ(decide(flat_rank, {}, conditional).answer, Answer::unknown);
  term::Theory stated = theory();
  stated.axioms[0].theorem = true;
  EXPECT_EQ(decide(flat_rank, {}, stated).answer, Answer::unknown);
  term::Theory turning = theory();
  turning.axioms[0] = equation("flatShape", of_shape(make(flat, {make(A)})),
                               of_shape(make(flat, {make(flat, {make(A)})})));
  turning.axioms[0].parameters = {A};
  EXPECT_EQ(decide(flat_rank, {}, turning).answer, Answer::unknown);
}

// Two laws that lead to each other are followed so many times, and then the condition is open.
TEST_F(ShapeOracleTest, UnfoldingEnds) {
  term::Theory turning = theory();
  const SymbolId other = function("other", {array}, array);
  turning.axioms[0] =
      equation("flatShape", of_shape(make(flat, {make(A)})), of_shape(make(other, {make(A)})));
  turning.axioms.push_back(equation("otherShape", of_shape(make(other, {make(A)})),
                                    of_shape(make(flat, {make(flat, {make(A)})}))));
  turning.axioms[0].parameters = {A};
  turning.axioms.back().parameters = {A};
  EXPECT_EQ(decide(equal(make(rank, {make(flat, {u})}), number(1)), {}, turning).answer,
            Answer::unknown);
}

// Facts that exclude a condition refute it, whatever it is about.
TEST_F(ShapeOracleTest, WhatFactsExcludeIsRefuted) {
  const TermId two = equal(make(rank, {u}), number(2));
  const term::Verdict verdict = decide(equal(make(rank, {u}), number(1)), {two});
  EXPECT_EQ(verdict.answer, Answer::refuted);
  EXPECT_EQ(verdict.detail, "`rank(u) == 1` is false by what is known there");
}

}  // namespace
}  // namespace rhopsi::test
