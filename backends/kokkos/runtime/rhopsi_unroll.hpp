// Loops over several rows at a time.
#pragma once

#include "rhopsi_kernels.hpp"

namespace rhopsi {

namespace detail {

// A kernel that has the loops over the last two axes in itself, over groups of N rows.
template <int N, class F>
struct ByGroups {
  F f;
  std::int64_t rows;
};

template <std::size_t... Outer, class F>
KOKKOS_FORCEINLINE_FUNCTION void call_rows(const F& f, const std::int64_t* outer, Row rows, Row row,
                                           std::index_sequence<Outer...>) {
  (void)outer;
  f(outer[Outer]..., rows, row);
}

// The last of the outer components is the number of a group.
template <class Int, int R, int N, class F, std::size_t... Outer>
KOKKOS_FORCEINLINE_FUNCTION void run_row(const ByGroups<N, F>& kernel, const std::int64_t* outer,
                                         std::int64_t lo, std::int64_t hi,
                                         std::index_sequence<Outer...>) {
  constexpr auto others = std::make_index_sequence<R - 2>{};
  const std::int64_t first = N * outer[R - 2];
  const std::int64_t end = first + N < kernel.rows ? first + N : kernel.rows;
#ifdef RHOPSI_CHECKED
  // Messages name one index.
  std::int64_t at[R] = {outer[Outer]..., 0};
  for (std::int64_t j = first; j < end; ++j) {
    at[R - 2] = j;
    for (std::int64_t k = lo; k < hi; ++k) {
      at_iteration<R>(at, k);
      call_rows(kernel.f, outer, Row{j, j + 1}, Row{k, k + 1}, others);
    }
  }
#else
  call_rows(kernel.f, outer, Row{first, end}, Row{lo, hi}, others);
#endif
}

// One element per thread of a device.
template <int R, class F>
struct OfRows {
  F f;
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(I... i) const {
    const std::int64_t index[R] = {static_cast<std::int64_t>(i)...};
    call_rows(f, index, Row{index[R - 2], index[R - 2] + 1}, Row{index[R - 1], index[R - 1] + 1},
              std::make_index_sequence<R - 2>{});
  }
};

}  // namespace detail

// f(i, ..., rows, row) for all rows of the domain, N of them or what is left of an axis at a time,
// or for parts of these: `rows` are indices of the axis before the last, `row` is what is to be
// done of each of them.
template <int N, int R, class F>
void for_each_rows(const char* label, const Domain<R>& domain, const F& f) {
  static_assert(R > 1 && N > 1, "rows lie side by side on the axis before the last");
  const Box<R> box = interior(domain);
  if constexpr (!on_host) {
    for_each_box(label, box, detail::OfRows<R, F>{f});
  } else {
    if (box.size() == 0) return;
#ifdef RHOPSI_CHECKED
    const checked::KernelScope scope(label);
#endif
    Box<R> groups = box;
    const std::int64_t rows = box.hi[R - 2];
    groups.hi[R - 2] = (rows + N - 1) / N;
    detail::loop_on_host<std::int64_t>(label, groups, detail::ByGroups<N, F>{f, rows}, box.size());
  }
}

}  // namespace rhopsi
