// Loops that go through axis 0 of their arrays by turns, for hosts: each some rows, its indices of
// that axis, then all of them the next ones, so that what one stores the next one reads from a
// core's cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rhopsi_kernels.hpp"

namespace rhopsi {

// The bytes of one row of each of these arrays, together.
template <class T, int R>
std::int64_t row_bytes(const Field<T, R>& field) {
  const Domain<R>& domain = field.domain();
  std::int64_t elements = sizeof(T);
  for (int axis = 1; axis < R; ++axis) elements *= domain.extent[axis];
  return elements;
}
template <class First, class Second, class... Fields>
std::int64_t row_bytes(const First& first, const Second& second, const Fields&... more) {
  return row_bytes(first) + row_bytes(second, more...);
}

namespace detail {

// Folds are computed for as many rows side by side.
inline constexpr std::int64_t least_rows = 8;

// So many rows of so many bytes each: how many to a block; 0: all of them, where they stay in the
// caches anyway, where a few are too much for one, or there are too few for the threads.
inline std::int64_t rows_of_block(std::int64_t rows, std::int64_t bytes, std::int64_t threads) {
  const std::int64_t cache = core_cache();
  if (rows / threads * bytes <= cache / 2) return 0;
  std::int64_t made = cache / 2 / std::max<std::int64_t>(1, bytes);
  // Of each thread some, so that they end at about the same time.
  made = std::min(made, rows / (4 * threads));
  return made / least_rows * least_rows;
}

}  // namespace detail

// f(Row) for consecutive parts of `rows`, in any order and by any thread, or for all of them: f
// calls loops over these rows, which have one thread where it is called for a part. `bytes` of a
// row, of all arrays together.
template <class F>
void for_each_row_block(const char* label, const Row& rows, std::int64_t bytes, const F& f) {
  const std::int64_t count = rows.high - rows.low;
  std::int64_t part = 0;
  if constexpr (on_host && !rhopsi_checked)
    part = detail::rows_of_block(count, bytes, detail::concurrency());
  if (part == 0) return f(rows);
  const auto alone = [&f](std::int64_t low, std::int64_t high) {
    const detail::OneThread one;
    f(Row{low, high});
  };
  // A few give arrays blocks of their own where they are shared.
  const std::int64_t first = rows.low + detail::least_rows;
  alone(rows.low, first);
  detail::each_item(label, (rows.high - first + part - 1) / part, detail::serial_below,
                    [&](std::int64_t k) {
                      const std::int64_t low = first + k * part;
                      alone(low, std::min(low + part, rows.high));
                    });
}

}  // namespace rhopsi
