// Indices that go around: (i + c) mod n where 0 <= i < n, without a division for each of them.
#pragma once

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

// The same of a row whose pads are read at its ends, so that these can be computed in vectors: what
// is between them begins and ends where whole vectors do.
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
