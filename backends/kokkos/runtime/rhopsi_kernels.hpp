// Loops over boxes and domains.
//
// On a CPU MDRangePolicy often stops vectorisation. Here the rows (all axes but the last) are
// dealt out to the threads in one contiguous run each, and the innermost loop is a plain one
// that the compiler vectorises. On a GPU the last axis runs fastest over the threads of a block.
#pragma once

#include <utility>

#include "rhopsi_field.hpp"

namespace rhopsi {
namespace detail {

// Below this many elements the cost of waking the threads exceeds the work.
inline constexpr std::int64_t serial_below = 4096;
// Rows are cut where there are too few of them for the threads, but no shorter than this.
inline constexpr std::int64_t least_segment = 512;

// Calls f(i, ..., k) for k in [lo, hi) with the outer components fixed.
template <int R, class F, std::size_t... Outer>
KOKKOS_FORCEINLINE_FUNCTION void run_row(const F& f, const std::int64_t* outer, std::int64_t lo,
                                         std::int64_t hi, std::index_sequence<Outer...>) {
  (void)outer;
  const std::int64_t fixed[R] = {outer[Outer]..., 0};
  RHOPSI_SIMD
  for (std::int64_t k = lo; k < hi; ++k) f(fixed[Outer]..., k);
}

// The rows of a box, each cut into `cuts` segments; item = row * cuts + segment.
template <int R>
struct Rows {
  Box<R> box;
  std::int64_t cuts = 1;
  std::int64_t items = 1;

  Rows(const Box<R>& over, std::int64_t threads) : box(over) {
    for (int a = 0; a < R - 1; ++a) items *= over.length(a);
    const std::int64_t wanted = 4 * threads;
    if (items > 0 && items < wanted) {
      const std::int64_t most = over.length(R - 1) / least_segment;
      cuts = (wanted + items - 1) / items;
      if (cuts > most) cuts = most > 1 ? most : 1;
    }
    items *= cuts;
  }

  // The outer components of row `row`, the last axis left out.
  KOKKOS_INLINE_FUNCTION void unrank(std::int64_t row, std::int64_t* outer) const {
    for (int a = R - 2; a >= 0; --a) {
      const std::int64_t n = box.length(a);
      outer[a] = box.lo[a] + row % n;
      row /= n;
    }
  }
  KOKKOS_INLINE_FUNCTION void advance(std::int64_t* outer) const {
    for (int a = R - 2; a >= 0; --a) {
      if (++outer[a] < box.hi[a]) return;
      outer[a] = box.lo[a];
    }
  }
};

template <int R, class F>
KOKKOS_INLINE_FUNCTION void run_items(const F& shared, const Rows<R>& rows, std::int64_t first,
                                      std::int64_t last) {
  if (first >= last) return;
  // A copy whose address nobody has: what it captured stays in registers, whatever is stored.
  const F f = shared;
  constexpr auto outer_axes = std::make_index_sequence<R - 1>{};
  std::int64_t outer[R] = {};
  rows.unrank(first / rows.cuts, outer);
  const std::int64_t lo = rows.box.lo[R - 1];
  const std::int64_t n = rows.box.length(R - 1);
  if (rows.cuts == 1) {
    for (std::int64_t item = first; item < last; ++item, rows.advance(outer))
      run_row<R>(f, outer, lo, lo + n, outer_axes);
    return;
  }
  std::int64_t cut = first % rows.cuts;
  for (std::int64_t item = first; item < last; ++item) {
    run_row<R>(f, outer, lo + n * cut / rows.cuts, lo + n * (cut + 1) / rows.cuts, outer_axes);
    if (++cut < rows.cuts) continue;
    cut = 0;
    rows.advance(outer);
  }
}

// One thread's contiguous run of items.
template <int R, class F>
struct RunOfItems {
  F f;
  Rows<R> rows;
  std::int64_t runs;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t run) const {
    run_items(f, rows, rows.items * run / runs, rows.items * (run + 1) / runs);
  }
};

template <int R, class F>
void loop_on_host(const std::string& label, const Box<R>& box, const F& f) {
  const std::int64_t threads = Exec().concurrency();
  const Rows<R> rows(box, threads);
  if (threads == 1 || box.size() < serial_below) {
    run_items(f, rows, 0, rows.items);
    return;
  }
  const std::int64_t runs = rows.items < threads ? rows.items : threads;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>,
                                     Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(0, runs), RunOfItems<R, F>{f, rows, runs});
}

// Threads of a block per axis: up to 32 on the last axis, 256 altogether.
template <int R>
Kokkos::Array<std::int64_t, R> tile_of(const Box<R>& box) {
  Kokkos::Array<std::int64_t, R> tile{};
  std::int64_t left = 256;
  for (int a = R - 1; a >= 0; --a) {
    const std::int64_t most = a == R - 1 ? 32 : left;
    std::int64_t side = 1;
    while (side < most && side < left && side < box.length(a)) side *= 2;
    tile[a] = side;
    left /= side;
  }
  return tile;
}

template <int R, class F>
void loop_on_device(const std::string& label, const Box<R>& box, const F& f) {
  if constexpr (R == 1) {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(box.lo[0], box.hi[0]), f);
  } else {
    using Policy =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<R, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::int64_t>>;
    Kokkos::Array<std::int64_t, R> lo{}, hi{};
    for (int a = 0; a < R; ++a) {
      lo[a] = box.lo[a];
      hi[a] = box.hi[a];
    }
    Kokkos::parallel_for(label, Policy(lo, hi, tile_of(box)), f);
  }
}

// An element function of a total index as one of components.
template <int R, class F>
struct OfComponents {
  F f;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    f(Index<R>{{static_cast<std::int64_t>(i)...}});
  }
};

// The same as one of a position in row-major order.
template <int R, class F>
struct OfPosition {
  F f;
  Box<R> box;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t position) const {
    Index<R> ix{};
    for (int a = R - 1; a > 0; --a) {
      const std::int64_t n = box.length(a);
      ix[a] = box.lo[a] + position % n;
      position /= n;
    }
    ix[0] = box.lo[0] + position;
    f(ix);
  }
};

}  // namespace detail

// f(i, j, ...) for every index of the box; the iterations are independent of each other.
template <int R, class F>
void for_each_box(const std::string& label, const Box<R>& box, const F& f) {
  if (box.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  if constexpr (on_host) detail::loop_on_host(label, box, f);
  else detail::loop_on_device(label, box, f);
#ifdef RHOPSI_CHECKED
  Kokkos::fence();
#endif
}

template <int R, class F>
void for_each_nested(const std::string& label, const Domain<R>& domain, const F& f) {
  for_each_box(label, interior(domain), f);
}

// f(Index<R>) for every element. On a GPU one thread per element; on a CPU threads visit their
// elements in order, so the index is counted up rather than computed.
template <int R, class F>
void for_each_flat(const std::string& label, const Domain<R>& domain, const F& f) {
  const Box<R> box = interior(domain);
  if constexpr (on_host) {
    for_each_box(label, box, detail::OfComponents<R, F>{f});
  } else {
    if (box.size() == 0) return;
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, box.size()),
        detail::OfPosition<R, F>{f, box});
  }
}

namespace detail {

template <class T>
struct CopyElements {
  const T* from;
  T* to;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace detail

// Everything, pads included, between blocks over equal domains.
template <class T, int R>
void copy_block(const Block<T, R>& from, Block<T, R>& to) {
  const Box<1> all{{0}, {from.layout().elements}};
  for_each_box("copy of " + from.label(), all,
               detail::CopyElements<T>{from.memory(), to.memory()});
  to.set_fresh(from.fresh());
}

}  // namespace rhopsi
