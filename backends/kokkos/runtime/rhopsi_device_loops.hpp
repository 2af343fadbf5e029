// Loops over boxes by the threads of a device: the last axis runs fastest over those of a block.
// Part of rhopsi_kernels.hpp where kernels do not run on the host.
#pragma once

#include <type_traits>
#include <utility>

#include "rhopsi_kernels.hpp"

namespace rhopsi::detail {

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

// Kokkos' own index has 64 bits: it may go beyond the end by the threads of a grid.
template <class Int, class F>
struct WithIndices {
  F f;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    f(static_cast<Int>(i)...);
  }
};

template <class Int, int R, class F>
void loop_on_device(const char* label, const Box<R>& box, const F& f) {
  if constexpr (!std::is_same_v<Int, std::int64_t>) {
    loop_on_device<std::int64_t>(label, box, WithIndices<Int, F>{f});
  } else if constexpr (R == 1) {
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

// The loop over the one element of an array without axes.
template <class F>
struct Once {
  F f;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t) const { f(); }
};

template <class F>
void once_on_device(const char* label, const F& f) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, 1),
                       Once<F>{f});
}

// One element of a row per thread.
template <int R, class F>
struct OfElements {
  F f;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    const std::int64_t index[R] = {static_cast<std::int64_t>(i)...};
    run(index, std::make_index_sequence<R - 1>{});
  }
  template <std::size_t... Outer>
  KOKKOS_FORCEINLINE_FUNCTION void run(const std::int64_t* index,
                                       std::index_sequence<Outer...>) const {
    f(index[Outer]..., Row{index[R - 1], index[R - 1] + 1});
  }
};

template <class Int, int R, class F>
void rows_on_device(const char* label, const Box<R>& box, const F& f) {
  for_each_box<Int>(label, box, OfElements<R, F>{f});
}

// An element function of a total index as one of a position in row-major order.
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

template <int R, class F>
void positions_on_device(const char* label, const Box<R>& box, const F& f) {
  if (box.size() == 0) return;
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, box.size()),
                       OfPosition<R, F>{f, box});
}

}  // namespace rhopsi::detail
