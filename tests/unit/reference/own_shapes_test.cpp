// Expressions, functions, numbers and what goes wrong in programs whose arrays have shapes of
// their own.
#include <limits>

#include "tests/unit/reference/own_shapes_fixture.hpp"

namespace rhopsi::reference {
namespace {

TEST_F(OwnShapes, ArraysOfAllRanks) {
  load_own(R"(
    function turned(A: Array, axis: Int, o: Int): Array = rotate(A, axis, o);
    function combined(A: Array, B: Array): Array = A * B + 1;
    function summed(A: Array, axis: Int): Array = sum(A, axis);
    function joined(A: Array, B: Array): Array = cat(A, B, 0);
    function element(A: Array, p: Index): Number = psi(p, A);
    function number(k: Number): Array = forall (p < []: Index) k;
    function extents(A: Array): Index = shape(A);
    predicate same(A: Array, B: Array) = A == B;
  )");
  // Not what a domain would have said.
  options.domain = {7, 7};
  const Array matrix = counting_reals({2, 3}, 1);
  expect_array(call("turned", {matrix, integer(0), integer(1)}), {2, 3}, {4, 5, 6, 1, 2, 3});
  expect_array(call("turned", {matrix, integer(1), integer(-1)}), {2, 3}, {3, 1, 2, 6, 4, 5});
  expect_array(call("turned", {counting_reals({2, 1, 3}), integer(2), integer(4)}), {2, 1, 3},
               {1, 2, 0, 4, 5, 3});
  const Array number = counting_reals({}, 5);
  expect_array(call("combined", {matrix, matrix}), {2, 3}, {2, 5, 10, 17, 26, 37});
  expect_array(call("combined", {number, matrix}), {2, 3}, {6, 11, 16, 21, 26, 31});
  expect_array(call("combined", {number, number}), {}, {26});
  expect_array(call("combined", {counting_reals({0, 3}), counting_reals({0, 3})}), {0, 3}, {});
  expect_array(call("summed", {matrix, integer(0)}), {3}, {5, 7, 9});
  expect_array(call("summed", {counting_reals({2, 3, 2}), integer(1)}), {2, 2}, {6, 9, 24, 27});
  expect_array(call("summed", {counting_reals({3, 0}), integer(1)}), {3}, {0, 0, 0});
  expect_array(call("summed", {counting_reals({4}, 1), integer(0)}), {}, {10});
  expect_array(call("joined", {matrix, counting_reals({1, 3}, 7)}), {3, 3},
               {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_array(call("joined", {counting_reals({0}), counting_reals({1}, 7)}), {1}, {7});
  EXPECT_EQ(call("element", {matrix, Index{1, 0}}), real(4));
  expect_array(call("number", {real(2.5)}), {}, {2.5});
  EXPECT_EQ(call("extents", {counting_reals({2, 0, 1})}), Value(Index{2, 0, 1}));
  EXPECT_EQ(call("same", {matrix, matrix}), Value(true));
  EXPECT_EQ(call("same", {matrix, counting_reals({3, 2}, 1)}), Value(false));
}

TEST_F(OwnShapes, NumbersAreOfTheRunsRealType) {
  const std::string body = R"(
    function half(): Number = 7 / 2;
    function tenth(): Number = 0.1;
    function less(a: Number, b: Number): Number = a < b;
    function both(a: Number, b: Number): Number = a && !(b == 2);
    function chosen(a: Number): Number = if a < 3 then 1 else 2.5;
    function whole(a: Number): Int = convert(a);
    function quotient(a: Int, b: Int): Int = a / b;
    function every(A: Array): Number = fold _&&_ (k < at(shape(A), 0)) psi([k], A);
    function counted(A: Array): Array = (A > 1) + (A > 2);
    function up(n: Int): Array = iota(n) / 2;
  )";
  load_own(body);
  EXPECT_EQ(call("half"), real(3.5));
  EXPECT_EQ(call("less", {real(1), real(2)}), real(1));
  EXPECT_EQ(call("less", {real(2), real(2)}), real(0));
  EXPECT_EQ(call("both", {real(7), real(3)}), real(1));
  EXPECT_EQ(call("both", {real(7), real(2)}), real(0));
  EXPECT_EQ(call("chosen", {real(2)}), real(1));
  EXPECT_EQ(call("chosen", {real(3)}), real(2.5));
  EXPECT_EQ(call("whole", {real(-3.9)}), integer(-3));
  EXPECT_EQ(call("quotient", {integer(-7), integer(2)}), integer(-4));
  EXPECT_EQ(call("every", {counting_reals({0})}), real(1));
  EXPECT_EQ(call("every", {counting_reals({1}, 5)}), real(1));
  EXPECT_EQ(call("every", {counting_reals({2}, 0)}), real(0));
  expect_array(call("counted", {counting_reals({4})}), {4}, {0, 0, 1, 2});
  expect_array(call("up", {integer(4)}), {4}, {0, 0.5, 1, 1.5});
}

TEST_F(OwnShapes, NumbersOfRunsInFloat) {
  load_own(R"(
    function sum(a: Number): Number = 0.1 + a;
    function scaled(A: Array): Array = 0.1 * A;
  )",
           "", onf::Scalar::float32);
  EXPECT_EQ(call("sum", {Value(0.2F)}), Value(0.1F + 0.2F));
  const Value array = call("scaled", {array_of<float>({2, 1}, {1, 3})});
  EXPECT_EQ(elements<float>(array), (std::vector<float>{0.1F, 0.1F * 3}));
  EXPECT_EQ(error("sum", {real(0.5)}).code, codes::arguments);
}

TEST_F(OwnShapes, FunctionsBlocksFoldsAndConstants) {
  load_own(R"(
    function width(): Int = 2 + 1;
    function smoothed(A: Array, axis: Int): Array guard 1 <= dim(A) =
      (rotate(A, axis, 1) + A + rotate(A, axis, -1)) / width();
    function width(): Number = convert(width(): Int);
    function twice(A: Array): Array = smoothed(smoothed(A, 0), dim(A) - 1);
    function rows(A: Array): Array = forall (i < at(shape(A), 0)) fold _+_ (j < at(shape(A), 1)) psi([i, j], A);
    function power(A: Array, n: Int): Array = {
      var R = A;
      for i in 1 .. n { R = R * A; };
      value R;
    };
    function most(A: Array): Number = {
      var obs n: Int = at(shape(A), 0);
      assert 0 < n;
      value fold max (k < n) psi([k], A);
    };
    function powers(A: Array, n: Int): Array = forall (k < n) {
      var x: Number = 1;
      var i: Int = 0;
      while i < k bound 100 { x = x * psi([0], A); i = i + 1; };
      value x;
    };
    function all(A: Array, n: Int): Array = fold _+_ (k < n) power(A, k + 1);
    function grown(A: Array, n: Int): Array = if n == 0 then A else grown(cat(A, A, 0), n - 1);
    function piece(A: Array): Array = if dim(A) == 2 then rows(A) else A;
  )");
  expect_array(call("twice", {counting_reals({1, 3}, 3)}), {1, 3}, {4, 4, 4});
  expect_array(call("rows", {counting_reals({3, 2})}), {3}, {1, 5, 9});
  expect_array(call("rows", {counting_reals({2, 0})}), {2}, {0, 0});
  expect_array(call("power", {counting_reals({2, 2}), integer(3)}), {2, 2}, {0, 1, 8, 27});
  EXPECT_EQ(call("most", {array_of<double>({3}, {2, 9, 4})}), real(9));
  expect_array(call("powers", {counting_reals({1}, 3), integer(4)}), {4}, {1, 3, 9, 27});
  expect_array(call("all", {counting_reals({2}, 1), integer(3)}), {2}, {3, 14});
  expect_array(call("grown", {counting_reals({1}, 4), integer(3)}), {8}, Reals(8, 4.0));
  expect_array(call("piece", {counting_reals({1, 2}, 3)}), {1}, {7});
  expect_array(call("piece", {counting_reals({2}, 3)}), {2}, {3, 4});
}

// With a copy per element of the consumer this would take 10^8 steps.
TEST_F(OwnShapes, AnArrayIsTabulatedOnce) {
  load_own(R"(
    function sums(A: Array): Array = forall (p < shape(A)) psi(p, rotate(rotate(A + A, 0, 1), 0, 2));
    function placed(A: Array): Array =
      forall (p < shape(A)) psi(p, (forall (q < shape(A)) (2 * psi(q, A))));
  )");
  const Array long_one = counting_reals({10000});
  const Value rotated = call("sums", {long_one});
  EXPECT_EQ(elements<double>(rotated)[5], 16);
  EXPECT_EQ(elements<double>(call("placed", {long_one}))[9999], 19998);
}

TEST_F(OwnShapes, ViolatedGuardsNameTheNumbers) {
  load_own(R"(
    function first(A: Array): Array guard 1 <= dim(A) = rotate(A, dim(A), 1);
    function added(A: Array, B: Array): Array = A + B;
    procedure step(upd u: Array, obs axis: Int) guard axis < dim(u) && at(shape(u), axis) == 4 {
      u = u + u;
    }
    procedure outer(upd u: Array) { step(u, 1); }
    procedure same(upd u: Array, obs v: Array) guard shape(u) == shape(v) { u = v; }
  )");
  const auto guard = [&](const std::string& name, std::vector<Value> arguments) {
    const Error found = error(name, std::move(arguments));
    EXPECT_EQ(found.code, codes::guard) << found.message;
    return found.message;
  };
  EXPECT_EQ(guard("first", {counting_reals({2, 3})}),
            "rotate on axis 2 needs `axis < dim(A)`: 2 and 2");
  EXPECT_EQ(guard("first", {counting_reals({})}), "first needs `1 <= dim(A)`: 1 and 0");
  EXPECT_EQ(guard("added", {counting_reals({2, 3}), counting_reals({2, 4})}),
            "_+_ needs equal lengths on axis 1: 3 and 4");
  EXPECT_EQ(guard("step", {counting_reals({2, 3}), integer(2)}),
            "step on axis 2 needs `axis < dim(u)`: 2 and 2");
  EXPECT_EQ(guard("outer", {counting_reals({2, 3})}),
            "step on axis 1 needs `at(shape(u), axis) == 4`: 3 and 4");
  EXPECT_EQ(guard("same", {counting_reals({2, 3}), counting_reals({6})}),
            "same needs equal shapes: [2, 3] and [6]");
}

TEST_F(OwnShapes, OtherErrorsHaveTheirPlaces) {
  load_own(R"(
    function at_end(A: Array): Number = psi(shape(A), A);
    function positive(A: Array): Array = {
      assert forall (p < shape(A)) (0 < psi(p, A): Predicate);
      value A;
    };
    procedure step(upd u: Array) {
      u = u + u;
      assert dim(u) == 1;
    }
    function quotient(n: Int): Int = 7 / n;
    function deep(n: Int): Int = deep(n + 1);
    function least(n: Int): Number = fold _-_ (k < n) 1;
  )");
  const auto line = [&](const std::string& name) {
    return program->find(symbol(name))->body ? store[program->find(symbol(name))->location].line
                                             : 0;
  };
  expect_error("at_end", {counting_reals({2, 3})}, codes::index_range,
               "(2, 3) is out of range on axis 0", line("at_end"));
  expect_error("positive", {counting_reals({2})}, codes::assertion, "The assertion `",
               line("positive") + 1);
  expect_error("step", {counting_reals({2, 2})}, codes::assertion, "`dim(u) == 1`",
               line("step") + 2);
  expect_error("quotient", {integer(0)}, codes::division_by_zero, "", line("quotient"));
  expect_error("deep", {integer(0)}, codes::depth, "", line("deep"));
  expect_error("least", {integer(0)}, codes::empty_fold, "no unit", line("least"));
  // What has failed leaves nothing behind.
  EXPECT_EQ(call("quotient", {integer(2)}), integer(3));
}

TEST_F(OwnShapes, ParametersAreNumbersOfTheRun) {
  load_own(R"(
    use Settings;
    procedure step(upd u: Array) { u = forall (p < shape(u)) factor() * psi(p, u) + convert(count()); }
  )",
           R"(implementation Settings = external Kokkos parameters {
                require type Number; require type Int;
                function factor(): Number;
                function count(): Int;
              };)");
  std::vector<Value> arguments{counting_reals({2})};
  const auto missing = try_call("step", arguments);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, codes::parameters);
  EXPECT_NE(missing.error().message.find("count, factor"), std::string::npos);
  options.parameters = {{"factor", std::int64_t{3}}, {"count", std::int64_t{2}}};
  expect_array(run("step", {counting_reals({2}, 1)})[0], {2}, {5, 8});
  options.parameters["factor"] = 0.5;
  expect_array(run("step", {counting_reals({2}, 1)})[0], {2}, {2.5, 3});
}

TEST_F(OwnShapes, WhatTheBackendsOfferForWholeArrays) {
  load(R"(
    implementation Own = external Kokkos array {
      require type E; require type Index; require type Axis; require type Offset;
      type Array;
      function shape(A: Array): Index;
      function psi(p: Index, A: Array): E;
      function _+_(A: Array, B: Array): Array;
      function _*_(a: E, B: Array): Array;
      function rotate(A: Array, axis: Axis, o: Offset): Array;
    };
    program P = {
      use Reals; use Indices; use Own[E => Real]; use Indices1D;
      procedure step(upd u: Array, obs v: Array) { u = 2.0 * rotate(u, 0, 1) + v; }
      function length(A: Array): AxisLength = shape0();
      function shifted(A: Array, p: Index): Real = psi(rotateIx(p, 0, 1), A);
    };)");
  options.domain = {2};
  const std::vector<Value> left = run("step", {counting_reals({3}), counting_reals({3}, 7)});
  expect_array(left[0], {3}, {9, 12, 9});
  EXPECT_EQ(error("step", {counting_reals({3}), counting_reals({4})}).code, codes::shapes);
  EXPECT_EQ(error("length", {counting_reals({3})}).code, codes::primitive);
  EXPECT_EQ(error("shifted", {counting_reals({3}), Index{0}}).code, codes::primitive);
}

TEST_F(OwnShapes, AUsersOwnCode) {
  load_own(R"(
    use Mine;
    function through(a: Number): Number = mine(a) + 1;
  )",
           "implementation Mine = external C++ lib.mine { require type Number; function mine(a: "
           "Number): Number; };");
  expect_error("through", {real(1)}, codes::foreign, "mine",
               store[program->find(symbol("through"))->location].line);
}

TEST_F(OwnShapes, IntegersOfAllKinds) {
  load(R"(
    implementation Short = external Kokkos scalar {
      type Int32 literals integer;
      require type Int;
      function _+_(a: Int32, b: Int32): Int32;
      function convert(a: Int32): Int;
    };
    program P = {
      use Numbers; use Dimension[E => Number]; use Short;
      function twice(a: Int32): Int32 = { var b = a; iterate 1 increase(b); value b + a; };
      procedure increase(upd a: Int32) { a = a + 1; }
      function total(n: Int32): Int32 = fold _+_ (k < n) twice(k);
    };)");
  EXPECT_EQ(call("twice", {Value(std::int32_t{4})}), Value(std::int32_t{9}));
  EXPECT_EQ(call("total", {Value(std::int32_t{3})}), Value(std::int32_t{1 + 3 + 5}));
  EXPECT_EQ(error("twice", {Value(std::numeric_limits<std::int32_t>::max())}).code,
            codes::integer_range);
}

}  // namespace
}  // namespace rhopsi::reference
