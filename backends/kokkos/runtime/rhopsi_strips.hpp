// Loops over boxes of which some elements that are read lie one below the other: the innermost loop
// in strips of a line.
//
//   c[i, j] = a[j, i]:  along j every a is of another line, of which only one element is read.
//   Those of a strip are read again at i + 1, and still there; a row of them is not.
#pragma once

#include <algorithm>

#include "rhopsi_kernels.hpp"

namespace rhopsi {

namespace detail {

// The strips of the innermost axis, and where they are fewer than threads need, parts of the
// outermost one; item = strip * cuts + cut.
template <int R>
struct Strips {
  Box<R> box;
  std::int64_t length;
  std::int64_t cuts = 1;
  std::int64_t items;

  Strips(const Box<R>& over, std::int64_t each, std::int64_t threads) : box(over), length(each) {
    const std::int64_t strips = (over.length(R - 1) + each - 1) / each;
    const std::int64_t wanted = 4 * threads;
    if (strips < wanted) cuts = std::min((wanted + strips - 1) / strips, over.length(0));
    items = strips * cuts;
  }
  Box<R> part(std::int64_t item) const {
    Box<R> made = box;
    made.lo[R - 1] += item / cuts * length;
    made.hi[R - 1] = std::min(made.hi[R - 1], made.lo[R - 1] + length);
    const std::int64_t n = box.length(0), cut = item % cuts;
    made.lo[0] = box.lo[0] + n * cut / cuts;
    made.hi[0] = box.lo[0] + n * (cut + 1) / cuts;
    return made;
  }
};

template <class Int, int R, class F>
KOKKOS_FORCEINLINE_FUNCTION void run_strip(const F& f, const Box<R>& part) {
#ifdef RHOPSI_CHECKED
  const checked::PartScope scope;
#endif
  const Rows<R> rows(part, 0);
  std::int64_t outer[R] = {};
  rows.unrank(0, outer);
  for (std::int64_t row = 0; row < rows.items; ++row) {
    run_row<Int, R>(f, outer, part.lo[R - 1], part.hi[R - 1], std::make_index_sequence<R - 1>{});
    rows.advance(outer);
  }
}

}  // namespace detail

// As for_each_box, in strips of `strip` elements, which are a line, where what is written alone is
// half of a core's cache or more. On a GPU the threads of a block have tiles of two axes anyway.
template <class Int = std::int64_t, int R, class F>
void for_each_strip(const char* label, const Box<R>& box, std::int64_t strip, const F& f) {
  static_assert(R > 1);
  if constexpr (!on_host) {
    for_each_box<Int>(label, box, f);
  } else {
    const std::int64_t bytes = detail::line_bytes / strip;
    if (box.size() <= detail::core_cache() / 2 / std::max<std::int64_t>(bytes, 1))
      return for_each_box<Int>(label, box, f);
#ifdef RHOPSI_CHECKED
    const checked::KernelScope scope(label);
#endif
    const detail::Strips<R> strips(box, strip, detail::concurrency());
    detail::each_item(label, strips.items, box.size(), [f, strips](std::int64_t item) {
      detail::run_strip<Int>(f, strips.part(item));
    });
#ifdef RHOPSI_CHECKED
    detail::fence();
#endif
  }
}

}  // namespace rhopsi
