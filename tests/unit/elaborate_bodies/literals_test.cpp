// What literals mean.
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

constexpr std::string_view kLiteralSorts = R"(
  type Int literals integer; type Float literals real; type Offset literals integer;
  type Index literals vector; type Plain;
  function _+_(a: Int, b: Int): Int;  function _+_(a: Float, b: Float): Float;
  function at(i: Index): Float;  function from(i: Int): Float;  function from(o: Offset): Float;
  function -_(a: Int): Int;
  function shift(o: Offset): Float;
)";

std::string literal_codes(const std::string& text) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kLiteralSorts) + text);
  return codes(result.diagnostics);
}

// The symbol that f's body consists of.
term::Symbol body_symbol(const std::string& text) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kLiteralSorts) + text);
  EXPECT_EQ(messages(result.diagnostics), "");
  const term::Callable* callable = find(store, result.theory, "f");
  return callable && callable->body ? store.head(*callable->body) : term::Symbol{};
}

TEST(Literals, TakeTheExpectedSort) {
  EXPECT_EQ(literal_codes("function f(): Float = 1;"), "");
  EXPECT_EQ(literal_codes("function f(): Float = 2.5 + 1;"), "");
  EXPECT_EQ(literal_codes("function f(): Float = shift(1);"), "");
  EXPECT_EQ(literal_codes("function f(): Plain = 1;"), "E0221");
  EXPECT_EQ(literal_codes("function f(): Int = 1.5;"), "E0221");
}

TEST(Literals, IntWhereNothingDecides) {
  EXPECT_EQ(literal_codes("function f(): Int { var x = 1; value x; }"), "");
  EXPECT_EQ(literal_codes("function f(): Int { var x = 1 + 2; value x; }"), "");
  EXPECT_EQ(literal_codes("function f(): Float { var x = 1.5; value x; }"), "");
  EXPECT_EQ(literal_codes("axiom f() { assert 1 == 1; }"), "");
  // `from` takes either; Int is the usual sort.
  EXPECT_EQ(literal_codes("function f(): Float = from(1);"), "");
}

TEST(Literals, SeveralSortsWithoutIntAreAmbiguous) {
  term::Store store;
  const Elaborated result = elaborate(
      store, "type A literals integer; type B literals integer; axiom f() { var x = 1; }");
  EXPECT_EQ(codes(result.diagnostics), "E0212");
  term::Store other;
  EXPECT_EQ(
      codes(elaborate(other, "type A literals integer; axiom f() { var x = 1; }").diagnostics), "");
}

TEST(Literals, CastDecides) {
  EXPECT_EQ(literal_codes("axiom f() { var x = 1: Offset; assert shift(x) == 1; }"), "");
  EXPECT_EQ(literal_codes("axiom f() { var x = 1: Plain; }"), "E0221");
}

TEST(Literals, VariableOfThatSpellingComesFirst) {
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kLiteralSorts) + "function f(1: Plain): Plain = 1;");
  ASSERT_EQ(messages(result.diagnostics), "");
  const term::Callable* f = find(store, result.theory, "f");
  EXPECT_EQ(store.symbol(*f->body), f->parameters[0]);
}

TEST(Literals, Range) {
  EXPECT_EQ(body_symbol("function f(): Int = 9223372036854775807;").integer,
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(literal_codes("function f(): Int = 9223372036854775808;"), "E0220");
  EXPECT_EQ(body_symbol("function f(): Offset = -9223372036854775808;").integer,
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(literal_codes("function f(): Float = 1.5e999;"), "E0220");
}

TEST(Literals, MinusIsFoldedWhereNoMinusIsDeclared) {
  const term::Symbol folded = body_symbol("function f(): Offset = -2;");
  EXPECT_EQ(folded.kind, term::SymbolKind::integer_literal);
  EXPECT_EQ(folded.integer, -2);
  EXPECT_EQ(body_symbol("function f(): Int = -2;").name, "-_");
  EXPECT_EQ(body_symbol("function f(): Float = -2.5;").kind, term::SymbolKind::real_literal);
}

TEST(Literals, Vectors) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kLiteralSorts) +
                                                 "function f(n: Int): Float = at([0, n + 1, 2]);"
                                                 "function g(n: Offset): Float = at([0, n]);"
                                                 "function h(): Float = at([]);");
  ASSERT_EQ(messages(result.diagnostics), "");
  const term::TermId vector = store.children(*find(store, result.theory, "f")->body)[0];
  EXPECT_TRUE(store.is(vector, term::Control::vector_));
  for (term::TermId component : store.children(vector)) {
    EXPECT_EQ(store.name(store.sort(component)), "Int");
  }
  const term::TermId offsets = store.children(*find(store, result.theory, "g")->body)[0];
  EXPECT_EQ(store.name(store.sort(store.children(offsets)[0])), "Offset");
}

// Of an array they may be reals.
TEST(Literals, VectorsOfReals) {
  const std::string begin = std::string(kLiteralSorts) + "type Array literals real, vector;";
  term::Store store;
  const Elaborated result = elaborate(store, begin +
                                                 "function f(x: Float): Array = [2.5, 1, x];"
                                                 "function g(n: Int): Array = [2, n];");
  ASSERT_EQ(messages(result.diagnostics), "");
  for (const auto& [name, sort] : {std::pair{"f", "Float"}, std::pair{"g", "Int"}}) {
    const term::TermId vector = *find(store, result.theory, name)->body;
    EXPECT_EQ(store.name(store.sort(vector)), "Array");
    for (term::TermId component : store.children(vector)) {
      EXPECT_EQ(store.name(store.sort(component)), sort);
    }
  }
  term::Store other;
  EXPECT_EQ(codes(elaborate(other, begin + "function f(): Float = at([2.5]);"
                                           "function g(n: Int): Array = [2.5, n];")
                      .diagnostics),
            "E0211 E0222");
  EXPECT_EQ(literal_codes("function f(): Float = at([2.5]);"), "E0221");
}

// A vector is an Index where an array would do as well, and equations are of what has no `==` of
// its own.
TEST(Literals, WhatEquationsAreAbout) {
  const std::string begin = std::string(kLiteralSorts) +
                            "type Array literals real, vector;"
                            "function _==_(a: Array, b: Array): Array;"
                            "function shape(a: Array): Index; function shape(a: Array): Array;"
                            "function dim(a: Array): Int; function dim(a: Array): Array;";
  const auto compared = [&](const std::string& condition) -> std::string {
    term::Store store;
    const Elaborated result =
        elaborate(store, begin + "predicate f(a: Array, b: Array) = " + condition + ";");
    if (result.diagnostics.has_errors()) return messages(result.diagnostics);
    const term::TermId body = *find(store, result.theory, "f")->body;
    return store.name(store.sort(store.children(body)[0]));
  };
  EXPECT_EQ(compared("shape(a) == [3, 4]"), "Index");
  EXPECT_EQ(compared("[3, 4] != shape(a)"), "Index");
  EXPECT_EQ(compared("shape(a) == shape(b)"), "Index");
  EXPECT_EQ(compared("dim(a) == dim(b)"), "Int");
  EXPECT_EQ(compared("a == [3, 4]"), "Array");
  EXPECT_EQ(compared("a == b"), "Array");
  EXPECT_EQ(compared("(fold _+_ (k < dim(a)) k) == 0"), "Int");
  EXPECT_EQ(compared("(forall (i < shape(a)) (a): Array) == b"), "Array");
}

TEST(Literals, BadVectors) {
  EXPECT_EQ(literal_codes("function f(p: Plain): Float = at([0, p]);"), "E0222");
  EXPECT_EQ(literal_codes("function f(o: Offset, n: Int): Float = at([o, n]);"), "E0222");
  term::Store store;
  EXPECT_EQ(
      codes(elaborate(store, "type Int literals integer; axiom f() { var x = [1]; }").diagnostics),
      "E0221");
}

TEST(Literals, NoTypeWithLiterals) {
  term::Store store;
  EXPECT_EQ(codes(elaborate(store, "type T; axiom f() { var x = 1; }").diagnostics), "E0221");
}

}  // namespace
}  // namespace rhopsi::elaborate::test
