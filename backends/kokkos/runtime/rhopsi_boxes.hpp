// Several boxes of one array, each with a loop body of its own, as one loop over rows.
//
// An array that a stencil makes has its interior and, beside it, faces, edges and corners. As loops
// of their own each of these starts the threads, and a face across the last axis goes through a
// cache line for each of its elements. Here a thread goes through its rows once, and in each of
// them from box to box; short rows go in strips of several, since to begin a row of a box takes as
// long as some elements of it. On a GPU each box is a kernel.
#pragma once

#include <algorithm>
#include <vector>

#include "rhopsi_kernels.hpp"

namespace rhopsi {

// boxes.add(box, f) for each box, then boxes.run(). The boxes are disjoint, the iterations of all
// of them independent of each other; each f stays where it is until then. Indices are of type Int.
template <class Int, int R>
class Boxes {
  static_assert(R > 0, "an array without axes has one box");

 public:
  explicit Boxes(const char* label) : label_(label) {}

  template <class F>
  void add(const Box<R>& box, const F& f) {
    if (box.size() == 0) return;
    if constexpr (on_host)
      parts_.push_back({box, &f, strip_of<F>});
    else
      for_each_box<Int>(label_, box, f);
  }
  // by_rows(f): f for parts of rows of the box.
  template <class F>
  void add(const Box<R>& box, const detail::ByRows<F>& rows) {
    if (box.size() == 0) return;
    if constexpr (on_host)
      parts_.push_back({box, &rows, strip_of<detail::ByRows<F>>});
    else
      for_each_row<Int>(label_, box, rows.f);
  }

  void run() {
    if constexpr (on_host) run_parts();
  }

 private:
  void run_parts() {
    if (parts_.empty()) return;
#ifdef RHOPSI_CHECKED
    const checked::KernelScope scope(label_);
#endif
    find_hull();
    for (int axis = 0; axis + 1 < R; ++axis) find_cuts(axis);
    find_cells();
    const std::int64_t threads = detail::concurrency();
    const detail::Rows<R> rows(hull_, threads);
    const Loop loop{*this, rows};
    if (threads == 1 || elements_ < detail::serial_below)
      run_part(&loop, 0, 1);
    else
      detail::run_parts(label_, {run_part, &loop, rows.items < threads ? rows.items : threads});
  }

  // A strip of so many elements, of all boxes that it crosses, stays in the nearest cache.
  static constexpr std::int64_t strip_elements = 2048;

  // Parts of rows of a box, `lines` of them from `outer` on along the last axis but one: the other
  // indices of the first, and where all begin and end along the last axis.
  using StripOf = void (*)(const void* f, const std::int64_t* outer, std::int64_t lines,
                           std::int64_t low, std::int64_t high);
  struct Part {
    Box<R> box;
    const void* f;
    StripOf strip;
  };
  struct Loop {
    const Boxes& boxes;
    detail::Rows<R> rows;
  };

  template <class F>
  RHOPSI_NOINLINE static void strip_of(const void* shared, const std::int64_t* outer,
                                       std::int64_t lines, std::int64_t low, std::int64_t high) {
    // A copy whose address nobody has: what it captured stays in registers, whatever is stored.
    const F f = *static_cast<const F*>(shared);
    std::int64_t at[R];
    for (int axis = 0; axis + 1 < R; ++axis) at[axis] = outer[axis];
    for (std::int64_t line = 0; line < lines; ++line) {
      detail::run_row<Int, R>(f, at, low, high, std::make_index_sequence<R - 1>{});
      if constexpr (R > 1) ++at[R - 2];
    }
  }

  void find_hull() {
    hull_ = parts_.front().box;
    for (const Part& part : parts_) {
      elements_ += part.box.size();
      for (int axis = 0; axis < R; ++axis) {
        hull_.lo[axis] = std::min(hull_.lo[axis], part.box.lo[axis]);
        hull_.hi[axis] = std::max(hull_.hi[axis], part.box.hi[axis]);
      }
    }
  }

  // Where boxes begin and end along an axis: between two of these the same ones are there.
  void find_cuts(int axis) {
    std::vector<std::int64_t>& cuts = cuts_[axis];
    for (const Part& part : parts_) {
      cuts.push_back(part.box.lo[axis]);
      cuts.push_back(part.box.hi[axis]);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }

  // The boxes of each cell between cuts, in row-major order of cells, as a range of `members_`.
  void find_cells() {
    std::int64_t cells = 1;
    for (int axis = 0; axis + 1 < R; ++axis)
      cells *= static_cast<std::int64_t>(cuts_[axis].size()) - 1;
    first_.reserve(static_cast<std::size_t>(cells) + 1);
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      first_.push_back(members_.size());
      for (const Part& part : parts_)
        if (holds(part.box, cell)) members_.push_back(&part);
    }
    first_.push_back(members_.size());
  }
  bool holds(const Box<R>& box, std::int64_t cell) const {
    for (int axis = R - 2; axis >= 0; --axis) {
      const auto segments = static_cast<std::int64_t>(cuts_[axis].size()) - 1;
      const std::int64_t low = cuts_[axis][static_cast<std::size_t>(cell % segments)];
      if (low < box.lo[axis] || low >= box.hi[axis]) return false;
      cell /= segments;
    }
    return true;
  }

  std::size_t cell_of(const std::int64_t* outer) const {
    std::size_t cell = 0;
    for (int axis = 0; axis + 1 < R; ++axis) {
      const std::vector<std::int64_t>& cuts = cuts_[axis];
      std::size_t segment = 0;
      while (outer[axis] >= cuts[segment + 1]) ++segment;
      cell = cell * (cuts.size() - 1) + segment;
    }
    return cell;
  }

  // How many rows from `outer` on, `most` at most, are within the same boxes and make a strip.
  std::int64_t lines_at(const std::int64_t* outer, std::int64_t most) const {
    if constexpr (R == 1) {
      return 1;
    } else {
      const std::vector<std::int64_t>& cuts = cuts_[R - 2];
      std::size_t segment = 0;
      while (outer[R - 2] >= cuts[segment + 1]) ++segment;
      const std::int64_t strip = std::max<std::int64_t>(
          1, strip_elements / std::max<std::int64_t>(1, hull_.length(R - 1)));
      return std::min({most, strip, cuts[segment + 1] - outer[R - 2]});
    }
  }

  // The indices [low, high) of the last axis in `lines` rows, through all boxes that are there.
  void run_strip(const std::int64_t* outer, std::int64_t lines, std::int64_t low,
                 std::int64_t high) const {
    const std::size_t cell = cell_of(outer);
    for (std::size_t k = first_[cell]; k < first_[cell + 1]; ++k) {
      const Part& part = *members_[k];
      const std::int64_t begin = std::max(low, part.box.lo[R - 1]);
      const std::int64_t end = std::min(high, part.box.hi[R - 1]);
      if (begin < end) part.strip(part.f, outer, lines, begin, end);
    }
  }

  RHOPSI_NOINLINE static void run_part(const void* shared, std::int64_t run, std::int64_t runs) {
#ifdef RHOPSI_CHECKED
    const checked::PartScope scope;
#endif
    const auto& [boxes, rows] = *static_cast<const Loop*>(shared);
    const std::int64_t first = rows.items * run / runs, last = rows.items * (run + 1) / runs;
    if (first >= last) return;
    std::int64_t outer[R] = {};
    rows.unrank(first / rows.cuts, outer);
    const std::int64_t low = rows.box.lo[R - 1], n = rows.box.length(R - 1);
    std::int64_t cut = first % rows.cuts;
    for (std::int64_t item = first; item < last;) {
      const std::int64_t lines = rows.cuts == 1 ? boxes.lines_at(outer, last - item) : 1;
      boxes.run_strip(outer, lines, low + n * cut / rows.cuts, low + n * (cut + 1) / rows.cuts);
      item += lines;
      if (++cut < rows.cuts) continue;
      cut = 0;
      for (std::int64_t line = 0; line < lines; ++line) rows.advance(outer);
    }
  }

  const char* label_;
  std::vector<Part> parts_;
  Box<R> hull_{};
  std::int64_t elements_ = 0;
  std::vector<std::int64_t> cuts_[R];
  std::vector<const Part*> members_;
  std::vector<std::size_t> first_;  // of each cell in members_
};

}  // namespace rhopsi
