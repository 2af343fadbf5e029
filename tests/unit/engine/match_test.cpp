#include "engine/rewrite/match.hpp"

#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

struct MatchTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId g = function("g", 2);
  const SymbolId x = variable("x");
  const SymbolId y = variable("y");

  // The binding as text, "no" where there is no match.
  std::string match(TermId pattern, TermId subject) {
    const std::vector<SymbolId> variables{x, y};
    rewrite::Matcher matcher(store, variables);
    if (!matcher.match(pattern, subject)) return "no";
    const auto binding = matcher.binding();
    std::string out;
    for (SymbolId variable : variables) {
      auto found = binding.find(variable);
      if (found != binding.end()) out += store[variable].name + "=" + text(found->second) + ";";
    }
    return out;
  }
};

TEST_F(MatchTest, BindsVariables) {
  const TermId subject = make(g, {make(f, {number(1)}), number(2)});
  EXPECT_EQ(match(make(g, {make(x), make(y)}), subject), "x=f(1);y=2;");
  EXPECT_EQ(match(make(g, {make(f, {make(x)}), make(y)}), subject), "x=1;y=2;");
  EXPECT_EQ(match(make(g, {make(x), make(f, {make(y)})}), subject), "no");
}

TEST_F(MatchTest, RepeatedVariablesNeedEqualTerms) {
  const TermId twice = make(g, {make(x), make(x)});
  EXPECT_EQ(match(twice, make(g, {make(f, {number(1)}), make(f, {number(1)})})), "x=f(1);");
  EXPECT_EQ(match(twice, make(g, {number(1), number(2)})), "no");
  // Equal up to the names of bound variables.
  const TermId sum = [&] {
    const SymbolId k = variable("k");
    return fold(add, k, number(3), make(k));
  }();
  EXPECT_NE(match(twice, make(g, {sum, term::freshen(store, sum)})), "no");
}

TEST_F(MatchTest, RespectsSorts) {
  const SymbolId of_array = function("f", {array}, integer);
  const SymbolId a = store.fresh_variable("a", array);
  EXPECT_EQ(match(make(f, {make(x)}), make(of_array, {make(a)})), "no");
  // The same operation, seen through a polymorphic construct.
  const TermId pattern = control(Control::vector_, store.sort("Index"), {make(x)});
  const TermId subject = control(Control::vector_, store.sort("Index"), {make(a)});
  EXPECT_EQ(match(pattern, subject), "no");
}

TEST_F(MatchTest, MatchesBindersUpToNames) {
  const SymbolId k = variable("k");
  const SymbolId i = variable("i");
  const TermId pattern = fold(add, k, make(x), make(multiply, {make(y), make(k)}));
  EXPECT_EQ(match(pattern, fold(add, i, number(3), make(multiply, {number(5), make(i)}))),
            "x=3;y=5;");
  EXPECT_EQ(match(pattern, fold(multiply, i, number(3), make(multiply, {number(5), make(i)}))),
            "no");
  EXPECT_EQ(match(pattern, fold(add, i, number(3), make(multiply, {make(i), number(5)}))), "no");
}

TEST_F(MatchTest, BoundVariablesDoNotEscape) {
  const SymbolId k = variable("k");
  const SymbolId i = variable("i");
  const TermId pattern = fold(add, k, make(x), make(y));
  EXPECT_EQ(match(pattern, fold(add, i, number(3), number(5))), "x=3;y=5;");
  EXPECT_EQ(match(pattern, fold(add, i, number(3), make(f, {make(i)}))), "no");
  // A binder inside of what is bound is no obstacle.
  const SymbolId j = variable("j");
  const TermId inner = fold(add, j, number(2), make(j));
  EXPECT_NE(match(pattern, fold(add, i, number(3), inner)), "no");
  // A free variable of the subject is no bound variable of the pattern.
  const TermId identity = fold(add, k, make(x), make(k));
  EXPECT_EQ(match(identity, fold(add, i, number(3), make(k))), "no");
}

}  // namespace
}  // namespace rhopsi::test
