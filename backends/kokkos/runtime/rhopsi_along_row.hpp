// Loops along rows whose elements read neighbours in the same row, a vector of elements at a time:
//
//   const auto u_row = rhopsi::shifted_row(u.row(j)), v_to = rhopsi::stored_row(v.row(j));
//   rhopsi::along_row<float>(0, n, 0, n, [&](const auto k) {
//     v_to[k] = u_row[k - rhopsi::by<1>] + u_row[k] + u_row[k + rhopsi::by<1>];
//   });
//
// What begins in the middle of a line of the cache lies in two of them, and both are read: of three
// neighbours u[k - 1], u[k] and u[k + 1] two do, whatever the row begins at. Where vectors are as
// long as lines it may be less to read whole lines and to shift their elements into place. The
// elements are the same, and so is what is computed of them.
#pragma once

#include "rhopsi_lanes.hpp"

// Is it less? RHOPSI_SHIFTS says so of hosts whose vectors have 64 bytes.
#if defined(RHOPSI_SHIFTS) && defined(__AVX512F__) && !defined(RHOPSI_CHECKED) && \
    !defined(__CUDACC__)
#define RHOPSI_SHIFTS_NEIGHBOURS 1
#include "rhopsi_lane_choices.hpp"
#else
#define RHOPSI_SHIFTS_NEIGHBOURS 0
#endif

namespace rhopsi {

// A number of elements that is known when this is compiled.
template <int N>
struct By {};
template <int N>
inline constexpr By<N> by{};

template <int N>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator+(std::int64_t k, By<N>) {
  return k + N;
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator-(std::int64_t k, By<N>) {
  return k - N;
}

#if RHOPSI_SHIFTS_NEIGHBOURS

// The elements from k + Offset on, as many as a vector has. `Shifts`: those of the vectors before
// and behind the one at k may be read, too.
template <int Offset, bool Shifts>
struct LanesAt {
  std::int64_t k;
  template <int N>
  friend RHOPSI_INLINED LanesAt<Offset + N, Shifts> operator+(LanesAt at, By<N>) {
    return {at.k};
  }
  template <int N>
  friend RHOPSI_INLINED LanesAt<Offset - N, Shifts> operator-(LanesAt at, By<N>) {
    return {at.k};
  }
};

namespace detail {

template <class T>
inline constexpr int row_lanes = vector_bytes / static_cast<int>(sizeof(T));
template <class T>
using RowLanes = Lanes<T, row_lanes<T>>;

template <class T>
RHOPSI_INLINED inline RowLanes<T> lanes_from(const T* first) {
  return load_lanes<row_lanes<T>>(AllLanes<row_lanes<T>>{}, *first);
}

// The elements from `Offset` on of two vectors that follow one another. Compilers make of a shuffle
// what needs a register for its indices, and writes over one of the vectors. By the compilers' own
// names, as in rhopsi_lane_choices.hpp; a mask of all lanes is none.
template <int Offset, class T, int W>
RHOPSI_INLINED inline Lanes<T, W> shifted(Lanes<T, W> low, Lanes<T, W> high) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "reals of 32 or 64 bits");
  using Vector = typename Lanes<T, W>::Vector;
  using Bits = typename VectorOf<std::conditional_t<sizeof(T) == 4, int, long long>, W>::type;
  const Bits a = (Bits)low.v, b = (Bits)high.v;
  if constexpr (Offset % W == 0) return Offset == 0 ? low : high;
#ifdef __clang__
  else if constexpr (sizeof(T) == 4)
    return {(Vector)__builtin_ia32_alignd512(b, a, Offset)};
  else
    return {(Vector)__builtin_ia32_alignq512(b, a, Offset)};
#else
  else if constexpr (sizeof(T) == 4)
    return {(Vector)__builtin_ia32_alignd512_mask(b, a, Offset, b, -1)};
  else
    return {(Vector)__builtin_ia32_alignq512_mask(b, a, Offset, b, -1)};
#endif
}

template <class Row>
using ElementOf = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Row>()[0])>>;

// Where elements go.
template <class T>
struct LanesTo {
  T* first;
  RHOPSI_INLINED void operator=(RowLanes<T> value) const {
    std::memcpy(first, &value.v, sizeof value.v);
  }
  RHOPSI_INLINED void operator=(T value) const { *this = RowLanes<T>::all(value); }
};

}  // namespace detail

// A row that is read at several places near k: an address, or what has elements side by side.
template <class Row>
struct ShiftedRow {
  Row row;
  RHOPSI_INLINED auto& operator[](std::int64_t k) const { return row[k]; }
  template <int Offset, bool Shifts>
  RHOPSI_INLINED auto operator[](LanesAt<Offset, Shifts> at) const {
    constexpr int lanes = detail::row_lanes<detail::ElementOf<Row>>;
    static_assert(-lanes <= Offset && Offset <= lanes, "of the vector before or behind");
    const auto* const here = &row[at.k];
    if constexpr (!Shifts || Offset == 0)
      return detail::lanes_from(here + Offset);
    else if constexpr (Offset < 0)
      return detail::shifted<lanes + Offset>(detail::lanes_from(here - lanes),
                                             detail::lanes_from(here));
    else
      return detail::shifted<Offset>(detail::lanes_from(here), detail::lanes_from(here + lanes));
  }
};

// A row that is read as it lies: at one place near k.
template <class Row>
struct LoadedRow {
  Row row;
  RHOPSI_INLINED auto& operator[](std::int64_t k) const { return row[k]; }
  template <int Offset, bool Shifts>
  RHOPSI_INLINED auto operator[](LanesAt<Offset, Shifts> at) const {
    return detail::lanes_from(&row[at.k + Offset]);
  }
};

template <class Row>
struct StoredRow {
  Row row;
  RHOPSI_INLINED auto& operator[](std::int64_t k) const { return row[k]; }
  template <bool Shifts>
  RHOPSI_INLINED detail::LanesTo<detail::ElementOf<Row>> operator[](LanesAt<0, Shifts> at) const {
    return {&row[at.k]};
  }
};

template <class Row>
RHOPSI_INLINED inline ShiftedRow<Row> shifted_row(const Row& row) {
  return {row};
}
template <class Row>
RHOPSI_INLINED inline LoadedRow<Row> loaded_row(const Row& row) {
  return {row};
}
template <class Row>
RHOPSI_INLINED inline StoredRow<Row> stored_row(const Row& row) {
  return {row};
}

// The row that it has been made of.
template <class Row>
RHOPSI_INLINED inline Row plain_row(const Row& row) {
  return row;
}
template <class Row>
RHOPSI_INLINED inline Row plain_row(const ShiftedRow<Row>& row) {
  return row.row;
}
template <class Row>
RHOPSI_INLINED inline Row plain_row(const LoadedRow<Row>& row) {
  return row.row;
}

// f at the elements [low, high) of a row, of which [first, end) may be read of every array that f
// reads: at vectors of elements of type T, and at the elements that are left one by one.
template <class T, class F>
RHOPSI_INLINED inline void along_row(std::int64_t low, std::int64_t high, std::int64_t first,
                                     std::int64_t end, const F& f) {
  constexpr std::int64_t lanes = detail::row_lanes<T>;
  const std::int64_t last = (high < end - lanes ? high : end - lanes) - lanes;
  std::int64_t k = low;
  while (k + lanes <= high) {
    if (k - lanes >= first) {
      for (; k <= last; k += lanes) f(LanesAt<0, true>{k});
      if (k + lanes > high) break;
    }
    f(LanesAt<0, false>{k});
    k += lanes;
  }
  RHOPSI_SIMD
  for (std::int64_t rest = k; rest < high; ++rest) f(rest);
}

#else

// Rows are read and written as they are.
#define RHOPSI_PLAIN_ROW(name)                           \
  template <class Row>                                   \
  KOKKOS_FORCEINLINE_FUNCTION Row name(const Row& row) { \
    return row;                                          \
  }
RHOPSI_PLAIN_ROW(shifted_row)
RHOPSI_PLAIN_ROW(loaded_row)
RHOPSI_PLAIN_ROW(stored_row)
RHOPSI_PLAIN_ROW(plain_row)
#undef RHOPSI_PLAIN_ROW

template <class T, class F>
KOKKOS_FORCEINLINE_FUNCTION void along_row(std::int64_t low, std::int64_t high, std::int64_t,
                                           std::int64_t, const F& f) {
  RHOPSI_SIMD
  for (std::int64_t k = low; k < high; ++k) f(k);
}

#endif

}  // namespace rhopsi
