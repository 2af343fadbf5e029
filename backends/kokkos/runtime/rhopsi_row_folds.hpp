// Folds of the elements of each row of an array, one element for each row: in chains, so that
// neighbours make a vector. What they come to is that of the row alone, whoever folds it, so
// results do not depend on threads, slabs or tiles.
#pragma once

#include "rhopsi_fold_blocks.hpp"

namespace rhopsi {

namespace detail {

// Of n elements. `first`: the row has the first element of its array, where a NaN stays; others are
// passed over, in front of a row, too.
template <class By, class T, class Row>
RHOPSI_NOINLINE T fold_row(const Row row, const std::int64_t n, const bool first) {
  static_assert(any_order<T, By>, "the steps of this fold have their order");
  constexpr int chains = 512 / static_cast<int>(sizeof(T));
  if (n == 0) return By::template unit<T>();
  const T start = is_extreme<By> && first ? T(row[0]) : By::template unit<T>();
  alignas(64) T chain[chains];
  for (int c = 0; c < chains; ++c) chain[c] = start;
  const std::int64_t rest = n % chains, whole = n - rest;
  for (std::int64_t k = 0; k < whole; k += chains) {
    RHOPSI_SIMD
    for (int c = 0; c < chains; ++c) chain[c] = By::combine(chain[c], T(row[k + c]));
    RHOPSI_IN_TURN;
  }
  RHOPSI_SIMD
  for (int c = 0; c < static_cast<int>(rest); ++c)
    chain[c] = By::combine(chain[c], T(row[whole + c]));
  for (int half = chains / 2; half > 0; half /= 2)
    for (int c = 0; c < half; ++c) chain[c] = By::combine(chain[c], chain[c + half]);
  if constexpr (finds_zero<T, By>) {
    for (std::int64_t k = 0; chain[0] == T(0) && k < n; ++k)
      if (row[k] == T(0)) return row[k];
  }
  return chain[0];
}

// Of the rows of a plane that have these indices in front, those of axis 1 from `low` to `end`.
template <class By, bool BeginsAnew, class T, int Axis, int R, class From, class To, class... Outer>
void fold_rows_at(const From& from, const To& to, const Domain<R>& domain, const bool first,
                  const std::int64_t low, const std::int64_t end, const Outer... outer) {
  if constexpr (Axis + 1 == R) {
    (void)low, (void)end;
    to.row(outer...)[0] = fold_row<By, T>(from.row(outer...), domain.extent[R - 1], first);
  } else {
    for (std::int64_t k = Axis == 1 ? low : 0; k < (Axis == 1 ? end : domain.extent[Axis]); ++k)
      fold_rows_at<By, BeginsAnew, T, Axis + 1>(from, to, domain, first && (BeginsAnew || k == 0),
                                                low, end, outer..., k);
  }
}

}  // namespace detail

// to(i, j, ..., 0) = the fold by By of from(i, j, ..., k) over all k, for the plane i of a domain,
// of axis 1 for its rows [low, end), as far as these are within the axis. The planes have one axis
// less. `BeginsAnew`: a NaN in front of any row stays, and not of the first one alone.
template <class By, bool BeginsAnew = false, class From, class T, int D, int R>
void fold_rows(const From& from, const FieldRef<T, D>& to, const Domain<R>& domain,
               const std::int64_t i, const std::int64_t low, const std::int64_t end) {
  static_assert(D + 1 == R, "a plane has one axis less");
  detail::fold_rows_at<By, BeginsAnew, T, 1>(from, to, domain, BeginsAnew || i == 0,
                                             low < 0 ? 0 : low,
                                             end > domain.extent[1] ? domain.extent[1] : end);
}
template <class By, bool BeginsAnew = false, class From, class T, int D, int R>
void fold_rows(const From& from, const FieldRef<T, D>& to, const Domain<R>& domain,
               const std::int64_t i) {
  fold_rows<By, BeginsAnew>(from, to, domain, i, 0, domain.extent[1]);
}

// The same for all planes of arrays of one shape, of which the second has one element in a row.
template <class By, bool BeginsAnew = false, class T, int R>
void fold_rows_of(const char* label, const Field<T, R>& from, Field<T, R>& to) {
  static_assert(R > 1, "rows are of arrays of two axes or more");
  const Domain<R> domain = from.domain();
  const auto read = from.read();
  const auto written = to.overwrite();
  detail::each_item(label, domain.extent[0], domain.size(), [&](std::int64_t i) {
    fold_rows<By, BeginsAnew>(read.plane(i), written.plane(i), domain, i);
  });
}

}  // namespace rhopsi
