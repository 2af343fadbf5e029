#include "backends/reference/scalars.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"

namespace rhopsi::reference {
namespace {

using onf::Scalar;
using onf::ScalarFunction;

template <class T>
T binary(ScalarFunction function, T a, T b) {
  const Value arguments[] = {a, b};
  return std::get<T>(apply_scalar(function, arguments));
}

template <class T>
T unary(ScalarFunction function, T a) {
  const Value arguments[] = {a};
  return std::get<T>(apply_scalar(function, arguments));
}

template <class Evaluation>
std::string code_of(const Evaluation& evaluation) {
  try {
    evaluation();
  } catch (const Failure& failure) {
    return failure.code;
  }
  return "none";
}

TEST(Scalars, IntegerDivisionIsEuclidean) {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      const auto q = binary<std::int64_t>(ScalarFunction::divide, a, b);
      const auto r = binary<std::int64_t>(ScalarFunction::modulo, a, b);
      EXPECT_EQ(a, b * q + r) << a << ' ' << b;
      EXPECT_GE(r, 0);
      EXPECT_LT(r, std::abs(b));
      EXPECT_EQ(binary<std::int32_t>(ScalarFunction::divide, static_cast<std::int32_t>(a),
                                     static_cast<std::int32_t>(b)),
                q);
    }
  }
}

TEST(Scalars, IntegerErrors) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const auto code = [](ScalarFunction f, std::int64_t a, std::int64_t b) {
    return code_of([&] { binary<std::int64_t>(f, a, b); });
  };
  EXPECT_EQ(code(ScalarFunction::divide, 1, 0), codes::division_by_zero);
  EXPECT_EQ(code(ScalarFunction::modulo, 1, 0), codes::division_by_zero);
  EXPECT_EQ(code(ScalarFunction::divide, least, -1), codes::integer_range);
  EXPECT_EQ(code(ScalarFunction::add, most, 1), codes::integer_range);
  EXPECT_EQ(code(ScalarFunction::subtract, least, 1), codes::integer_range);
  EXPECT_EQ(code(ScalarFunction::multiply, most, 2), codes::integer_range);
  EXPECT_EQ(code_of([&] { unary<std::int64_t>(ScalarFunction::negate, least); }),
            codes::integer_range);
  EXPECT_EQ(code_of([&] { unary<std::int64_t>(ScalarFunction::absolute, least); }),
            codes::integer_range);
  EXPECT_EQ(code_of([&] { binary<std::int32_t>(ScalarFunction::multiply, 1 << 20, 1 << 20); }),
            codes::integer_range);
  EXPECT_EQ(binary<std::int64_t>(ScalarFunction::modulo, least, -1), 0);
  EXPECT_EQ(binary<std::int64_t>(ScalarFunction::modulo, -1, least), most);
}

TEST(Scalars, FloatIsFloat) {
  const float third = 1.0F / 3.0F;
  EXPECT_EQ(binary<float>(ScalarFunction::divide, 1.0F, 3.0F), third);
  EXPECT_EQ(binary<float>(ScalarFunction::add, 16777216.0F, 1.0F), 16777216.0F);
  EXPECT_EQ(unary<float>(ScalarFunction::sqrt, 2.0F), std::sqrt(2.0F));
  EXPECT_TRUE(std::isinf(binary<double>(ScalarFunction::divide, 1, 0)));
  EXPECT_EQ(binary<double>(ScalarFunction::modulo, -1, 3), 2);
  EXPECT_EQ(unary<double>(ScalarFunction::absolute, -2.5), 2.5);
  EXPECT_EQ(binary<double>(ScalarFunction::pow, 2, 10), 1024);
}

TEST(Scalars, Conversions) {
  EXPECT_EQ(std::get<std::int64_t>(convert(2.9, Scalar::int64)), 2);
  EXPECT_EQ(std::get<std::int32_t>(convert(-2.9F, Scalar::int32)), -2);
  EXPECT_EQ(std::get<float>(convert(std::int64_t{16777217}, Scalar::float32)), 16777216.0F);
  EXPECT_EQ(std::get<bool>(convert(0.5, Scalar::boolean)), true);
  EXPECT_EQ(std::get<double>(convert(true, Scalar::float64)), 1);
  EXPECT_EQ(code_of([] { convert(std::nan(""), Scalar::int64); }), codes::integer_range);
  EXPECT_EQ(code_of([] { convert(9.3e18, Scalar::int64); }), codes::integer_range);
  EXPECT_EQ(code_of([] { convert(std::int64_t{1} << 31, Scalar::int32); }), codes::integer_range);
}

TEST(Scalars, UnitsAreUnits) {
  using F = ScalarFunction;
  for (F function : {F::add, F::multiply, F::minimum, F::maximum}) {
    for (Scalar type : {Scalar::int32, Scalar::int64, Scalar::float32, Scalar::float64}) {
      const auto unit = unit_of(function, type);
      ASSERT_TRUE(unit);
      for (std::int64_t x : {-7, 0, 12}) {
        const Value arguments[] = {*unit, integer_value(x, type)};
        EXPECT_EQ(apply_scalar(function, arguments), arguments[1]);
      }
    }
  }
  EXPECT_EQ(std::get<bool>(*unit_of(F::and_, Scalar::boolean)), true);
  EXPECT_EQ(std::get<bool>(*unit_of(F::or_, Scalar::boolean)), false);
  EXPECT_FALSE(unit_of(F::subtract, Scalar::float64));
  EXPECT_FALSE(unit_of(F::add, Scalar::boolean));
}

}  // namespace
}  // namespace rhopsi::reference
