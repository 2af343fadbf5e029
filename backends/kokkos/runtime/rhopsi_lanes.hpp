// Neighbours along the last axis in one vector, for hosts: what tiles (rhopsi_fold_tiles.hpp)
// compute with.
//
// Every operation is that of each lane by itself, so results are those of scalars, bit for bit.
#pragma once

#include <cstring>

#include "rhopsi_platform.hpp"
#include "rhopsi_scalar.hpp"

namespace rhopsi {

// What the processor that this is compiled for has.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32, vector_registers = 16;
#elif defined(__aarch64__)
inline constexpr int vector_bytes = 16, vector_registers = 32;
#else
inline constexpr int vector_bytes = 16, vector_registers = 16;
#endif

namespace detail {

template <class T, int W>
struct VectorOf {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};
// Sums and products of integers wrap, which those of unsigned ones may.
template <class T>
using unsigned_t = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                               std::common_type<T>>::type;

}  // namespace detail

// W neighbours, a power of two.
template <class T, int W>
struct Lanes {
  using Value = T;
  using Vector = typename detail::VectorOf<T, W>::type;
  using Unsigned = typename detail::VectorOf<detail::unsigned_t<T>, W>::type;
  static constexpr int count = W;

  Vector v;

  T operator[](int lane) const {
    if constexpr (W == 1)
      return v;
    else
      return v[lane];
  }
  void set(int lane, T value) {
    if constexpr (W == 1)
      v = value;
    else
      v[lane] = value;
  }
  static RHOPSI_INLINED Lanes all(T value) { return {value - Vector{}}; }

#define RHOPSI_LANES_ARITHMETIC(op)                                             \
  friend RHOPSI_INLINED Lanes operator op(Lanes a, Lanes b) {                   \
    return {(Vector)((Unsigned)a.v op(Unsigned) b.v)};                          \
  }                                                                             \
  friend RHOPSI_INLINED Lanes operator op(Lanes a, T b) { return a op all(b); } \
  friend RHOPSI_INLINED Lanes operator op(T a, Lanes b) { return all(a) op b; }
  RHOPSI_LANES_ARITHMETIC(+)
  RHOPSI_LANES_ARITHMETIC(-)
  RHOPSI_LANES_ARITHMETIC(*)
#undef RHOPSI_LANES_ARITHMETIC
  // Of reals.
  friend RHOPSI_INLINED Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend RHOPSI_INLINED Lanes operator/(Lanes a, T b) { return a / all(b); }
  friend RHOPSI_INLINED Lanes operator/(T a, Lanes b) { return all(a) / b; }
  RHOPSI_INLINED Lanes operator-() const {
    if constexpr (std::is_integral_v<T>)
      return all(T(0)) - *this;
    else
      return {-v};
  }
};

// As of scalars: of equal ones and beside a NaN the left one.
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> minimum(Lanes<T, W> a, Lanes<T, W> b) {
  return {b.v < a.v ? b.v : a.v};
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> maximum(Lanes<T, W> a, Lanes<T, W> b) {
  return {a.v < b.v ? b.v : a.v};
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> negate(Lanes<T, W> a) {
  return -a;
}
// Of reals without the sign, of NaN too.
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> absolute(Lanes<T, W> a) {
  if constexpr (std::is_integral_v<T>) {
    return {a.v < Lanes<T, W>{}.v ? (-a).v : a.v};
  } else {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    typename detail::VectorOf<Bits, W>::type bits;
    static_assert(sizeof bits == sizeof a.v, "reals of 32 or 64 bits");
    std::memcpy(&bits, &a.v, sizeof bits);
    bits &= static_cast<Bits>(-1) >> 1;
    std::memcpy(&a.v, &bits, sizeof bits);
    return a;
  }
}
// Those of scalars would do, but are compiled for devices too, which have no such vectors.
#define RHOPSI_LANES_OPERATOR(name, op)                                  \
  template <class T, int W>                                              \
  RHOPSI_INLINED inline Lanes<T, W> name(Lanes<T, W> a, Lanes<T, W> b) { \
    return a op b;                                                       \
  }
RHOPSI_LANES_OPERATOR(add, +)
RHOPSI_LANES_OPERATOR(subtract, -)
RHOPSI_LANES_OPERATOR(multiply, *)
#undef RHOPSI_LANES_OPERATOR

// One operand may be the same for all lanes.
#define RHOPSI_LANES_FUNCTION(name)                                                      \
  template <class T, int W>                                                              \
  RHOPSI_INLINED inline Lanes<T, W> name(Lanes<T, W> a, typename Lanes<T, W>::Value b) { \
    return name(a, Lanes<T, W>::all(b));                                                 \
  }                                                                                      \
  template <class T, int W>                                                              \
  RHOPSI_INLINED inline Lanes<T, W> name(typename Lanes<T, W>::Value a, Lanes<T, W> b) { \
    return name(Lanes<T, W>::all(a), b);                                                 \
  }
RHOPSI_LANES_FUNCTION(add)
RHOPSI_LANES_FUNCTION(subtract)
RHOPSI_LANES_FUNCTION(multiply)
RHOPSI_LANES_FUNCTION(minimum)
RHOPSI_LANES_FUNCTION(maximum)
#undef RHOPSI_LANES_FUNCTION

// How many lanes count: all of them, known when this is compiled, or fewer. In those beyond stands
// what the last one that counts has, so that nothing is read or computed that is not asked for.
template <int W>
using AllLanes = std::integral_constant<int, W>;
template <int W>
struct SomeLanes {
  int count;
  RHOPSI_INLINED operator int() const { return count; }
};

// A count that knows how many lanes there are need not have the W that others stand for.
template <int W, class Count>
struct LanesOf : std::integral_constant<int, W> {};
template <int W, int Known>
struct LanesOf<W, AllLanes<Known>> : AllLanes<Known> {};
template <int W, int Known>
struct LanesOf<W, SomeLanes<Known>> : AllLanes<Known> {};
template <class Count>
inline constexpr bool counts_all = false;
template <int W>
inline constexpr bool counts_all<AllLanes<W>> = true;

// Elements from `first` on.
template <int W, class T, class Count>
RHOPSI_INLINED inline Lanes<std::remove_const_t<T>, LanesOf<W, Count>::value> load_lanes(
    Count count, T& first) {
  using Value = std::remove_const_t<T>;
  constexpr int lanes = LanesOf<W, Count>::value;
  Lanes<Value, lanes> made;
  if constexpr (counts_all<Count>) {
    std::memcpy(&made.v, &first, sizeof made.v);
  } else {
    for (int lane = 0; lane < lanes; ++lane)
      made.set(lane, (&first)[lane < count ? lane : count - 1]);
  }
  return made;
}

// The same for each lane.
template <class T, int W, class Count>
RHOPSI_INLINED inline Lanes<T, LanesOf<W, Count>::value> all_lanes(Count, T value) {
  return Lanes<T, LanesOf<W, Count>::value>::all(value);
}

// f(j, a, ...) for each lane, where `last` is the index of the first one and `a` its lane of Lanes.
template <class T, int W, class Count, class F, class Int, class... Operands>
RHOPSI_INLINED inline Lanes<T, LanesOf<W, Count>::value> each_lane(Count count, const F& f,
                                                                   Int last,
                                                                   const Operands&... operands) {
  constexpr int lanes = LanesOf<W, Count>::value;
  Lanes<T, lanes> made{};
  if constexpr (!counts_all<Count>) {
    for (int lane = 0; lane < lanes; ++lane) {
      const int at = lane < count ? lane : count - 1;
      made.set(lane, f(static_cast<Int>(last + static_cast<Int>(at)), operands[at]...));
    }
  } else {
    // A loop of its own, in which the compiler may call functions of whole vectors.
    T values[lanes];
    RHOPSI_SIMD
    for (int lane = 0; lane < lanes; ++lane)
      values[lane] = f(static_cast<Int>(last + static_cast<Int>(lane)), operands[lane]...);
    std::memcpy(&made.v, values, sizeof values);
  }
  return made;
}

// What folds combine by, and their values over nothing.
namespace fold_by {

#define RHOPSI_FOLD_BY(name, nothing)           \
  struct name {                                 \
    template <class V>                          \
    static RHOPSI_INLINED V combine(V a, V b) { \
      return ::rhopsi::name(a, b);              \
    }                                           \
    template <class T>                          \
    static T unit() {                           \
      using Limits = std::numeric_limits<T>;    \
      (void)sizeof(Limits);                     \
      return nothing;                           \
    }                                           \
  };
RHOPSI_FOLD_BY(add, T(0))
RHOPSI_FOLD_BY(subtract, T(0))
RHOPSI_FOLD_BY(multiply, T(1))
RHOPSI_FOLD_BY(minimum, Limits::has_infinity ? Limits::infinity() : Limits::max())
RHOPSI_FOLD_BY(maximum, Limits::has_infinity ? -Limits::infinity() : Limits::lowest())
RHOPSI_FOLD_BY(and_, true)
RHOPSI_FOLD_BY(or_, false)
#undef RHOPSI_FOLD_BY

}  // namespace fold_by
}  // namespace rhopsi
