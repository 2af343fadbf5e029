// Comparisons of vectors of 64 bytes, choices by them, and roots: what loops along rows
// (rhopsi_along_row.hpp) have besides the operations of rhopsi_lanes.hpp.
#pragma once

#include "rhopsi_lanes.hpp"

namespace rhopsi {

// What comparisons of vectors are: all bits of a lane, or none.
template <class T, int W>
struct LaneMask {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typename detail::VectorOf<Bits, W>::type bits;
  RHOPSI_INLINED LaneMask operator!() const { return {~bits}; }
};
#define RHOPSI_LANES_COMPARE(op)                                                                   \
  template <class T, int W>                                                                        \
  RHOPSI_INLINED inline LaneMask<T, W> operator op(Lanes<T, W> a, Lanes<T, W> b) {                 \
    return {a.v op b.v};                                                                           \
  }                                                                                                \
  template <class T, int W>                                                                        \
  RHOPSI_INLINED inline LaneMask<T, W> operator op(Lanes<T, W> a, typename Lanes<T, W>::Value b) { \
    return {a.v op Lanes<T, W>::all(b).v};                                                         \
  }                                                                                                \
  template <class T, int W>                                                                        \
  RHOPSI_INLINED inline LaneMask<T, W> operator op(typename Lanes<T, W>::Value a, Lanes<T, W> b) { \
    return {Lanes<T, W>::all(a).v op b.v};                                                         \
  }
RHOPSI_LANES_COMPARE(<)
RHOPSI_LANES_COMPARE(<=)
RHOPSI_LANES_COMPARE(>)
RHOPSI_LANES_COMPARE(>=)
RHOPSI_LANES_COMPARE(==)
RHOPSI_LANES_COMPARE(!=)
#undef RHOPSI_LANES_COMPARE
template <class T, int W>
RHOPSI_INLINED inline LaneMask<T, W> both(LaneMask<T, W> a, LaneMask<T, W> b) {
  return {a.bits & b.bits};
}
template <class T, int W>
RHOPSI_INLINED inline LaneMask<T, W> either(LaneMask<T, W> a, LaneMask<T, W> b) {
  return {a.bits | b.bits};
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> select(LaneMask<T, W> c, Lanes<T, W> a, Lanes<T, W> b) {
  return {c.bits ? a.v : b.v};
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> select(LaneMask<T, W> c, Lanes<T, W> a,
                                         typename Lanes<T, W>::Value b) {
  return select(c, a, Lanes<T, W>::all(b));
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> select(LaneMask<T, W> c, typename Lanes<T, W>::Value a,
                                         Lanes<T, W> b) {
  return select(c, Lanes<T, W>::all(a), b);
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> select(LaneMask<T, W> c, typename Lanes<T, W>::Value a,
                                         typename Lanes<T, W>::Value b) {
  return select(c, Lanes<T, W>::all(a), Lanes<T, W>::all(b));
}

// As of scalars, rounded once. By the compilers' own names, 4 being the rounding that is set: their
// header of instructions is a tenth of the time that a program takes to compile.
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> sqrt(Lanes<T, W> a) {
  using Vector = typename Lanes<T, W>::Vector;
#ifdef __clang__
  if constexpr (sizeof(T) == 4)
    return {(Vector)__builtin_ia32_sqrtps512(a.v, 4)};
  else
    return {(Vector)__builtin_ia32_sqrtpd512(a.v, 4)};
#else
  if constexpr (sizeof(T) == 4)
    return {(Vector)__builtin_ia32_sqrtps512_mask(a.v, a.v, -1, 4)};
  else
    return {(Vector)__builtin_ia32_sqrtpd512_mask(a.v, a.v, -1, 4)};
#endif
}

// What is chosen by the row, both sides of which are computed: RHOPSI_BLEND.
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> blend(bool c, Lanes<T, W> a, Lanes<T, W> b) {
  return c ? a : b;
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> blend(bool c, Lanes<T, W> a, typename Lanes<T, W>::Value b) {
  return c ? a : Lanes<T, W>::all(b);
}
template <class T, int W>
RHOPSI_INLINED inline Lanes<T, W> blend(bool c, typename Lanes<T, W>::Value a, Lanes<T, W> b) {
  return c ? Lanes<T, W>::all(a) : b;
}

}  // namespace rhopsi
