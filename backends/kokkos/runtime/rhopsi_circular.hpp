// Indices that go around: (i + c) mod n where 0 <= i < n, without a division for each of them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "rhopsi_index.hpp"

namespace rhopsi {

// c mod n, by which an index goes around: known before the loop. Of an axis without elements 0,
// since nothing is read there.
inline std::int64_t ahead(std::int64_t c, std::int64_t n) { return n > 0 ? euclid_mod(c, n) : 0; }

// The index `moved` = i + ahead(c, n), which is less than 2 n.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t around(std::int64_t moved, std::int64_t n) {
  return moved < n ? moved : moved - n;
}

// Is each a power of two? Then (i + c) mod n is (i + c) & (n - 1), of negative ones too.
template <class... Lengths>
bool powers_of_two(Lengths... n) {
  return ((n > 0 && (n & (n - 1)) == 0) && ...);
}

// A part of a row as its ends and what is between them. There, in [low, high), `before` elements
// behind an index and `after` ahead of it are in the row; of a short row it is empty.
//
//   for (k = row.first(); k < end; k = row.next(k)) ...     // the ends
//   for (k = row.low; k < row.high; ++k) ...                // what is between them
struct PeeledRow {
  std::int64_t begin, low, high;

  // Of the elements [from, to) of a row that has `n`.
  KOKKOS_FORCEINLINE_FUNCTION PeeledRow(std::int64_t from, std::int64_t to, std::int64_t before,
                                        std::int64_t after, std::int64_t n)
      : begin(from), low(from > before ? from : before), high(to < n - after ? to : n - after) {
    if (low >= high) low = high = to;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first() const { return begin < low ? begin : high; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t next(std::int64_t k) const {
    return k + 1 == low ? high : k + 1;
  }
};

// The first elements of a row, so many as are whole vectors: x of them is element `first` + x. What
// is compared with x says where the row begins and ends; here the compiler knows.
template <std::int64_t Count, class Int>
struct RowBegin {
  static constexpr bool low = true, high = false;
  static constexpr std::int64_t first = 0;
  static constexpr Int count = Count, begin = 0, end = 0;
};
// Its last ones.
template <std::int64_t Count, class Int>
struct RowEnd {
  static constexpr bool low = false, high = true;
  std::int64_t first;
  static constexpr Int count = Count, begin = 0, end = Count;
};
// Any of it, few enough to be both.
template <class Int>
struct RowPiece {
  static constexpr bool low = true, high = true;
  std::int64_t first;
  Int count, begin, end;

  KOKKOS_FORCEINLINE_FUNCTION RowPiece(std::int64_t from, std::int64_t to, std::int64_t n)
      : first(from),
        count(static_cast<Int>(to - from)),
        begin(static_cast<Int>(-(from < far ? from : far))),
        end(static_cast<Int>(n - from < far ? n - from : far)) {}

 private:
  static constexpr std::int64_t far = std::int64_t{1} << 30;  // from any element of the piece
};

// The same with ends that are blocks of `Width` elements, which is no less than `before` and
// `after`. A short part is one block of fewer than twice as many, with nothing behind it.
//
//   const auto end = [&](auto at) { for (Int x = 0; x < at.count; ++x) ... };
//   row.low_end(end);
//   for (k = row.low; k < row.high; ++k) ...
//   row.high_end(end);
template <std::int64_t Width, class Int>
struct PeeledBlocks {
  std::int64_t begin, low, high, end, length;

  // Of the elements [from, to) of a row that has `n`.
  KOKKOS_FORCEINLINE_FUNCTION PeeledBlocks(std::int64_t from, std::int64_t to, std::int64_t before,
                                           std::int64_t after, std::int64_t n)
      : begin(from),
        low(from < before ? from + Width : from),
        high(to > n - after ? to - Width : to),
        end(to),
        length(n) {
    if (low > high) low = high = to;
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void low_end(const F& f) const {
    if (low == begin) return;
    if (begin == 0 && low < end)
      f(RowBegin<Width, Int>());
    else
      f(RowPiece<Int>(begin, low, length));
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void high_end(const F& f) const {
    if (high == end) return;
    if (end == length)
      f(RowEnd<Width, Int>{high});
    else
      f(RowPiece<Int>(high, end, length));
  }
};

// A copy of the elements of a row that has `n` at an end of it, and of `Before` behind and `After`
// ahead of them: beyond the ends of the row those at the other one. So what goes around lies in
// memory one element after the other.
template <class T, std::int64_t Before, std::int64_t After, std::int64_t Width>
class NearRow {
 public:
  template <class Row, class At>
  KOKKOS_FORCEINLINE_FUNCTION NearRow(const Row& row, const At& at, std::int64_t n)
      : begin_(at.first - Before) {
    // Never less than none, which compilers do not know, and warn.
    const std::int64_t count = at.count > 0 ? at.count : 0, end = at.first + count;
    for (std::int64_t x = 0; x < Before; ++x)
      elements_[x] = row[at.low ? circular(begin_ + x, n) : begin_ + x];
    for (std::int64_t x = 0; x < count; ++x) elements_[Before + x] = row[at.first + x];
    for (std::int64_t x = 0; x < After; ++x)
      elements_[Before + count + x] = row[at.high ? circular(end + x, n) : end + x];
  }
  KOKKOS_FORCEINLINE_FUNCTION T operator[](std::int64_t k) const { return elements_[k - begin_]; }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t circular(std::int64_t k, std::int64_t n) {
    if (n < Before || n < After) return euclid_mod(k, n);
    return k < 0 ? k + n : around(k, n);
  }

  T elements_[Before + 2 * Width + After];
  std::int64_t begin_;
};

// A part of a row whose pads are read at its ends: what is between them begins and ends where whole
// vectors do.
//
//   [from, low) and [high, to): the ends     [low, high): what is between them
struct EvenRow {
  static constexpr std::int64_t even = 16;
  std::int64_t low, high;

  KOKKOS_FORCEINLINE_FUNCTION EvenRow(std::int64_t from, std::int64_t to, std::int64_t before,
                                      std::int64_t after, std::int64_t n)
      : low(from), high(to) {
    if (from < before) low = (before + even - 1) / even * even;
    if (to > n - after) high = n - after > 0 ? (n - after) / even * even : 0;
    if (low >= high) low = high = to;
  }
};

}  // namespace rhopsi
