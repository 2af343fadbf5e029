#include <limits>

#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::reference {
namespace {

TEST_F(Programs, LiteralsTakeTheTypeOfTheirSort) {
  load(R"(program P = {
    use Reals; use Integers;
    function tenth(): Real = 0.1;
    function seven(): Int = 7;
    function sum(): Real = 0.1 + 0.2;
  };)",
       onf::Scalar::float32);
  EXPECT_EQ(call("tenth"), Value(0.1F));
  EXPECT_EQ(call("seven"), integer(7));
  EXPECT_EQ(call("sum"), Value(0.1F + 0.2F));
}

TEST_F(Programs, Statements) {
  load(R"(program P = {
    use Integers;
    function triangle(n: Int): Int = {
      var sum = 0: Int;
      for i in 1 .. n + 1 { sum = sum + i; };
      value sum;
    };
    function collatz(start: Int, most: Int): Int = {
      var n = start;
      var count: Int = 0;
      while n != 1 bound most {
        if n % 2 == 0 then { n = n / 2; } else { n = 3 * n + 1; };
        count = count + 1;
      };
      value count;
    };
    procedure twice(upd n: Int) { n = 2 * n; }
    procedure divide(obs a: Int, obs b: Int, out q: Int, out r: Int) { q = a / b; r = a % b; }
    function power(n: Int): Int = { var p: Int = 1; iterate n twice(p); value p; };
    function rest(a: Int, b: Int): Int = {
      var q: Int; var r: Int;
      call divide(a, b, q, r);
      assert q * b + r == a;
      value r;
    };
    function sign(n: Int): Int = if n < 0 then -1 else { skip; value if n > 0 then 1 else 0; };
  };)");
  EXPECT_EQ(call("triangle", {integer(100)}), integer(5050));
  EXPECT_EQ(call("triangle", {integer(-3)}), integer(0));
  EXPECT_EQ(call("collatz", {integer(27), integer(1000)}), integer(111));
  EXPECT_EQ(call("collatz", {integer(27), integer(5)}), integer(5));  // stops after the bound
  EXPECT_EQ(call("power", {integer(10)}), integer(1024));
  EXPECT_EQ(call("power", {integer(-1)}), integer(1));
  EXPECT_EQ(call("rest", {integer(-7), integer(3)}), integer(2));
  EXPECT_EQ(call("sign", {integer(-5)}), integer(-1));
  EXPECT_EQ(call("sign", {integer(0)}), integer(0));
  std::vector<Value> arguments{integer(17), integer(5), integer(0), integer(0)};
  const auto result = try_call("divide", arguments);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(*result);
  EXPECT_EQ(arguments, (std::vector<Value>{integer(17), integer(5), integer(3), integer(2)}));
}

TEST_F(Programs, RecursionAndPredicates) {
  load(R"(program P = {
    use Integers;
    function fib(n: Int): Int = if n < 2 then n else fib(n - 1) + fib(n - 2);
    predicate even(n: Int) = n == 0 || (n != 1 && even(n - 2));
    predicate odd(n: Int) = !even(n) <=> TRUE;
  };)");
  EXPECT_EQ(call("fib", {integer(15)}), integer(610));
  EXPECT_EQ(call("even", {integer(10)}), Value(true));
  EXPECT_EQ(call("odd", {integer(10)}), Value(false));
}

TEST_F(Programs, Folds) {
  load(R"(program P = {
    use Integers; use Reals;
    function sum(n: Int): Int = fold _+_ (k < n) k * k;
    function product(n: Int): Int = fold _*_ (k < n) k + 1;
    function left(n: Int): Int = fold _-_ (k < n) k + 1;
    function most(n: Int): Real = fold max (k < n) 1.5;
    predicate all(n: Int) = fold _&&_ (k < n) k < 5;
    predicate some(n: Int) = fold _||_ (k < n) k == 5;
    function three(a: Int, b: Int): Int = a + b + 1;
    function own(n: Int): Int = fold three (k < n) k;
    function nested(n: Int): Int = fold _+_ (i < n) fold _+_ (j < i) i * j;
  };)");
  EXPECT_EQ(call("sum", {integer(5)}), integer(30));
  EXPECT_EQ(call("sum", {integer(0)}), integer(0));
  EXPECT_EQ(call("product", {integer(5)}), integer(120));
  EXPECT_EQ(call("product", {integer(0)}), integer(1));
  EXPECT_EQ(call("left", {integer(4)}), integer(1 - 2 - 3 - 4));
  EXPECT_EQ(call("most", {integer(0)}), real(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(call("all", {integer(5)}), Value(true));
  EXPECT_EQ(call("all", {integer(6)}), Value(false));
  EXPECT_EQ(call("some", {integer(0)}), Value(false));
  EXPECT_EQ(call("own", {integer(4)}), integer(0 + 1 + 1 + 2 + 1 + 3 + 1));
  EXPECT_EQ(call("nested", {integer(4)}), integer(1 * 0 + 2 * (0 + 1) + 3 * (0 + 1 + 2)));
  expect_error("left", {integer(0)}, codes::empty_fold, "no unit of `_-_(Int, Int): Int`", 6);
  expect_error("own", {integer(0)}, codes::empty_fold, "`three(Int, Int): Int`", 11);
}

TEST_F(Programs, AnOverloadedFoldFindsItsUnit) {
  load(R"(program P = {
    use Integers; use Reals;
    function low(n: Int): Int = fold min (k < n) 3 - k;
    function high(n: Int): Real = fold min (k < n) 1.5;
  };)");
  EXPECT_EQ(call("low", {integer(4)}), integer(0));
  EXPECT_EQ(call("low", {integer(0)}), integer(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(call("high", {integer(0)}), real(std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace rhopsi::reference
