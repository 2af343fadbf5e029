// Loops over boxes and domains.
//
// On a CPU MDRangePolicy often stops vectorisation. Here the rows (all axes but the last) are
// dealt out to the threads in one contiguous run each, and the innermost loop is a plain one
// that the compiler vectorises. On a GPU the last axis runs fastest over the threads of a block.
#pragma once

#include <type_traits>
#include <utility>

#include "rhopsi_circular.hpp"
#include "rhopsi_ends.hpp"
#include "rhopsi_field.hpp"
#include "rhopsi_kokkos.hpp"

namespace rhopsi {

// The part of the last axis that a kernel runs over, given the other indices.
struct Row {
  std::int64_t low, high;
};

namespace detail {

// Below this many elements the cost of waking the threads exceeds the work.
#ifndef RHOPSI_SERIAL_BELOW
#define RHOPSI_SERIAL_BELOW 4096
#endif
inline constexpr std::int64_t serial_below = RHOPSI_SERIAL_BELOW;
// Rows are cut where there are too few of them for the threads, but no shorter than this.
inline constexpr std::int64_t least_segment = 512;

#ifdef RHOPSI_CHECKED
// Messages name the index that this thread is at.
template <int R>
KOKKOS_FORCEINLINE_FUNCTION void at_iteration(const std::int64_t* outer, std::int64_t last) {
#if !RHOPSI_ON_DEVICE
  checked::Iteration& current = checked::iteration();
  current.rank = R;
  for (int a = 0; a < R - 1; ++a) current.index[a] = outer[a];
  current.index[R - 1] = last;
#else
  (void)outer, (void)last;
#endif
}
#endif

// Calls f(i, ..., k) for k in [lo, hi) with the outer components fixed, all of type Int.
template <class Int, int R, class F, std::size_t... Outer>
KOKKOS_FORCEINLINE_FUNCTION void run_row(const F& f, const std::int64_t* outer, std::int64_t lo,
                                         std::int64_t hi, std::index_sequence<Outer...>) {
  (void)outer;
  const Int fixed[R] = {static_cast<Int>(outer[Outer])..., 0};
  const Int last = static_cast<Int>(hi);
  RHOPSI_SIMD
  for (Int k = static_cast<Int>(lo); k < last; ++k) {
#ifdef RHOPSI_CHECKED
    at_iteration<R>(outer, k);
#endif
    f(fixed[Outer]..., k);
  }
}

// A kernel that has the innermost loop in itself.
template <class F>
struct ByRows {
  F f;
};
template <class Int, int R, class F, std::size_t... Outer>
KOKKOS_FORCEINLINE_FUNCTION void run_row(const ByRows<F>& kernel, const std::int64_t* outer,
                                         std::int64_t lo, std::int64_t hi,
                                         std::index_sequence<Outer...>) {
  (void)outer;
#ifdef RHOPSI_CHECKED
  for (std::int64_t k = lo; k < hi; ++k) {
    at_iteration<R>(outer, k);
    kernel.f(outer[Outer]..., Row{k, k + 1});
  }
#else
  kernel.f(outer[Outer]..., Row{lo, hi});
#endif
}

}  // namespace detail

// A kernel for a Row of a box in place of its elements, for Boxes.
template <class F>
detail::ByRows<F> by_rows(const F& f) {
  return {f};
}

// The indices of a row, none of which is negative, in rounds: round(q) does N * q, ..., N * q + N -
// 1 where all of these are in the row, and one(k) what is left in front of these and behind them.
// Both may be called in any order.
template <class Int, int N, class One, class Round>
KOKKOS_FORCEINLINE_FUNCTION void in_rounds(const Row& row, const One& one, const Round& round) {
  const Int low = static_cast<Int>(row.low), high = static_cast<Int>(row.high);
  const Int first = low / N + (low % N == 0 ? 0 : 1), last = high / N;
  const Int begin = first < last ? first * N : high, end = first < last ? last * N : high;
  for (Int k = low; k < begin; ++k) one(k);
  RHOPSI_SIMD
  for (Int q = first; q < last; ++q) round(q);
  for (Int k = end; k < high; ++k) one(k);
}

namespace detail {

// The same one after the other: of a row of few elements that takes less than to enter a loop of
// vectors.
inline constexpr std::int64_t vectors_from = 4;
template <class Int, int R, class F, std::size_t... Outer>
inline void run_short_row(const F& f, const std::int64_t* outer, std::int64_t lo, std::int64_t hi,
                          std::index_sequence<Outer...>) {
  const Int fixed[R] = {static_cast<Int>(outer[Outer])..., 0};
  for (Int k = static_cast<Int>(lo); k < static_cast<Int>(hi); ++k) {
    RHOPSI_IN_TURN;
    f(fixed[Outer]..., k);
  }
}

// Whether a kernel does one element when called, rather than a row or a group of rows.
template <class Int, class F, std::size_t... Axis>
constexpr bool does_elements(std::index_sequence<Axis...>) {
  return std::is_invocable_v<const F&, decltype((void)Axis, Int{})...>;
}

}  // namespace detail

// Does f(k) hold for all k in [low, high)? A test of which loop is to follow: on a device, where a
// thread has one element, and in checked programs it is the one for all, of which nothing is asked;
// where operations may be in any order, as both loops call the same then, the first one.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION bool all_along(std::int64_t low, std::int64_t high, const F& f) {
#if defined(RHOPSI_CHECKED) || RHOPSI_ON_DEVICE
  (void)low, (void)high, (void)f;
  return false;
#elif defined(__FAST_MATH__) || defined(__USE_FAST_MATH__)
  (void)low, (void)high, (void)f;
  return true;
#else
  std::int64_t others = 0;
  for (std::int64_t k = low; k < high; ++k) others += f(k) ? 0 : 1;
  return others == 0;
#endif
}

namespace detail {

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

// A loop on the host: what a thread needs to know of it.
template <int R, class F>
struct HostLoop {
  const F& shared;
  Rows<R> rows;
};

// The items [first, last), in their order. Of what calls this there is one place for each kernel.
template <class Int, int R, class F>
KOKKOS_FORCEINLINE_FUNCTION void run_items_of_rows(const F& f, const Rows<R>& rows,
                                                   std::int64_t first, std::int64_t last) {
  if (first >= last) return;
  constexpr auto outer_axes = std::make_index_sequence<R - 1>{};
  std::int64_t outer[R] = {};
  const std::int64_t cuts = rows.cuts;
  rows.unrank(first / cuts, outer);
  const std::int64_t lo = rows.box.lo[R - 1];
  const std::int64_t n = rows.box.length(R - 1);
  if constexpr (R > 1 && !rhopsi_checked && does_elements<Int, F>(std::make_index_sequence<R>{})) {
    if (n < vectors_from) {
      for (std::int64_t item = first; item < last; ++item, rows.advance(outer))
        run_short_row<Int, R>(f, outer, lo, lo + n, outer_axes);
      return;
    }
  }
  std::int64_t cut = first % cuts;
  for (std::int64_t item = first; item < last; ++item) {
    std::int64_t begin = lo, end = lo + n;
    if (cuts > 1) {
      begin = lo + n * cut / cuts;
      end = lo + n * (cut + 1) / cuts;
    }
    run_row<Int, R>(f, outer, begin, end, outer_axes);
    if (++cut < cuts) continue;
    cut = 0;
    rows.advance(outer);
  }
}

// Run `run` of `runs`: as many contiguous items each. Kept out of line, so that a kernel's body
// is compiled once, for the serial path and for the threads.
template <class Int, int R, class F>
RHOPSI_NOINLINE void run_part(const void* loop, std::int64_t run, std::int64_t runs) {
#ifdef RHOPSI_CHECKED
  const checked::PartScope scope;
#endif
  const auto& [shared, rows] = *static_cast<const HostLoop<R, F>*>(loop);
  const std::int64_t first = rows.items * run / runs, last = rows.items * (run + 1) / runs;
  if (first >= last) return;
  // A copy whose address nobody has: what it captured stays in registers, whatever is stored.
  const F f = shared;
  run_items_of_rows<Int, R>(f, rows, first, last);
}

// `elements` of work altogether.
template <class Int, int R, class F>
void loop_on_host(const char* label, const Box<R>& box, const F& f, std::int64_t elements) {
  const std::int64_t threads = concurrency();
  const HostLoop<R, F> loop{f, Rows<R>(box, threads)};
  const std::int64_t items = loop.rows.items;
  if (threads == 1 || elements < serial_below)
    run_part<Int, R, F>(&loop, 0, 1);
  else
    run_parts(label, {run_part<Int, R, F>, &loop, items < threads ? items : threads});
}

// f(0), f(1), ... dealt out in contiguous runs; `elements` of work altogether.
template <class F>
struct HostItems {
  const F& shared;
  std::int64_t items;
};
template <class F>
RHOPSI_NOINLINE void run_items(const void* loop, std::int64_t run, std::int64_t runs) {
  const auto& [shared, items] = *static_cast<const HostItems<F>*>(loop);
  const F f = shared;
  for (std::int64_t item = items * run / runs; item < items * (run + 1) / runs; ++item) f(item);
}
template <class F>
void each_item(const char* label, std::int64_t items, std::int64_t elements, const F& f) {
  const std::int64_t threads = concurrency();
  const HostItems<F> loop{f, items};
  if (threads == 1 || elements < serial_below)
    run_items<F>(&loop, 0, 1);
  else
    run_parts(label, {run_items<F>, &loop, items < threads ? items : threads});
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

// Loops of a device: rhopsi_device_loops.hpp.
template <class F>
void once_on_device(const char* label, const F& f);
template <class Int, int R, class F>
void loop_on_device(const char* label, const Box<R>& box, const F& f);
template <class Int, int R, class F>
void rows_on_device(const char* label, const Box<R>& box, const F& f);
template <int R, class F>
void positions_on_device(const char* label, const Box<R>& box, const F& f);

}  // namespace detail

// f(i, j, ...) for every index of the box; the iterations are independent of each other. The
// indices are of type Int, which has to hold the ends of the box if there is anything in it.
template <class Int = std::int64_t, int R, class F>
void for_each_box(const char* label, const Box<R>& box, const F& f) {
  if (box.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  if constexpr (R == 0 && on_host)
    f();
  else if constexpr (R == 0)
    detail::once_on_device(label, f);
  else if constexpr (on_host)
    detail::loop_on_host<Int>(label, box, f, box.size());
  else
    detail::loop_on_device<Int>(label, box, f);
#ifdef RHOPSI_CHECKED
  detail::fence();
#endif
}

template <int R, class F>
void for_each_nested(const char* label, const Domain<R>& domain, const F& f) {
  for_each_box(label, interior(domain), f);
}

// f(i, j, ..., row) for every row of the box, or of the domain, or for parts of rows: f has the
// loop over the last index in itself, from row.low up to and without row.high. On a GPU each part
// is one element.
template <class Int = std::int64_t, int R, class F>
void for_each_row(const char* label, const Box<R>& box, const F& f) {
  if constexpr (on_host)
    for_each_box<Int>(label, box, detail::ByRows<F>{f});
  else
    detail::rows_on_device<Int>(label, box, f);
}
template <int R, class F>
void for_each_row(const char* label, const Domain<R>& domain, const F& f) {
  for_each_row(label, interior(domain), f);
}

// f(Index<R>) for every element. On a GPU one thread per element; on a CPU threads visit their
// elements in order, so the index is counted up rather than computed.
template <int R, class F>
void for_each_flat(const char* label, const Domain<R>& domain, const F& f) {
  const Box<R> box = interior(domain);
  if constexpr (on_host) {
    for_each_box(label, box, detail::OfComponents<R, F>{f});
  } else {
    detail::positions_on_device(label, box, f);
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
  for_each_box(("copy of " + from.label()).c_str(), all,
               detail::CopyElements<T>{from.memory(), to.memory()});
  to.set_held(from.held());
}

}  // namespace rhopsi

#if !defined(RHOPSI_HOST)
#include "rhopsi_device_loops.hpp"
#endif
