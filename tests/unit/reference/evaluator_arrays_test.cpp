#include <algorithm>
#include <cmath>

#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::reference {
namespace {

// Brute force: the element at an index of three components, wrapped round.
double at(const Array& array, std::int64_t i, std::int64_t j, std::int64_t k) {
  const auto wrap = [](std::int64_t a, std::int64_t s) { return ((a % s) + s) % s; };
  const auto& s = array.shape;
  const auto position = (wrap(i, s[0]) * s[1] + wrap(j, s[1])) * s[2] + wrap(k, s[2]);
  return std::get<std::vector<double>>(*array.elements)[static_cast<std::size_t>(position)];
}

template <class F>
std::vector<double> tabulate(const std::vector<std::int64_t>& s, const F& f) {
  std::vector<double> data;
  for (std::int64_t i = 0; i < s[0]; ++i) {
    for (std::int64_t j = 0; j < s[1]; ++j) {
      for (std::int64_t k = 0; k < s[2]; ++k) data.push_back(f(i, j, k));
    }
  }
  return data;
}

TEST_F(Programs, WholeArrayOperations) {
  load(R"(program P = {
    use Arrays;
    function combined(a: Array, b: Array, c: Real): Array = -a * b + c / max(abs(b), 1.0) - min(a, 2.0);
    function turned(a: Array, axis: Axis, o: Offset): Array = rotate(a, axis, o);
    predicate same(a: Array, b: Array) = a == b;
  };)");
  options.domain = {2, 3, 5};
  const Array a = sample({2, 3, 5});
  const Array b =
      array_of<double>({2, 3, 5}, tabulate({2, 3, 5}, [](auto i, auto j, auto k) {
                         return 0.75 * static_cast<double>(i - j) + static_cast<double>(k);
                       }));
  EXPECT_EQ(elements<double>(call("combined", {a, b, real(3)})),
            tabulate(a.shape, [&](auto i, auto j, auto k) {
              const double x = at(a, i, j, k);
              const double y = at(b, i, j, k);
              return -x * y + 3.0 / std::max(std::abs(y), 1.0) - std::min(x, 2.0);
            }));
  for (std::int64_t o : {-7, -1, 0, 1, 4}) {
    EXPECT_EQ(elements<double>(call("turned", {a, integer(0), integer(o)})),
              tabulate(a.shape, [&](auto i, auto j, auto k) { return at(a, i + o, j, k); }));
    EXPECT_EQ(elements<double>(call("turned", {a, integer(2), integer(o)})),
              tabulate(a.shape, [&](auto i, auto j, auto k) { return at(a, i, j, k + o); }));
  }
  EXPECT_EQ(call("same", {a, a}), Value(true));
  EXPECT_EQ(call("same", {a, b}), Value(false));
}

TEST_F(Programs, FloatArraysComputeInFloat) {
  load("program P = { use Arrays; function f(a: Array): Array = 0.1 * a + a; };",
       onf::Scalar::float32);
  options.domain = {3};
  const std::vector<float> data{1.1F, 2.2F, 3.3F};
  std::vector<float> expected;
  for (float x : data) {
    const float product = 0.1F * x;
    expected.push_back(product + x);
  }
  EXPECT_EQ(elements<float>(call("f", {array_of<float>({3}, data)})), expected);
}

constexpr const char* indexing = R"(program P = {
  use Arrays; use Indices3D; use Psi3D[E => Real];
  function shifted(a: Array, ix: Index): Real = psi(rotateIx(rotateIx(ix, 0, -1), 2, 1), a);
  function spread(a: Array, ix: Index): Real = psi(ix0(ix), ix1(ix), ix2(ix), a);
  function made(i: ScalarIndex): Index = mkIx(i, i + 1, i % shape2());
  predicate within(ix: Index) = inside(ix);
  function size(): AxisLength = shape1();
};)";

TEST_F(Programs, Indices) {
  load(indexing);
  options.domain = {2, 3, 5};
  const Array a = sample({2, 3, 5});
  EXPECT_EQ(call("shifted", {a, Index{0, 2, 4}}), real(at(a, -1, 2, 5)));
  EXPECT_EQ(call("spread", {a, Index{1, 2, 3}}), real(at(a, 1, 2, 3)));
  EXPECT_EQ(call("within", {Index{1, 2, 4}}), Value(true));
  EXPECT_EQ(call("within", {Index{1, 3, 4}}), Value(false));
  EXPECT_EQ(call("within", {Index{1, -1, 4}}), Value(false));
  EXPECT_EQ(call("size"), integer(3));
  EXPECT_EQ(call("made", {integer(7)}), Value(Index{7, 8, 2}));
}

TEST_F(Programs, SchedulesCallTheElementAtEachIndex) {
  load(R"(program P = {
    use Arrays;
    function term(a: Array, c: Real, ix: Index): Real = c * psi(rotateIx(ix, 1, 2), a);
    function both(a: Array, c: Real): Array = first(a, c) + second(a);
    function other(a: Array, ix: Index): Real = psi(ix, a);
    use FlatSchedule[schedule => first, element => term, E => Real];
    use FlatSchedule[schedule => second, element => other, E => Real];
  };)");
  options.domain = {2, 3, 5};
  const Array a = sample({2, 3, 5});
  EXPECT_EQ(elements<double>(call("both", {a, real(3)})),
            tabulate(a.shape, [&](auto i, auto j, auto k) {
              return 3 * at(a, i, j + 2, k) + at(a, i, j, k);
            }));
}

TEST_F(Programs, SchedulesByComponents) {
  load(R"(program P = {
    use Arrays; use Psi3D[E => Real]; use Indices3D;
    function term(a: Array, i: ScalarIndex, j: ScalarIndex, k: ScalarIndex): Real =
      psi((i + 1) % shape0(), j, k, a);
    function f(a: Array): Array = schedule(a);
    use Schedule3D[element => term, E => Real];
  };)");
  options.domain = {4, 3, 2};
  const Array a = sample({4, 3, 2});
  EXPECT_EQ(elements<double>(call("f", {a})),
            tabulate(a.shape, [&](auto i, auto j, auto k) { return at(a, i + 1, j, k); }));
  options.domain = {4, 3};
  expect_error("f", {sample({4, 3})}, codes::shapes, "takes 3 components", 6);
}

// Without the cache this is quadratic in the number of elements: 10^8 additions.
TEST_F(Programs, ArraysInsideAnElementAreComputedOnce) {
  load(R"(program P = {
    use Arrays;
    function inner(a: Array, b: Array, ix: Index): Real = { var c = a * b + a; value psi(ix, c); };
    function term(a: Array, b: Array, ix: Index): Real =
      psi(ix, rotate(a + b, 0, 1) + a) + inner(a, b, ix) - inner(b, a, ix);
    function f(a: Array, b: Array): Array = schedule(a, b);
    use FlatSchedule[element => term, E => Real];
  };)");
  options.domain = {20, 20, 25};
  const Array a = sample(options.domain);
  const Array b = array_of<double>(options.domain, std::vector<double>(10000, 2.0));
  EXPECT_EQ(elements<double>(call("f", {a, b})), tabulate(a.shape, [&](auto i, auto j, auto k) {
              const double x = at(a, i, j, k);
              return at(a, i + 1, j, k) + 2 + x + (x * 2 + x) - (2 * x + 2);
            }));
}

constexpr const char* padded = R"(program P = {
  use Arrays; use Padding;
  require type Offset literals integer;
  function padding(): Offset = 1;
  function term(a: Array, ix: Index): Real =
    psi(rotateIxPadded(ix, 0, -1), a) + psi(rotateIxPadded(rotateIxPadded(ix, 0, 1), 1, 1), a);
  function far(a: Array, ix: Index): Real = psi(rotateIxPadded(ix, 0, -2), a);
  use PaddedSchedule[schedule => sweep, element => term, E => Real];
  use PaddedSchedule[schedule => leap, element => far, E => Real];
  function once(a: Array): Array = sweep(a);
  function refilled(a: Array): Array = {
    var b = sweep(a);
    call refillPadding(b);
    value sweep(b);
  };
  function stale(a: Array): Array = sweep(sweep(a));
  function turned(a: Array): Array = sweep(rotate(sweep(a), 0, 1));
  function summed(a: Array): Array = sweep(sweep(a) + a);
  function out(a: Array): Array = leap(a);
};)";

TEST_F(Programs, PaddingHoldsTheCircularValues) {
  load(padded);
  options.domain = {4, 3, 2};
  const Array a = sample({4, 3, 2});
  const auto sweep = [](const Array& x) {
    return array_of<double>(x.shape, tabulate(x.shape, [&](auto i, auto j, auto k) {
                              return at(x, i - 1, j, k) + at(x, i + 1, j + 1, k);
                            }));
  };
  EXPECT_EQ(elements<double>(call("once", {a})), elements<double>(sweep(a)));
  EXPECT_EQ(elements<double>(call("refilled", {a})), elements<double>(sweep(sweep(a))));
  call("turned", {a});
}

TEST_F(Programs, StalePaddingIsNotRead) {
  load(padded);
  options.domain = {4, 3, 2};
  const Array a = sample({4, 3, 2});
  expect_error("stale", {a}, codes::stale_padding, "(-1, 0, 0) reads the padding", 7);
  expect_error("summed", {a}, codes::stale_padding, "not refilled", 7);
  expect_error("out", {a}, codes::index_range, "(-2, 0, 0) is out of range on axis 0", 8);
}

TEST_F(Programs, Foralls) {
  load(R"(program P = {
    use Arrays; use Indices2D; use Psi2D[E => Real];
    function transposed(a: Array, n: AxisLength, m: AxisLength): Array =
      forall (ix < [2, 3]) psi(ix1(ix) % m, ix0(ix) % n, a);
    predicate positive(a: Array) = forall (ix < [2, 3]) psi(ix, a) > 0;
  };)");
  options.domain = {3, 2};
  const Array a = array_of<double>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(elements<double>(call("transposed", {a, integer(2), integer(3)})),
            (std::vector<double>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(call("positive", {array_of<double>({2, 3}, {1, 2, 3, 4, 5, 6})}), Value(true));
  EXPECT_EQ(call("positive", {array_of<double>({2, 3}, {1, 2, 3, -4, 5, 6})}), Value(false));
}

}  // namespace
}  // namespace rhopsi::reference
