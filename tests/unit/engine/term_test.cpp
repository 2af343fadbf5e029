#include <gtest/gtest.h>

#include "engine/term/renaming.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

struct TermTest : testing::Test, Algebra {};

TEST_F(TermTest, KnowsBuiltinPredicates) {
  using term::builtin_symbol;
  for (const Builtin which :
       {Builtin::equal, Builtin::not_equal, Builtin::and_, Builtin::or_, Builtin::not_,
        Builtin::implies, Builtin::iff, Builtin::true_, Builtin::false_}) {
    EXPECT_EQ(term::builtin(store, builtin_symbol(store, which, integer)), which);
  }
  EXPECT_EQ(term::builtin(store, less), Builtin::none);
  EXPECT_EQ(term::builtin(store, predicate("_==_", {integer, array})), Builtin::none);
  EXPECT_EQ(term::builtin(store, predicate("_&&_", {integer, integer})), Builtin::none);
}

TEST_F(TermTest, SubstitutesWithoutCapture) {
  const SymbolId x = variable("x");
  const SymbolId k = variable("k");
  const TermId body = fold(add, k, number(3), make(add, {make(x), make(k)}));
  const TermId result = term::substitute(store, body, {{x, make(k)}});
  ASSERT_EQ(store.bound(result).size(), 1U);
  const SymbolId fresh = store.bound(result)[0];
  EXPECT_NE(fresh, k);
  EXPECT_EQ(term::free_variables(store, result), std::vector{k});
  const TermId element = store.children(result)[1];
  EXPECT_EQ(store.symbol(store.children(element)[0]), k);
  EXPECT_EQ(store.symbol(store.children(element)[1]), fresh);
}

TEST_F(TermTest, SubstitutionKeepsTheHandleOfWhatDoesNotChange) {
  const SymbolId x = variable("x");
  const SymbolId k = variable("k");
  const TermId body = fold(add, k, number(3), make(k));
  EXPECT_EQ(term::substitute(store, body, {{x, number(1)}}), body);
  EXPECT_EQ(term::substitute(store, body, {}), body);
  const TermId pair = make(add, {body, make(x)});
  const TermId changed = term::substitute(store, pair, {{x, number(1)}});
  EXPECT_EQ(store.children(changed)[0], body);
}

TEST_F(TermTest, SubstitutionFreshensTheSecondCopyOfABinder) {
  const SymbolId x = variable("x");
  const SymbolId k = variable("k");
  const TermId inner = fold(add, k, number(3), make(k));
  const TermId result = term::substitute(store, make(add, {make(x), make(x)}), {{x, inner}});
  const TermId first = store.children(result)[0];
  const TermId second = store.children(result)[1];
  EXPECT_NE(store.bound(first)[0], store.bound(second)[0]);
  EXPECT_TRUE(term::alpha_equal(store, first, second));
}

TEST_F(TermTest, AlphaEqualityPairsBoundVariables) {
  const SymbolId i = variable("i");
  const SymbolId j = variable("j");
  const SymbolId free = variable("free");
  const TermId left = fold(add, i, number(3), make(subtract, {make(i), make(free)}));
  const TermId right = fold(add, j, number(3), make(subtract, {make(j), make(free)}));
  EXPECT_TRUE(term::alpha_equal(store, left, right));
  EXPECT_TRUE(term::alpha_equal(store, left, term::freshen(store, left)));
  const TermId swapped = fold(add, j, number(3), make(subtract, {make(free), make(j)}));
  EXPECT_FALSE(term::alpha_equal(store, left, swapped));
  // A bound variable is not a free one of the same symbol.
  const TermId escaped = fold(add, j, number(3), make(subtract, {make(i), make(free)}));
  EXPECT_FALSE(term::alpha_equal(store, left, escaped));
  const std::vector<SymbolId> one{free};
  const std::vector<SymbolId> other{variable("other")};
  const TermId renamed = term::substitute(store, left, {{free, make(other[0])}});
  EXPECT_FALSE(term::alpha_equal(store, left, renamed));
  EXPECT_TRUE(term::alpha_equal(store, left, renamed, one, other));
}

TEST_F(TermTest, NewNamesReachSortsLiteralsAndBoundVariables) {
  const SortId wide = store.sort("Long");
  const SymbolId wide_sum = function("sum", {wide, wide}, wide);
  const SymbolId k = variable("k");
  const TermId index = make(k);
  const TermId body = fold(add, k, number(3), make(add, {index, number(1)}));
  const term::Renaming renaming{{{store[add].name, "sum"}}, {{integer, wide}}, {}};
  term::Renamer renamer(store, renaming);
  const TermId renamed = renamer.term(body);
  EXPECT_EQ(store.sort(renamed), wide);
  EXPECT_EQ(store.head(renamed).operation, wide_sum);
  EXPECT_TRUE(term::free_variables(store, renamed).empty());
  // A variable has one new name, bound or free.
  EXPECT_EQ(store.bound(renamed)[0], store.symbol(renamer.term(index)));
  const SymbolId other = store.fresh_variable("other", wide);
  renamer.set(k, other);
  EXPECT_EQ(store.bound(renamer.term(body))[0], other);
  const term::Renaming nothing;
  EXPECT_EQ(term::Renamer(store, nothing).term(body), body);
}

TEST_F(TermTest, FindsPositionsOperationsAndSizes) {
  const SymbolId x = variable("x");
  const TermId term = make(add, {make(multiply, {make(x), number(2)}), make(x)});
  EXPECT_EQ(term::size(store, term), 5U);
  EXPECT_EQ(term::operations_in(store, term), (std::vector{add, multiply}));
  EXPECT_EQ(text(term::at(store, term, {0, 1})), "2");
  const TermId replaced = term::replace_at(store, term, {0, 1}, number(7));
  EXPECT_EQ(text(replaced), "x * 7 + x");
  EXPECT_EQ(term::replace_at(store, term, {0}, term::at(store, term, {0})), term);
  EXPECT_TRUE(term::occurs(store, x, term));
  EXPECT_FALSE(term::occurs(store, subtract, term));
}

TEST_F(TermTest, PrintsOperatorsWithNeededParentheses) {
  const TermId a = make(variable("a"));
  const TermId b = make(variable("b"));
  const TermId c = make(variable("c"));
  EXPECT_EQ(text(make(multiply, {make(add, {a, b}), c})), "(a + b) * c");
  EXPECT_EQ(text(make(subtract, {a, make(subtract, {b, c})})), "a - (b - c)");
  EXPECT_EQ(text(make(subtract, {make(subtract, {a, b}), c})), "a - b - c");
  EXPECT_EQ(text(make(negate, {make(add, {a, b})})), "-(a + b)");
  EXPECT_EQ(text(both(make(less, {a, b}), make(less_equal, {b, c}))), "a < b && b <= c");
  EXPECT_EQ(text(make(add, {choose(make(less, {a, b}), a, b), c})), "(if a < b then a else b) + c");
  EXPECT_EQ(term::to_string(store, less), "_<_(Int, Int): Predicate");
}

TEST_F(TermTest, DeepTermsDoNotOverflowTheStack) {
  const SymbolId s = function("s");
  const SymbolId x = variable("x");
  TermId deep = make(x);
  for (int i = 0; i < 1'000'000; ++i) deep = store.make(s, std::vector{deep});
  EXPECT_EQ(term::size(store, deep), 1'000'001U);
  const TermId other = term::substitute(store, deep, {{x, number(1)}});
  EXPECT_NE(other, deep);
  EXPECT_FALSE(term::alpha_equal(store, deep, other));
  EXPECT_TRUE(term::alpha_equal(store, deep, term::substitute(store, deep, {{x, make(x)}})));
  EXPECT_EQ(term::free_variables(store, deep).size(), 1U);
  EXPECT_EQ(text(other).size(), 3'000'001U);
  EXPECT_EQ(term::freshen(store, deep), deep);
}

TEST_F(TermTest, SharedTermsAreVisitedOnce) {
  TermId shared = make(variable("x"));
  for (int i = 0; i < 60; ++i) shared = make(add, {shared, shared});
  EXPECT_GT(term::size(store, shared), std::size_t{1} << 59);
  EXPECT_EQ(term::free_variables(store, shared).size(), 1U);
  EXPECT_EQ(term::operations_in(store, shared), std::vector{add});
}

}  // namespace
}  // namespace rhopsi::test
