// The scalar functions of the externals, as functions for kernels (rhopsi::minimum(a, b)) and
// as functors for pointwise (rhopsi::function::minimum).
//
// Integers wrap; their / and % are Euclidean. minimum is b < a ? b : a and maximum
// a < b ? b : a, so of equal operands and beside a NaN the left one is taken.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "rhopsi_index.hpp"

#define RHOPSI_ELEMENTARY KOKKOS_FORCEINLINE_FUNCTION
// Part of a kernel of a device, it would take registers from what is asked for.
#if defined(__GNUC__)
#define RHOPSI_ELEMENTARY_APART KOKKOS_INLINE_FUNCTION __attribute__((noinline))
#else
#define RHOPSI_ELEMENTARY_APART KOKKOS_INLINE_FUNCTION
#endif
#include "elementary.hpp"
#include "sines.hpp"

namespace rhopsi {
namespace detail {

// Arithmetic of int64 through its unsigned type, so that overflow wraps.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                    std::make_unsigned<T>, std::common_type<T>>;
template <class T>
using wrapping_t = typename Wrapping<T>::type;

// Functions of the reals on integers go through double.
template <class T>
using real_t = std::conditional_t<std::is_floating_point_v<T>, T, double>;

}  // namespace detail

// a && b and a || b of which both sides are computed: compilers make vectors of these, and branches
// of the others.
KOKKOS_FORCEINLINE_FUNCTION bool both(bool a, bool b) { return a & b; }
KOKKOS_FORCEINLINE_FUNCTION bool either(bool a, bool b) { return a | b; }

// 1 or 0. Of a conversion of several conditions compilers make no vectors.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T number(bool c) {
  return c ? T(1) : T(0);
}

// c ? a : b of two numbers that are both computed. By bits: of a choice a compiler makes branches,
// puts what only one of them needs into it, and then finds no vectors; or a loop for each outcome.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T blend(bool c, T a, T b) {
#if !RHOPSI_ON_DEVICE
  if constexpr (std::is_floating_point_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    Bits left, right;
    std::memcpy(&left, &a, sizeof a);
    std::memcpy(&right, &b, sizeof b);
    const Bits taken = Bits(0) - static_cast<Bits>(c);
    const Bits made = (left & taken) | (right & ~taken);
    std::memcpy(&a, &made, sizeof a);
    return a;
  }
#endif
  return c ? a : b;
}

// What is not chosen may be a pad that is read for nothing, so is never filled: a checked program
// does not read it.
#ifdef RHOPSI_CHECKED
#define RHOPSI_BLEND(T, c, a, b) ((c) ? static_cast<T>(a) : static_cast<T>(b))
#else
#define RHOPSI_BLEND(T, c, a, b) ::rhopsi::blend<T>(c, a, b)
#endif

#define RHOPSI_ARITHMETIC(name, op)                                \
  template <class T>                                               \
  KOKKOS_FORCEINLINE_FUNCTION T name(T a, T b) {                   \
    using W = detail::wrapping_t<T>;                               \
    return static_cast<T>(static_cast<W>(a) op static_cast<W>(b)); \
  }
RHOPSI_ARITHMETIC(add, +)
RHOPSI_ARITHMETIC(subtract, -)
RHOPSI_ARITHMETIC(multiply, *)
#undef RHOPSI_ARITHMETIC

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return euclid_div(a, b);
  else
    return a / b;
}

namespace detail {

// std::fmod but for its sign, in a few operations where the quotient is no more than an integer of
// T can tell: rounded, it is that of the remainder or one too far from 0, and what is left of `a`
// then is a number of T, at the other side of 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T near_fmod(T a, T b) {
#if defined(__FMA__) || defined(__aarch64__) || defined(__CUDA_ARCH__)
  constexpr T most = static_cast<T>(std::int64_t{1} << (std::numeric_limits<T>::digits - 1));
  const T quotient = a / b;
  if (std::fabs(quotient) < most) {
    const T rest = std::fma(-std::trunc(quotient), b, a);
    return rest == T(0) ? std::copysign(rest, a) : rest;
  }
#endif
  return std::fmod(a, b);
}

}  // namespace detail

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T modulo(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return euclid_mod(a, b);
  } else {
    const T rest = detail::near_fmod(a, b);
    return rest < T(0) ? rest + (b < T(0) ? -b : b) : rest;
  }
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T negate(T a) {
  if constexpr (std::is_integral_v<T>)
    return subtract(T(0), a);
  else
    return -a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T plus(T a) {
  return a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T minimum(T a, T b) {
  return b < a ? b : a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T absolute(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a);
  else
    return a < T(0) ? negate(a) : a;
}

// Where operations may be in any order, as they are not written here, the compiler has its own.
#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__)
#define RHOPSI_ELEMENTARY_OF(name) std::name
#define RHOPSI_NEAR_OF(name) std::name
#else
#define RHOPSI_ELEMENTARY_OF(name) elementary::name
#define RHOPSI_NEAR_OF(name) elementary::near::name
#endif
#define RHOPSI_REAL(name, of)                                     \
  template <class T>                                              \
  KOKKOS_FORCEINLINE_FUNCTION T name(T a) {                       \
    return static_cast<T>(of(static_cast<detail::real_t<T>>(a))); \
  }
RHOPSI_REAL(sqrt, std::sqrt)
RHOPSI_REAL(sin, RHOPSI_ELEMENTARY_OF(sin))
RHOPSI_REAL(cos, RHOPSI_ELEMENTARY_OF(cos))
RHOPSI_REAL(exp, RHOPSI_ELEMENTARY_OF(exp))
RHOPSI_REAL(log, RHOPSI_ELEMENTARY_OF(log))
RHOPSI_REAL(tanh, RHOPSI_ELEMENTARY_OF(tanh))
// Of angles of which all_along has found that they are near.
namespace near {
RHOPSI_REAL(sin, RHOPSI_NEAR_OF(sin))
RHOPSI_REAL(cos, RHOPSI_NEAR_OF(cos))
}  // namespace near
#undef RHOPSI_REAL

// On integers by squaring, wrapping; a negative exponent gives the quotient rounded to 0.
template <class T>
KOKKOS_INLINE_FUNCTION T pow(T base, T exponent) {
  if constexpr (std::is_floating_point_v<T>) {
    return RHOPSI_ELEMENTARY_OF(pow)(base, exponent);
  } else {
    if (exponent < 0) {
      if (base == T(1)) return T(1);
      if (base == T(-1)) return exponent % 2 == 0 ? T(1) : T(-1);
      return T(0);
    }
    T power = T(1);
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) power = multiply(power, base);
      base = multiply(base, base);
    }
    return power;
  }
}
#undef RHOPSI_ELEMENTARY_OF
#undef RHOPSI_NEAR_OF

#define RHOPSI_PREDICATE(name, op)                  \
  template <class T>                                \
  KOKKOS_FORCEINLINE_FUNCTION bool name(T a, T b) { \
    return a op b;                                  \
  }
RHOPSI_PREDICATE(less, <)
RHOPSI_PREDICATE(less_equal, <=)
RHOPSI_PREDICATE(greater, >)
RHOPSI_PREDICATE(greater_equal, >=)
RHOPSI_PREDICATE(equal, ==)
RHOPSI_PREDICATE(not_equal, !=)
#undef RHOPSI_PREDICATE

KOKKOS_FORCEINLINE_FUNCTION bool and_(bool a, bool b) { return a && b; }
KOKKOS_FORCEINLINE_FUNCTION bool or_(bool a, bool b) { return a || b; }
KOKKOS_FORCEINLINE_FUNCTION bool not_(bool a) { return !a; }
KOKKOS_FORCEINLINE_FUNCTION bool implies(bool a, bool b) { return !a || b; }
KOKKOS_FORCEINLINE_FUNCTION bool iff(bool a, bool b) { return a == b; }

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool condition, T a, T b) {
  return condition ? a : b;
}
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To convert(From a) {
  return static_cast<To>(a);
}

// A real number without its fraction, as it is when it has been an integer: 0 for -0.25. Of the two
// conversions compilers make one instruction, and -0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T through_integer(T a) {
  return std::trunc(a) + T(0);
}

// The same as types.
namespace function {

#define RHOPSI_FUNCTION(name)                                          \
  struct name {                                                        \
    template <class... T>                                              \
    KOKKOS_FORCEINLINE_FUNCTION auto operator()(T... operands) const { \
      return ::rhopsi::name(operands...);                              \
    }                                                                  \
  };
RHOPSI_FUNCTION(add)
RHOPSI_FUNCTION(subtract)
RHOPSI_FUNCTION(multiply)
RHOPSI_FUNCTION(divide)
RHOPSI_FUNCTION(modulo)
RHOPSI_FUNCTION(negate)
RHOPSI_FUNCTION(plus)
RHOPSI_FUNCTION(minimum)
RHOPSI_FUNCTION(maximum)
RHOPSI_FUNCTION(absolute)
RHOPSI_FUNCTION(sqrt)
RHOPSI_FUNCTION(exp)
RHOPSI_FUNCTION(log)
RHOPSI_FUNCTION(sin)
RHOPSI_FUNCTION(cos)
RHOPSI_FUNCTION(tanh)
RHOPSI_FUNCTION(pow)
RHOPSI_FUNCTION(less)
RHOPSI_FUNCTION(less_equal)
RHOPSI_FUNCTION(greater)
RHOPSI_FUNCTION(greater_equal)
RHOPSI_FUNCTION(equal)
RHOPSI_FUNCTION(not_equal)
RHOPSI_FUNCTION(and_)
RHOPSI_FUNCTION(or_)
RHOPSI_FUNCTION(not_)
RHOPSI_FUNCTION(implies)
RHOPSI_FUNCTION(iff)
RHOPSI_FUNCTION(select)
#undef RHOPSI_FUNCTION

template <class To>
struct convert {
  template <class From>
  KOKKOS_FORCEINLINE_FUNCTION To operator()(From a) const {
    return static_cast<To>(a);
  }
};

}  // namespace function
}  // namespace rhopsi
