// What a pipeline is going to read of arrays is on its way from memory while it computes.
#pragma once

#include "rhopsi_index.hpp"

namespace rhopsi {

namespace detail {

// The elements [low, high) of a row are to be in the second cache of this core. Inline: a compiler
// takes what only asks for a function that does nothing, and drops calls of it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void fetch(const T* row, std::int64_t low, std::int64_t high) {
#if defined(__GNUC__)
  constexpr std::int64_t line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t k = low; k < high; k += line) __builtin_prefetch(row + k, 0, 2);
#else
  (void)row, (void)low, (void)high;
#endif
}
// Rows that are checked are no addresses.
template <class Row>
void fetch(const Row&, std::int64_t, std::int64_t) {}

}  // namespace detail

// The processor by itself asks for what follows in memory what was asked for last, and begins anew
// at every page and every row: a pipeline, which reads planes of several arrays in turns, waits for
// most of them. So before it computes a strip of a row, it asks for the same strip of the next
// plane. Many requests at once wait for one another: long rows come in strips.
class Fetch {
 public:
  // Of arrays that have `bytes` for an element together, where the part of a slab does not stay in
  // a core's cache anyway.
  template <int R>
  Fetch(const Domain<R>& domain, std::int64_t slabs, std::int64_t bytes)
      : needed_(domain.size() / (slabs > 0 ? slabs : 1) > detail::core_cache() / bytes) {}

  // Asks for the elements [0, n) of `rows`.
  template <class... Row>
  KOKKOS_FORCEINLINE_FUNCTION void row(std::int64_t n, const Row&... rows) const {
    if (needed_) (detail::fetch(rows, 0, n), ...);
  }

  // The end of the strip that begins with the element `low` of `high`; asks for it of `rows`.
  template <class... Row>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t strip(std::int64_t low, std::int64_t high,
                                                 const Row&... rows) const {
    if (!needed_) return high;
    const std::int64_t end = high - low < 2 * length ? high : low + length;
    (detail::fetch(rows, low, end), ...);
    return end;
  }

 private:
  static constexpr std::int64_t length = 256;
  bool needed_;
};

}  // namespace rhopsi
