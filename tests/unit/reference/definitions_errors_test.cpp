// Violated conditions, missing rules, limits: always an error, with the numbers.
#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

class Refused : public Expressions {
 protected:
  const Array matrix = counting({2, 3}, 1);
  const Array vector = integers({4}, {30, 10, 20, 10});

  // An error of this code that names all of these.
  void expect_part(const std::string& text, const Inputs& inputs, const std::string& code,
                   const std::string& part) {
    check({text, inputs, [=](const Evaluated& found) {
             ASSERT_FALSE(found) << describe(*found);
             EXPECT_EQ(found.error().code, code) << found.error().message;
             EXPECT_NE(found.error().message.find(part), std::string::npos)
                 << found.error().message;
           }});
  }
};

TEST_F(Refused, ConditionsAreToldWithTheirNumbers) {
  const Inputs both = {{"A", counting({3, 2})}, {"B", counting({4, 2})}};
  expect_error("cat(A, B, 1)", both, codes::guard,
               "cat on axis 1 needs equal lengths on axis 0: 3 and 4");
  expect_error("A + B", both, codes::guard, "_+_ needs equal lengths on axis 0: 3 and 4");
  expect_error("A + v", {{"A", matrix}, {"v", vector}}, codes::guard,
               "_+_ needs `dim(A) == dim(B)`: 2 and 1");
  expect_error("take(A, 0, -5)", {{"A", vector}}, codes::guard,
               "take on axis 0 needs `abs(k) <= at(shape(A), axis)`: 5 and 4");
  expect_error("take(A, 1, 1)", {{"A", vector}}, codes::guard,
               "take on axis 1 needs `axis < dim(A)`: 1 and 1");
  expect_error("reverse(A, -1)", {{"A", vector}}, codes::guard,
               "reverse on axis -1 needs `0 <= axis`: 0 and -1");
  expect_error("rotate(A, 0, 1)", {{"A", integers({0}, {})}}, codes::guard,
               "rotate on axis 0 needs `0 < at(shape(A), axis)`: 0 and 0");
  expect_error("transpose(A, [0, 0])", {{"A", matrix}}, codes::guard,
               "transpose needs `occurrences(perm, m) == 1`: 2 and 1, where m = 0");
  expect_error("reshape(A, [4, 2])", {{"A", matrix}}, codes::guard,
               "reshape needs `product(s) == size(A)`: 8 and 6");
  expect_error("lift(A, 1, 2)", {{"A", matrix}}, codes::guard,
               "lift on axis 1 needs `at(shape(A), axis) % q == 0`: 1 and 0");
  expect_error("gather(A, 0, [1, 4])", {{"A", vector}}, codes::guard,
               "gather on axis 0 needs `entry(v, m) < at(shape(A), axis)`: 4 and 4, where m = 1");
  expect_error("psi([1, 3], A)", {{"A", matrix}}, codes::guard,
               "psi needs `at(q, m) < at(shape(A), m)` on axis 1: 3 and 3");
  expect_error("compress(A, 0, [1, 2, 0, 0])", {{"A", vector}}, codes::guard,
               "compress on axis 0 needs `psi([k], m) == 1`: 2 and 1, where k = 1");
  expect_error("matmul(A, A)", {{"A", matrix}}, codes::guard,
               "matmul needs equal lengths on axis 1 of A and axis 0 of B: 3 and 2");
}

TEST_F(Refused, ConditionsHoldForWhatIsComputedToo) {
  expect_part("cat(transpose(A), drop(A, 0, 1), 0)", {{"A", matrix}}, codes::guard,
              "cat on axis 0 needs equal lengths on axis 1: 2 and 3");
  expect_part("update(A, [1], [2], [2], [7, 8])", {{"A", counting({3})}}, codes::guard,
              ": 3 and 3");
  expect_part("expand(A, 0, [1, 1])", {{"A", counting({3})}}, codes::guard, ": 2 and 3");
  expect_part("iota(0 - 1)", {}, codes::guard, "iota needs `0 <= n`: 0 and -1");
}

TEST_F(Refused, DivisionsOfIntegersByZero) {
  expect_part("A / 0", {{"A", vector}}, codes::division_by_zero, "30 is divided by 0");
  expect_part("A % (A - 10)", {{"A", vector}}, codes::division_by_zero, "10 is taken modulo 0");
  // The branch that is not chosen is not computed.
  expect<std::int64_t>("select(0, 1, 2)", {}, {}, {2});
}

TEST_F(Refused, OperationsWithoutRules) {
  own = R"(
    function unknown(A: Array): Array;
    function shapeless(A: Array): Array;
    function shadow(A: Array): Array;
    function count(A: Array): Int;
    axiom shapelessElement(p: Index, A: Array) { assert psi(p, shapeless(A)) == psi(p, A); }
    axiom shadowShape(A: Array) { assert shape(shadow(A)) == shape(A); }
    function partial(A: Array, k: Int): Array;
    axiom partialShape(A: Array, k: Int) { assert shape(partial(A, k)) == [2]; }
    axiom partialElement(p: Index, A: Array, k: Int) guard 0 < k {
      assert psi(p, partial(A, k)) == psi(p, A);
    }
  )";
  expect_error("unknown(A)", {{"A", matrix}}, codes::no_meaning, "no rule for shape(unknown)");
  expect_error("shapeless(A)", {{"A", matrix}}, codes::no_meaning, "no rule for shape(shapeless)");
  expect_error("shadow(A)", {{"A", matrix}}, codes::no_meaning, "no rule for psi(shadow)");
  expect_error("iota(count(A))", {{"A", matrix}}, codes::no_meaning, "no rule for count");
  expect<std::int64_t>("partial(A, 1)", {{"A", vector}}, {2}, {30, 10});
  expect_error("partial(A, 0)", {{"A", vector}}, codes::no_meaning,
               "no rule for psi(partial): the conditions of all fail");
}

TEST_F(Refused, RulesThatAreWrong) {
  own = R"(
    function negative(A: Array): Array;
    function outside(A: Array): Array;
    function flat(A: Array): Array;
    axiom negativeShape(A: Array) { assert shape(negative(A)) == [2, -3]; }
    axiom negativeElement(p: Index, A: Array) { assert psi(p, negative(A)) == psi(p, A); }
    axiom outsideShape(A: Array) { assert shape(outside(A)) == [at(shape(A), 0) + 1]; }
    axiom outsideElement(p: Index, A: Array) { assert psi(p, outside(A)) == psi(p, A); }
    axiom flatShape(A: Array) { assert shape(flat(A)) == [2, 2]; }
    axiom flatElement(p: Index, A: Array) { assert psi(p, flat(A)) == psi([at(p, 2)], A); }
  )";
  expect_part("negative(A)", {{"A", vector}}, codes::shapes, "(2, -3) has a negative length");
  expect_part("outside(A)", {{"A", vector}}, codes::index_range,
              "The index (4,) is out of range on axis 0 of an array of shape (4,)");
  expect_part("outside(A)", {{"A", matrix}}, codes::shapes, "1 components");
  expect_part("flat(A)", {{"A", vector}}, codes::index_range, "(0, 0) has no component 2");
}

TEST_F(Refused, WhatIsTooLargeOrTooDeep) {
  own = R"(
    function forever(k: Int): Int;
    axiom foreverDefinition(k: Int) { assert forever(k) == forever(k + 1); }
    function stretched(n: Int): Array;
    axiom stretchedShape(n: Int) { assert shape(stretched(n)) == [n, n, n, n, n, n]; }
    axiom stretchedElement(p: Index, n: Int) { assert psi(p, stretched(n)) == 0; }
  )";
  limits.elements = 1000;
  limits.depth = 100;
  expect_part("iota(1001)", {}, codes::size, "(1001,) is too large");
  expect_part("iota(forever(0))", {}, codes::depth, "Calls nest more than 100 deep");
  expect_part("stretched(100000)", {}, codes::size, "is too large");
  expect_part("stretched(3037000500)", {}, codes::size, "is too large");
  expect<std::int64_t>("sum(iota(1000), 0)", {}, {}, {499500});
}

TEST_F(Refused, DepthThatTheStackDoesNotHold) {
  own = R"(
    function forever(k: Int): Int;
    axiom foreverDefinition(k: Int) { assert forever(k) == forever(k + 1); }
  )";
  limits.depth = 1 << 30;
  expect_part("iota(forever(0))", {}, codes::depth, "nest too deeply");
}

TEST_F(Refused, ValuesOfAnotherKind) {
  const auto elaborated = elaborate({{"A + 1", {{"A", vector}}, {}}});
  auto [term, values] = elaborated->expressions[0];
  Definitions definitions(elaborated->store, *elaborated->theory, *elaborated->table);
  ASSERT_TRUE(definitions.evaluate(term, values));
  const term::SymbolId variable = values.begin()->first;
  for (const Value& wrong : {Value(Index{1}), Value(std::int64_t{1}), Value(2.5)}) {
    const auto found = definitions.evaluate(term, {{variable, wrong}});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, codes::arguments);
  }
  const auto missing = definitions.evaluate(term, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, codes::unset);
  // Other types of elements are other types of everything; then the first ones again.
  const auto real = definitions.evaluate(term, {{variable, reals({1}, {0.5})}});
  ASSERT_TRUE(real);
  EXPECT_EQ(std::get<Array>(*real), reals({1}, {1.5}));
  ASSERT_TRUE(definitions.evaluate(term, values));
}

TEST_F(Refused, TermsThatNestTooDeeply) {
  const auto elaborated = elaborate({{"-A", {{"A", vector}}, {}}});
  auto [term, values] = elaborated->expressions[0];
  const term::SymbolId negate = elaborated->store.symbol(term);
  for (int i = 0; i < 1000000; ++i) term = elaborated->store.make(negate, {term});
  Definitions definitions(elaborated->store, *elaborated->theory, *elaborated->table);
  const auto found = definitions.evaluate(term, values);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, codes::depth);
  ASSERT_TRUE(definitions.evaluate(elaborated->expressions[0].term, values));
}

TEST_F(Refused, ErrorsTellTheirPlace) {
  check({"cat(A,\n      take(A, 0, 9), 0)", {{"A", vector}}, [](const Evaluated& found) {
           ASSERT_FALSE(found);
           EXPECT_TRUE(found.error().location.file.ends_with("p.mg"));
           EXPECT_EQ(found.error().location.column, 7u);
         }});
}

}  // namespace
}  // namespace rhopsi::reference
