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

}  // namespace rhopsi
