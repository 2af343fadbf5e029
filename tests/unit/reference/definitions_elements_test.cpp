// Operations that compute, cell by cell or from values, against numbers worked out by hand.
#include <cmath>
#include <limits>

#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Computing : public Expressions {
 protected:
  const Array matrix = counting({2, 3}, 1);  // [[1, 2, 3], [4, 5, 6]]
  const Array vector = integers({4}, {30, 10, 20, 10});
  const Array none = integers({0}, {});
  const Array flat = integers({3, 0}, {});
  const Array mask = make_array({4}, Truths{1, 0, 0, 1});
};

TEST_F(Computing, PointwiseWithScalarExtension) {
  expect<std::int64_t>("A + A", {{"A", matrix}}, {2, 3}, {2, 4, 6, 8, 10, 12});
  expect<std::int64_t>("1 - A", {{"A", matrix}}, {2, 3}, {0, -1, -2, -3, -4, -5});
  expect<std::int64_t>("A - 1", {{"A", matrix}}, {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<std::int64_t>("2 * 3", {}, {}, {6});
  expect<std::int64_t>("2 + A", {{"A", none}}, {0}, {});
  expect<std::int64_t>("-A", {{"A", vector}}, {4}, {-30, -10, -20, -10});
  expect<std::int64_t>("abs(A - 20)", {{"A", vector}}, {4}, {10, 10, 0, 10});
  expect<std::int64_t>("min(A, 15) + max(A, 15)", {{"A", vector}}, {4}, {45, 25, 35, 25});
  expect<double>("pow(A, 2)", {{"A", vector}}, {4}, {900, 100, 400, 100});
  expect<double>("sqrt(A - 5)", {{"A", integers({2}, {9, 14})}}, {2}, {2, 3});
  expect<double>("exp(0) + log(1) + sin(0) + cos(0) + tanh(0)", {}, {}, {2});
  expect<std::int64_t>("select(A > 15, A, 0)", {{"A", vector}}, {4}, {30, 0, 20, 0});
  expect<std::int64_t>("select([1, 0], 7, 9)", {}, {2}, {7, 9});
}

TEST_F(Computing, DivisionIsEuclideanOnIntegersOnly) {
  const Array both = integers({4}, {7, -7, 7, -7});
  const Array by = integers({4}, {2, 2, -2, -2});
  expect<std::int64_t>("A / B", {{"A", both}, {"B", by}}, {4}, {3, -4, -3, 4});
  expect<std::int64_t>("A % B", {{"A", both}, {"B", by}}, {4}, {1, 1, 1, 1});
  expect<double>("A / 2.0", {{"A", both}}, {4}, {3.5, -3.5, 3.5, -3.5});
  expect<double>("A % 2.0", {{"A", both}}, {4}, {1, 1, 1, 1});
  expect<double>("1.0 / 0.0", {}, {}, {infinity});
}

TEST_F(Computing, NumbersPromoteAsFarAsNeeded) {
  const Array narrow = make_array({2}, std::vector<std::int32_t>{3, 4});
  const Array single = make_array({2}, std::vector<float>{0.1F, 2});
  expect<std::int64_t>("A", {{"A", narrow}}, {2}, {3, 4});
  expect<std::int64_t>("A * A", {{"A", make_array({1}, std::vector<std::int32_t>{1 << 20})}}, {1},
                       {std::int64_t{1} << 40});
  expect<float>("A + A", {{"A", single}}, {2}, {0.2F, 4});
  expect<float>("sqrt(A)", {{"A", single}}, {2}, {std::sqrt(0.1F), std::sqrt(2.F)});
  expect<double>("A + 0.0", {{"A", single}}, {2}, {static_cast<double>(0.1F), 2});
  expect<std::uint8_t>("A", {{"A", mask}}, {4}, {1, 0, 0, 1});
  expect<std::uint8_t>("!A || A", {{"A", mask}}, {4}, {1, 1, 1, 1});
  expect<std::int64_t>("A + A", {{"A", mask}}, {4}, {2, 0, 0, 2});
  expect<std::uint8_t>("A < 15 && A > 0", {{"A", vector}}, {4}, {0, 1, 0, 1});
  expect<std::uint8_t>("(A == 10) != (A >= 20)", {{"A", vector}}, {4}, {1, 1, 1, 1});
  expect<std::uint8_t>("!A", {{"A", integers({3}, {5, 0, -1})}}, {3}, {0, 1, 0});
  // All elements of an array have one type, whichever branch they come from.
  expect<double>("cat(A, B, 0) / 2", {{"A", integers({1}, {7})}, {"B", reals({1}, {2.5})}}, {2},
                 {3.5, 1.25});
  expect<double>("pad_constant(A, 0, 0, 0, 2.5) / 2", {{"A", integers({1}, {7})}}, {1}, {3.5});
  expect<double>("take(A, 0, 0)", {{"A", reals({2}, {1, 2})}}, {0}, {});
  expect<double>("real(A) / 2", {{"A", integers({1}, {7})}}, {1}, {3.5});
  expect<std::int64_t>("integer(A)", {{"A", reals({3}, {1.9, -1.9, 0})}}, {3}, {1, -1, 0});
}

TEST_F(Computing, IntegersWrap) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const Inputs ends = {{"A", integers({2}, {most, least})}};
  expect<std::int64_t>("A + 1", ends, {2}, {least, least + 1});
  expect<std::int64_t>("A - 1", ends, {2}, {most - 1, most});
  expect<std::int64_t>("A * 2", ends, {2}, {-2, 0});
  expect<std::int64_t>("-A", ends, {2}, {-most, least});
  expect<std::int64_t>("abs(A)", ends, {2}, {most, least});
  expect<std::int64_t>("A / -1", ends, {2}, {-most, least});
  expect<std::int64_t>("A % -1", ends, {2}, {0, 0});
  expect<std::int64_t>("sum(A, 0)", {{"A", integers({2}, {most, most})}}, {}, {-2});
}

TEST_F(Computing, Reductions) {
  expect<std::int64_t>("sum(A, 0)", {{"A", matrix}}, {3}, {5, 7, 9});
  expect<std::int64_t>("sum(A, 1)", {{"A", matrix}}, {2}, {6, 15});
  expect<std::int64_t>("product(A, 1)", {{"A", matrix}}, {2}, {6, 120});
  expect<std::int64_t>("minimum(A, 0)", {{"A", vector}}, {}, {10});
  expect<std::int64_t>("maximum(A, 0)", {{"A", vector}}, {}, {30});
  expect<std::int64_t>("product(A)", {{"A", vector}}, {}, {60000});
  expect<std::int64_t>("sum(A, 0)", {{"A", mask}}, {}, {2});
  expect<std::uint8_t>("all(A, 1)", {{"A", integers({2, 2}, {1, 2, 3, 0})}}, {2}, {1, 0});
  expect<std::uint8_t>("any(A, 1)", {{"A", integers({2, 2}, {5, 0, 0, 0})}}, {2}, {1, 0});
  // Ascending, from the first element: the rounding tells.
  expect<double>("sum(A, 0)", {{"A", reals({3}, {1, 1e16, -1e16})}}, {}, {0});
  expect<double>("sum(A, 0)", {{"A", reals({3}, {1e16, -1e16, 1})}}, {}, {1});
}

TEST_F(Computing, ReductionsOfNothingAreTheUnit) {
  expect<std::int64_t>("sum(A, 1)", {{"A", flat}}, {3}, {0, 0, 0});
  expect<std::int64_t>("sum(A, 0)", {{"A", flat}}, {0}, {});
  expect<std::int64_t>("product(A, 0)", {{"A", none}}, {}, {1});
  expect<std::int64_t>("minimum(A, 0)", {{"A", none}}, {},
                       {std::numeric_limits<std::int64_t>::max()});
  expect<double>("minimum(A, 0)", {{"A", reals({0}, {})}}, {}, {infinity});
  expect<double>("maximum(A, 0)", {{"A", reals({0}, {})}}, {}, {-infinity});
  expect<std::uint8_t>("all(A, 0)", {{"A", none}}, {}, {1});
  expect<std::uint8_t>("any(A, 0)", {{"A", none}}, {}, {0});
  expect<std::int64_t>("cumsum(A, 0)", {{"A", none}}, {0}, {});
  expect<std::int64_t>("matmul(A, B)", {{"A", flat}, {"B", integers({0, 2}, {})}}, {3, 2},
                       Integers(6));
}

TEST_F(Computing, Scans) {
  expect<std::int64_t>("cumsum(A, 1)", {{"A", matrix}}, {2, 3}, {1, 3, 6, 4, 9, 15});
  expect<std::int64_t>("cumsum(A, 0)", {{"A", matrix}}, {2, 3}, {1, 2, 3, 5, 7, 9});
  expect<std::int64_t>("cumproduct(A, 1)", {{"A", matrix}}, {2, 3}, {1, 2, 6, 4, 20, 120});
  expect<std::int64_t>("cumminimum(A, 0)", {{"A", vector}}, {4}, {30, 10, 10, 10});
  expect<std::int64_t>("cummaximum(A, 0)", {{"A", vector}}, {4}, {30, 30, 30, 30});
}

TEST_F(Computing, OuterProductsByEveryFunction) {
  const Inputs two = {{"A", integers({2}, {7, -3})}, {"B", integers({2}, {2, 7})}};
  expect<std::int64_t>("outer_add(A, B)", two, {2, 2}, {9, 14, -1, 4});
  expect<std::int64_t>("outer_sub(A, B)", two, {2, 2}, {5, 0, -5, -10});
  expect<std::int64_t>("outer_mul(A, B)", two, {2, 2}, {14, 49, -6, -21});
  expect<std::int64_t>("outer_div(A, B)", two, {2, 2}, {3, 1, -2, -1});
  expect<std::int64_t>("outer_mod(A, B)", two, {2, 2}, {1, 0, 1, 4});
  expect<std::int64_t>("outer_min(A, B)", two, {2, 2}, {2, 7, -3, -3});
  expect<std::int64_t>("outer_max(A, B)", two, {2, 2}, {7, 7, 2, 7});
  expect<double>("outer_pow(A, B)", two, {2, 2}, {49, 823543, 9, -2187});
  expect<std::uint8_t>("outer_less(A, B)", two, {2, 2}, {0, 0, 1, 1});
  expect<std::uint8_t>("outer_less_equal(A, B)", two, {2, 2}, {0, 1, 1, 1});
  expect<std::uint8_t>("outer_greater(A, B)", two, {2, 2}, {1, 0, 0, 0});
  expect<std::uint8_t>("outer_greater_equal(A, B)", two, {2, 2}, {1, 1, 0, 0});
  expect<std::uint8_t>("outer_equal(A, B)", two, {2, 2}, {0, 1, 0, 0});
  expect<std::uint8_t>("outer_not_equal(A, B)", two, {2, 2}, {1, 0, 1, 1});
  expect<std::uint8_t>("outer_and(A, B - 2)", two, {2, 2}, {0, 1, 0, 1});
  expect<std::uint8_t>("outer_or(A - 7, B - 2)", two, {2, 2}, {0, 1, 1, 1});
  // A single number has no index.
  expect<std::int64_t>("outer_sub(A, 1)", two, {2}, {6, -4});
  expect<std::int64_t>("shape(outer_mul(A, C))", {{"A", matrix}, {"C", counting({4, 5})}}, {4},
                       {2, 3, 4, 5});
}

TEST_F(Computing, InnerProducts) {
  const Inputs inputs = {
      {"A", matrix}, {"B", counting({3, 2}, 1)}, {"v", integers({3}, {1, 0, 2})}};
  expect<std::int64_t>("matmul(A, B)", inputs, {2, 2}, {22, 28, 49, 64});
  expect<std::int64_t>("inner_add_mul(A, v)", inputs, {2}, {7, 16});
  expect<std::int64_t>("inner_add_mul(v, B)", inputs, {2}, {11, 14});
  expect<std::int64_t>("inner_add_mul(v, v)", inputs, {}, {5});
  expect<std::int64_t>("inner_min_add(A, B)", inputs, {2, 2}, {2, 3, 5, 6});
  expect<std::int64_t>("inner_max_add(A, v)", inputs, {2}, {5, 8});
  expect<std::uint8_t>("inner_and_less(v, B)", inputs, {2}, {0, 1});
  expect<std::uint8_t>("inner_or_equal(v, B)", inputs, {2}, {1, 0});
  expect<std::int64_t>("shape(matmul(A, B))", {{"A", counting({2, 3, 4})}, {"B", counting({4, 5})}},
                       {3}, {2, 3, 5});
}

TEST_F(Computing, Selections) {
  expect<std::int64_t>("gather(A, 0, [2, 0, 2])", {{"A", vector}}, {3}, {20, 30, 20});
  expect<std::int64_t>("gather(A, 1, [2, 0])", {{"A", matrix}}, {2, 2}, {3, 1, 6, 4});
  expect<std::int64_t>("gather(A, 0, v)", {{"A", vector}, {"v", none}}, {0}, {});
  expect<std::int64_t>("grade_up(A)", {{"A", vector}}, {4}, {1, 3, 2, 0});
  expect<std::int64_t>("gather(A, 0, grade_up(A))", {{"A", vector}}, {4}, {10, 10, 20, 30});
  expect<std::int64_t>("compress(A, 0, m)", {{"A", vector}, {"m", mask}}, {2}, {30, 10});
  expect<std::int64_t>("compress(A, 1, [0, 1, 1])", {{"A", matrix}}, {2, 2}, {2, 3, 5, 6});
  expect<std::int64_t>("compress(A, 1, [0, 0, 0])", {{"A", matrix}}, {2, 0}, {});
  expect<std::int64_t>("expand(A, 0, [0, 1, 1, 0, 1])", {{"A", integers({3}, {5, 6, 7})}}, {5},
                       {0, 5, 6, 0, 7});
  expect<std::int64_t>("expand(A, 1, [1, 0, 1, 1])", {{"A", matrix}}, {2, 4},
                       {1, 0, 2, 3, 4, 0, 5, 6});
}

TEST_F(Computing, Updates) {
  const Array five = counting({5}, 1);
  expect<std::int64_t>("update(A, [1], [2], [2], [8, 9])", {{"A", five}}, {5}, {1, 8, 3, 9, 5});
  expect<std::int64_t>("update(A, [4], [3], [-2], [7, 8, 9])", {{"A", five}}, {5}, {9, 2, 8, 4, 7});
  expect<std::int64_t>("update(A, [2], [1], [0], [9])", {{"A", five}}, {5}, {1, 2, 9, 4, 5});
  expect<std::int64_t>("update(A, [0], [0], [1], v)", {{"A", five}, {"v", none}}, {5},
                       {1, 2, 3, 4, 5});
  expect<std::int64_t>("update(A, [0, 1], [2, 1], [1, 3], X)",
                       {{"A", matrix}, {"X", integers({2, 1}, {8, 9})}}, {2, 3},
                       {1, 8, 3, 4, 9, 6});
  expect<double>("update(A, [1], [1], [1], X) / 2",
                 {{"A", integers({2}, {1, 2})}, {"X", reals({1}, {0.5})}}, {2}, {0.5, 0.25});
}

TEST_F(Computing, OperationsOnCells) {
  const Array cube = counting({2, 2, 2}, 1);
  expect<std::int64_t>("omega_transpose(A, 2)", {{"A", cube}}, {2, 2, 2}, {1, 3, 2, 4, 5, 7, 6, 8});
  expect<std::int64_t>("omega_ravel(A, 2)", {{"A", cube}}, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect<std::int64_t>("omega_ravel(A, 0)", {{"A", integers({2}, {5, 6})}}, {2, 1}, {5, 6});
  expect<std::int64_t>("omega_grade_up(A, 1)", {{"A", integers({2, 2}, {2, 1, 3, 4})}}, {2, 2},
                       {1, 0, 0, 1});
  // A row with each row; a number of the frame with each row.
  expect<std::int64_t>("omega_add(A, v, 1, 1)", {{"A", matrix}, {"v", integers({3}, {10, 20, 30})}},
                       {2, 3}, {11, 22, 33, 14, 25, 36});
  expect<std::int64_t>("omega_sub(A, v, 1, 0)", {{"A", matrix}, {"v", integers({2}, {10, 20})}},
                       {2, 3}, {-9, -8, -7, -16, -15, -14});
  expect<std::int64_t>("omega_matmul(L, R, 2, 2)",
                       {{"L", counting({2, 1, 2}, 1)}, {"R", counting({2, 2, 1}, 1)}}, {2, 1, 1},
                       {5, 25});
  // Own axes of both frames: those of L come first.
  expect<std::int64_t>("shape(omega_matmul(L, R, 2, 2))",
                       {{"L", counting({3, 5, 2, 3})}, {"R", counting({5, 3, 4})}}, {4},
                       {3, 5, 2, 4});
  expect<std::int64_t>("omega_outer_mul(L, R, 1, 1)",
                       {{"L", integers({2, 1}, {2, 3})}, {"R", integers({2, 2}, {5, 6, 7, 8})}},
                       {2, 1, 2}, {10, 12, 21, 24});
}

TEST_F(Computing, ValuesAsArgumentsAndOtherSorts) {
  expect<std::int64_t>("iota(integer(A))", {{"A", reals({}, {3.9})}}, {3}, {0, 1, 2});
  expect<std::int64_t>("transpose(A, index(v))", {{"A", matrix}, {"v", integers({2}, {1, 0})}},
                       {3, 2}, {1, 4, 2, 5, 3, 6});
  expect<std::int64_t>("array(k) + array(v)", {{"k", std::int64_t{3}}, {"v", Index{4, 7}}}, {2},
                       {7, 10});
  expect_value("shape(A)", {{"A", matrix}}, "Index", Index{2, 3});
  expect_value("len(p) + at(p, 1)", {{"p", Index{4, 7}}}, "Int", std::int64_t{9});
  expect_value("product(p)", {{"p", Index{}}}, "Int", std::int64_t{1});
  expect_value("psi([1, 2], A)", {{"A", matrix}}, "Number", std::int64_t{6});
}

TEST_F(Computing, RankSix) {
  const Array six = counting({2, 1, 3, 1, 2, 2});
  expect<std::int64_t>("shape(transpose(A, [5, 0, 4, 1, 3, 2]))", {{"A", six}}, {6},
                       {1, 1, 2, 2, 3, 2});
  expect<std::int64_t>("transpose(transpose(A)) - A", {{"A", six}}, {2, 1, 3, 1, 2, 2},
                       Integers(24));
  expect<std::int64_t>("psi([1, 0, 2, 0, 1], A)", {{"A", six}}, {2}, {22, 23});
}

}  // namespace
}  // namespace rhopsi::reference
