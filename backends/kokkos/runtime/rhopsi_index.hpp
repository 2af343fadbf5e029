// Index vectors, domains, boxes, and the integer arithmetic of indices.
#pragma once

#include "rhopsi_platform.hpp"

namespace rhopsi {

// A total index. Rank 0 keeps one unused component, since C++ has no empty arrays.
template <int R>
struct Index {
  std::int64_t component[R > 0 ? R : 1];

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t& operator[](int axis) { return component[axis]; }
  KOKKOS_FORCEINLINE_FUNCTION const std::int64_t& operator[](int axis) const {
    return component[axis];
  }
};

template <class... Components>
KOKKOS_FORCEINLINE_FUNCTION Index<static_cast<int>(sizeof...(Components))> make_index(
    Components... components) {
  return {{static_cast<std::int64_t>(components)...}};
}

// How many elements a block holds beyond the ends of each axis.
template <int R>
struct Pads {
  std::int64_t low[R > 0 ? R : 1] = {};
  std::int64_t high[R > 0 ? R : 1] = {};
};

// The shape of the arrays of a program, and how many elements more their blocks hold: `pad` on both
// ends of each axis, of an array that needs fewer there `fewer` less.
template <int R>
struct Domain {
  std::int64_t extent[R > 0 ? R : 1];
  std::int64_t pad = 0;
  Pads<R> fewer = {};
  // Axes along which the array has the same elements, which it stores once. Nests write no such
  // array, and its pads are filled where it is made; on the last of its axes, if that is one of
  // these, its index is 0.
  bool broadcast[R > 0 ? R : 1] = {};

  std::int64_t low(int axis) const { return pad - fewer.low[axis]; }
  std::int64_t high(int axis) const { return pad - fewer.high[axis]; }
  // Are there pads at all?
  bool padded() const {
    for (int a = 0; a < R; ++a)
      if (low(a) > 0 || high(a) > 0) return true;
    return false;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t size() const {
    std::int64_t product = 1;
    for (int a = 0; a < R; ++a) {
      if (extent[a] == 0) return 0;  // however long the others are
    }
    for (int a = 0; a < R; ++a) product *= extent[a];
    return product;
  }
  friend bool operator==(const Domain& a, const Domain& b) {
    return same_shape(a, b) && holds_pads(a, b) && holds_pads(b, a);
  }
  friend bool operator!=(const Domain& a, const Domain& b) { return !(a == b); }
  friend bool same_shape(const Domain& a, const Domain& b) {
    for (int axis = 0; axis < R; ++axis)
      if (a.extent[axis] != b.extent[axis]) return false;
    return true;
  }
  // Are the pads of `a` everywhere as wide as those of `b`?
  friend bool holds_pads(const Domain& a, const Domain& b) {
    for (int axis = 0; axis < R; ++axis)
      if (a.low(axis) < b.low(axis) || a.high(axis) < b.high(axis)) return false;
    return true;
  }
};

// The elements of such an array that are in memory, each once: axes along which it is broadcast
// have one, and no pads.
template <int R>
Domain<R> stored_once(Domain<R> domain) {
  for (int a = 0; a < R; ++a) {
    if (!domain.broadcast[a]) continue;
    domain.extent[a] = 1;
    domain.fewer.low[a] = domain.fewer.high[a] = domain.pad;
  }
  return domain;
}

// The domain of an array that has these pads.
template <int R>
Domain<R> with_pads(Domain<R> domain, const Pads<R>& pads) {
  domain.pad = 0;
  for (int a = 0; a < R; ++a) {
    domain.pad = pads.low[a] > domain.pad ? pads.low[a] : domain.pad;
    domain.pad = pads.high[a] > domain.pad ? pads.high[a] : domain.pad;
  }
  for (int a = 0; a < R; ++a) {
    domain.fewer.low[a] = domain.pad - pads.low[a];
    domain.fewer.high[a] = domain.pad - pads.high[a];
  }
  return domain;
}
template <int R>
Domain<R> without_pads(const Domain<R>& domain) {
  return with_pads(domain, Pads<R>());
}
// Of one with an element for each row.
template <int R>
Domain<R> one_in_a_row(Domain<R> domain) {
  domain.broadcast[R - 1] = true;
  return domain;
}

// In which order a program keeps the axes of its callers' arrays: its axis a is their axis of[a].
template <int R>
struct Axes {
  int of[R > 0 ? R : 1] = {};

  Axes() {
    for (int a = 0; a < R; ++a) of[a] = a;
  }
  template <class... Rest>
  explicit Axes(int first, Rest... rest) : of{first, rest...} {
    static_assert(sizeof...(Rest) + 1 == R, "each axis once");
  }
};

// [lo, hi) on each axis; components below 0 or beyond the extent lie in the pads.
template <int R>
struct Box {
  std::int64_t lo[R > 0 ? R : 1];
  std::int64_t hi[R > 0 ? R : 1];

  KOKKOS_INLINE_FUNCTION std::int64_t length(int axis) const {
    return hi[axis] > lo[axis] ? hi[axis] - lo[axis] : 0;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t size() const {
    std::int64_t product = 1;
    for (int a = 0; a < R; ++a) {
      if (length(a) == 0) return 0;  // however long the others are
    }
    for (int a = 0; a < R; ++a) product *= length(a);
    return product;
  }
};

template <int R>
Box<R> grown(const Domain<R>& domain, std::int64_t by) {
  Box<R> box{};
  for (int a = 0; a < R; ++a) {
    box.lo[a] = -by;
    box.hi[a] = domain.extent[a] + by;
  }
  return box;
}
template <int R>
Box<R> grown(const Domain<R>& domain) {
  Box<R> box{};
  for (int a = 0; a < R; ++a) {
    box.lo[a] = -domain.low(a);
    box.hi[a] = domain.extent[a] + domain.high(a);
  }
  return box;
}
template <int R>
Box<R> interior(const Domain<R>& domain) {
  return grown(domain, 0);
}

// Euclidean division: 0 <= euclid_mod(a, b) < |b| and a = b * euclid_div(a, b) + euclid_mod(a, b).
// Signed throughout: the unsigned form is right for powers of two only, where it is the last bits.
// Correct for every a and b != 0, up to the one quotient that no 64-bit integer holds (it wraps).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T euclid_mod(T a, T b) {
  static_assert(std::is_integral_v<T> && std::is_signed_v<T>, "signed integers");
  if (RHOPSI_KNOWN(b) && b > 0 && (b & (b - 1)) == 0) return static_cast<T>(a & (b - 1));
  if (!RHOPSI_KNOWN(b) && a >= 0 && a < b) return a;  // mostly, and a division takes long
  if (b == T(-1)) return T(0);                        // the processor traps on min % -1
  const T rest = static_cast<T>(a % b);
  return rest < 0 ? static_cast<T>(b < 0 ? rest - b : rest + b) : rest;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T euclid_div(T a, T b) {
  static_assert(std::is_integral_v<T> && std::is_signed_v<T>, "signed integers");
  using Unsigned = std::make_unsigned_t<T>;
  if (RHOPSI_KNOWN(b) && b > 0 && (b & (b - 1)) == 0)
    return static_cast<T>((a - (a & (b - 1))) / b);
  if (b == T(-1)) return static_cast<T>(Unsigned(0) - static_cast<Unsigned>(a));
  const T quotient = static_cast<T>(a / b);
  if (a % b >= 0) return quotient;
  return static_cast<T>(b < 0 ? quotient + 1 : quotient - 1);
}
// i mod n of an index that is seldom beyond an end of its axis.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t position(std::int64_t i, std::int64_t n) {
  return i >= 0 && i < n ? i : euclid_mod(i, n);
}
KOKKOS_FORCEINLINE_FUNCTION std::int64_t euclid_mod(int a, std::int64_t b) {
  return euclid_mod(static_cast<std::int64_t>(a), b);
}
KOKKOS_FORCEINLINE_FUNCTION std::int64_t euclid_mod(std::int64_t a, int b) {
  return euclid_mod(a, static_cast<std::int64_t>(b));
}
KOKKOS_FORCEINLINE_FUNCTION std::int64_t euclid_div(int a, std::int64_t b) {
  return euclid_div(static_cast<std::int64_t>(a), b);
}
KOKKOS_FORCEINLINE_FUNCTION std::int64_t euclid_div(std::int64_t a, int b) {
  return euclid_div(a, static_cast<std::int64_t>(b));
}

// (i + o) mod s, exact whatever i and o are. Divides only where i + o lies more than one s
// away, which takes a wide offset; two selections else. 0 < s < 2^62.
KOKKOS_INLINE_FUNCTION std::int64_t wrap_far(std::int64_t i, std::int64_t o, std::int64_t s) {
  return euclid_mod(euclid_mod(i, s) + euclid_mod(o, s), s);
}
KOKKOS_FORCEINLINE_FUNCTION std::int64_t wrap(std::int64_t i, std::int64_t o, std::int64_t s) {
  // With such an o a sum that overflows ends far away from [-s, s).
  constexpr std::int64_t wide = std::int64_t{1} << 62;
  const auto moved = static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(o);
  const auto size = static_cast<std::uint64_t>(s);
  const std::uint64_t raised = static_cast<std::int64_t>(moved) < 0 ? moved + size : moved;
  const std::uint64_t near = raised >= size ? raised - size : raised;
  if (RHOPSI_LIKELY(near < size && o > -wide && o < wide)) return static_cast<std::int64_t>(near);
  return wrap_far(i, o, s);
}

// p[axis := (p[axis] + o) mod s[axis]]
template <int R>
KOKKOS_FORCEINLINE_FUNCTION Index<R> rotate_index(const Domain<R>& domain, Index<R> ix,
                                                  std::int64_t axis, std::int64_t o) {
  const int a = static_cast<int>(axis);
  ix[a] = wrap(ix[a], o, domain.extent[a]);
  return ix;
}

// p[axis := p[axis] + o], which may lie in the pad
template <int R>
KOKKOS_FORCEINLINE_FUNCTION Index<R> shift_index(Index<R> ix, std::int64_t axis, std::int64_t o) {
  ix[static_cast<int>(axis)] += o;
  return ix;
}

// Is every component in [0, s)?
template <int R>
KOKKOS_FORCEINLINE_FUNCTION bool inside(const Domain<R>& domain, const Index<R>& ix) {
  bool all = true;
  for (int a = 0; a < R; ++a) all = all && ix[a] >= 0 && ix[a] < domain.extent[a];
  return all;
}

template <int R>
std::string to_string(const Domain<R>& domain) {
  std::string text;
  for (int a = 0; a < R; ++a) text += (a > 0 ? "x" : "") + std::to_string(domain.extent[a]);
  return text;
}

}  // namespace rhopsi
