// Operations of the test's own: every form of definition, and types that follow from values.
#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

class Own : public Expressions {
 protected:
  const Array matrix = counting({2, 3}, 1);
  const Array vector = integers({4}, {30, 10, 20, 10});
};

TEST_F(Own, ShapeAndElements) {
  own = R"(
    // Every second element along an axis.
    function thinned(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
    axiom thinnedShape(A: Array, axis: Int) {
      assert shape(thinned(A, axis)) == replace(shape(A), axis, (at(shape(A), axis) + 1) / 2);
    }
    axiom thinnedElement(p: Index, A: Array, axis: Int) {
      assert psi(p, thinned(A, axis)) == psi(replace(p, axis, 2 * at(p, axis)), A);
    }
    function magic(): Array;
    axiom magicShape() { assert shape(magic()) == []; }
    axiom magicElement(p: Index) { assert psi(p, magic()) == 6.5; }
  )";
  expect<std::int64_t>("thinned(A, 1)", {{"A", matrix}}, {2, 2}, {1, 3, 4, 6});
  expect<std::int64_t>("thinned(thinned(A, 0), 0)", {{"A", vector}}, {1}, {30});
  expect<double>("A * magic()", {{"A", vector}}, {4}, {195, 65, 130, 65});
  expect_error("thinned(A, 2)", {{"A", matrix}}, codes::guard,
               "thinned on axis 2 needs `axis < dim(A)`: 2 and 2");
}

// The values so far are not those of the inner counter.
TEST_F(Own, AFoldOverVectorsBuiltInPlace) {
  derived = R"(
    function weights(s: Index): Int;
    axiom weightsDefinition(s: Index) {
      assert weights(s) == fold _+_ (m < len(s))
        product((forall (i < len(s) - (m + 1)) at(s, m + 1 + i)));
    }
  )";
  expect_value("weights(s)", {{"s", Index{3, 4, 5}}}, "Int", std::int64_t{20 + 5 + 1});
}

TEST_F(Own, EquationsBindingsAndConditions) {
  derived = R"(
    function mean(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
    axiom meanDefinition(A: Array, axis: Int) {
      var n = array(at(shape(A), axis));
      assert mean(A, axis) == real(sum(A, axis)) / n;
    }
    function sign(k: Int): Int;
    axiom sign1(k: Int) guard 0 < k { assert sign(k) == 1; }
    axiom sign2(k: Int) guard k < 0 { assert sign(k) == -1; }
    axiom sign3(k: Int) { assert sign(k) == 0; }
    predicate even(k: Int);
    axiom evenDefinition(k: Int) { assert even(k) <=> k % 2 == 0; }
    theorem wrong(k: Int) { assert halved(k) == 77; }
    function halved(k: Int): Int;
    axiom zalved(k: Int) { assert halved(k) == (if even(k) then k / 2 else 0); }
  )";
  expect<double>("mean(A, 1)", {{"A", matrix}}, {2}, {2, 5});
  expect_value("sign(k)", {{"k", std::int64_t{-9}}}, "Int", std::int64_t{-1});
  expect_value("sign(k)", {{"k", std::int64_t{9}}}, "Int", std::int64_t{1});
  expect_value("sign(k)", {{"k", std::int64_t{0}}}, "Int", std::int64_t{0});
  expect_value("halved(k)", {{"k", std::int64_t{8}}}, "Int", std::int64_t{4});
}

TEST_F(Own, RecursionFindsItsType) {
  own = R"(
    function power(a: Number, k: Int): Number;
    axiom powerDefinition(a: Number, k: Int) {
      assert power(a, k) == (if k == 0 then (0 == 0) else if k == 1 then a else a * power(a, k - 1));
    }
    function raised(A: Array, k: Int): Array;
    axiom raisedShape(A: Array, k: Int) { assert shape(raised(A, k)) == shape(A); }
    axiom raisedElement(p: Index, A: Array, k: Int) {
      assert psi(p, raised(A, k)) == power(psi(p, A), k);
    }
    function alternating(k: Int): Int;
    function odd(k: Int): Int;
    axiom alternatingDefinition(k: Int) {
      assert alternating(k) == (if k == 0 then 0 else 10 + odd(k - 1));
    }
    axiom oddDefinition(k: Int) { assert odd(k) == (if k == 0 then 0 else 1 + alternating(k - 1)); }
  )";
  derived = R"(
    function falling(A: Array, k: Int): Array;
    axiom fallingDefinition(A: Array, k: Int) {
      assert falling(A, k) == (if k == 0 then A else falling(A, k - 1) / 2);
    }
  )";
  expect<std::int64_t>("raised(A, 3)", {{"A", matrix}}, {2, 3}, {1, 8, 27, 64, 125, 216});
  expect<std::int64_t>("raised(A, 0)", {{"A", matrix}}, {2, 3}, {1, 1, 1, 1, 1, 1});
  expect<double>("raised(A, 2)", {{"A", reals({1}, {0.5})}}, {1}, {0.25});
  expect<std::int64_t>("falling(A, 2)", {{"A", vector}}, {4}, {7, 2, 5, 2});
  expect<double>("falling(A, 2)", {{"A", reals({1}, {1})}}, {1}, {0.25});
  expect_value("alternating(k)", {{"k", std::int64_t{5}}}, "Int", std::int64_t{32});
}

TEST_F(Own, FoldsAndTabulations) {
  own = R"(
    // By an operation that is defined itself: no unit is known.
    function weighed(a: Number, b: Number): Number;
    axiom weighedDefinition(a: Number, b: Number) { assert weighed(a, b) == a * 2.0 + b; }
    function horner(A: Array): Array;
    axiom hornerShape(A: Array) { assert shape(horner(A)) == []; }
    axiom hornerElement(p: Index, A: Array) {
      assert psi(p, horner(A)) == fold weighed (k < at(shape(A), 0)) psi([k], A);
    }
    function total(A: Array): Array;
    axiom totalShape(A: Array) { assert shape(total(A)) == []; }
    axiom totalElement(p: Index, A: Array) {
      assert psi(p, total(A)) ==
        fold _+_ (m < at(shape(A), 0)) (fold _+_ (n < at(shape(A), 1)) psi([m, n], A));
    }
    function squares(n: Int): Array;
    axiom squaresDefinition(n: Int) { assert squares(n) == forall (k < n) (convert(k * k): Number); }
    function table(n: Int): Array;
    axiom tableDefinition(n: Int) {
      assert table(n) == forall (p < [n, 2]: Index) (convert(at(p, 0) - at(p, 1)): Number);
    }
    function sorted(v: Index): Int;
    axiom sortedDefinition(v: Index) {
      assert sorted(v) == (if forall (m < len(v) - 1) at(v, m) <= at(v, m + 1) then 1 else 0);
    }
  )";
  derived = R"(
    function together(A: Array, n: Int): Array;
    axiom togetherDefinition(A: Array, n: Int) { assert together(A, n) == fold _+_ (k < n) (A * array(k)); }
  )";
  expect<double>("horner(A)", {{"A", integers({3}, {1, 0, 1})}}, {}, {5});
  expect<std::int64_t>("total(A)", {{"A", integers({3, 2}, {1, 2, 4, 8, 16, 32})}}, {}, {63});
  expect_error(
      "horner(A)", {{"A", integers({0}, {})}}, codes::empty_fold,
      "`fold weighed (k < at(shape(A), 0)) psi([k], A)` has no elements, and no unit of its "
      "operation is known.");
  expect<std::int64_t>("squares(4)", {}, {4}, {0, 1, 4, 9});
  expect<std::int64_t>("squares(0)", {}, {0}, {});
  expect<std::int64_t>("table(2)", {}, {2, 2}, {0, -1, 1, 0});
  expect_value("sorted(v)", {{"v", Index{1, 1, 4}}}, "Int", std::int64_t{1});
  expect_value("sorted(v)", {{"v", Index{1, 5, 4}}}, "Int", std::int64_t{0});
  expect<std::int64_t>("together(A, 4)", {{"A", vector}}, {4}, {180, 60, 120, 60});
}

TEST_F(Own, LiteralsAndChoices) {
  derived = R"(
    function chosen(k: Int, A: Array, B: Array): Array;
    axiom chosenDefinition(k: Int, A: Array, B: Array) { assert chosen(k, A, B) == (if k == 0 then A else B); }
  )";
  expect<double>("2.5", {}, {}, {2.5});
  expect<std::int64_t>("[1, 2]", {}, {2}, {1, 2});
  expect<std::int64_t>("[]", {}, {0}, {});
  expect<std::int64_t>("3", {}, {}, {3});
  // Shapes may differ, types do not.
  expect<double>("chosen(0, A, 2.5)", {{"A", vector}}, {4}, {30, 10, 20, 10});
  expect<double>("chosen(1, A, 2.5)", {{"A", vector}}, {}, {2.5});
}

// Arrays that occur whole in the element of another are computed once.
TEST_F(Own, ManyElementsInReasonableTime) {
  expect<std::int64_t>("sum(reshape(iota(100000), [100000]) % 7, 0)", {}, {}, {299995});
  expect<std::int64_t>("sum(compress(iota(400), 0, iota(400) % 2), 0)", {}, {}, {40000});
  expect<std::int64_t>("sum(sum(matmul(A, A), 0), 0)",
                       {{"A", make_array({40, 40}, Integers(1600, 1))}}, {}, {64000});
}

}  // namespace
}  // namespace rhopsi::reference
