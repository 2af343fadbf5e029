// Loops over rows that go through the planes of axis 0 tile by tile, ranges of indices of axis 1.
//
//   b[i, j, k] = a[i - 4, j, k] + ... + a[i + 4, j, k]:  for each plane of b nine of a are read.
//   Where these are more than a core's cache holds, each plane comes from further away nine times;
//   the rows of a tile are still there from the plane before.
//
// A thread has the rows that it has without tiles. Of the planes that are its own as a whole it
// does the first tile, one plane after the other, then the next one.
#pragma once

#include <algorithm>

#include "rhopsi_kernels.hpp"
#include "rhopsi_unroll.hpp"

namespace rhopsi {

// How high tiles are: as many rows as keep `bytes` for each element of a plane in half of a core's
// cache; no more than `most`, if that is not 0. Where not even one row of each plane fits nothing
// is read again from there, and planes are whole.
struct PlaneTiles {
  std::int64_t bytes, most = 0;

  // Of a plane with so many elements, one at least, for each of its `rows`.
  std::int64_t height(std::int64_t rows, std::int64_t elements) const {
    std::int64_t made = detail::core_cache() / 2 / elements / bytes;
    if (made == 0) made = rows;
    if (most > 0) made = std::min(made, most);
    return std::min(made, rows);
  }
};

namespace detail {

template <int R, class F>
struct TiledLoop {
  const F& shared;
  Rows<R> rows;
  std::int64_t tiles;  // of a plane
};

// As run_part: run `run` of `runs`.
template <class Int, int R, class F>
RHOPSI_NOINLINE void run_tiled_part(const void* loop, std::int64_t run, std::int64_t runs) {
#ifdef RHOPSI_CHECKED
  const checked::PartScope scope;
#endif
  const auto& [shared, rows, tiles] = *static_cast<const TiledLoop<R, F>*>(loop);
  const std::int64_t first = rows.items * run / runs, last = rows.items * (run + 1) / runs;
  if (first >= last) return;
  const F f = shared;
  const std::int64_t indices = rows.box.length(1);
  const std::int64_t of_plane = rows.items / rows.box.length(0), of_index = of_plane / indices;
  // The planes [begin, end) are its own; what is in front of them and behind comes row by row.
  const std::int64_t begin = (first + of_plane - 1) / of_plane;
  const std::int64_t end = std::max(begin, last / of_plane);
  const std::int64_t planes = end - begin, parts = tiles * planes;
  for (std::int64_t part = -1; part <= parts; ++part) {
    std::int64_t from = first, to = std::min(last, begin * of_plane);
    if (part == parts) {
      from = std::max(first, end * of_plane), to = last;
    } else if (part >= 0) {
      const std::int64_t tile = part / planes, plane = (begin + part % planes) * of_plane;
      from = plane + indices * tile / tiles * of_index;
      to = plane + indices * (tile + 1) / tiles * of_index;
    }
    run_items_of_rows<Int, R>(f, rows, from, to);
  }
}

// `elements` of work altogether, in tiles of so many indices of axis 1.
template <int R, class F>
void loop_in_tiles(const char* label, const Box<R>& box, const F& f, std::int64_t elements,
                   std::int64_t height) {
  const std::int64_t threads = concurrency();
  const std::int64_t tiles = (box.length(1) + height - 1) / height;
  const TiledLoop<R, F> loop{f, Rows<R>(box, threads), tiles};
  const std::int64_t items = loop.rows.items;
  if (threads == 1 || elements < serial_below)
    run_tiled_part<std::int64_t, R, F>(&loop, 0, 1);
  else
    run_parts(label,
              {run_tiled_part<std::int64_t, R, F>, &loop, items < threads ? items : threads});
}

}  // namespace detail

// As for_each_row, or with N more than 1 for_each_rows<N>, over a domain of three axes or more. A
// GPU has its own tiles.
template <int N = 1, int R, class F>
void for_each_row_in_tiles(const char* label, const Domain<R>& domain, const PlaneTiles& tiles,
                           const F& f) {
  static_assert(R > 2 && N > 0, "a plane has rows side by side");
  if constexpr (!on_host) {
    if constexpr (N == 1)
      for_each_row(label, domain, f);
    else
      for_each_rows<N>(label, domain, f);
  } else {
    Box<R> box = interior(domain);
    const std::int64_t elements = box.size();
    if (elements == 0) return;
#ifdef RHOPSI_CHECKED
    const checked::KernelScope scope(label);
#endif
    const std::int64_t rows = box.length(1);
    std::int64_t height = tiles.height(rows, elements / box.length(0) / rows);
    if constexpr (N == 1) {
      detail::loop_in_tiles(label, box, detail::ByRows<F>{f}, elements, height);
    } else {
      // Groups of rows of the axis before the last, which is axis 1 where there are three.
      const std::int64_t grouped = box.hi[R - 2];
      box.hi[R - 2] = (grouped + N - 1) / N;
      if constexpr (R == 3) height = (height + N - 1) / N;
      detail::loop_in_tiles(label, box, detail::ByGroups<N, F>{f, grouped}, elements, height);
    }
  }
}

}  // namespace rhopsi
