// Stretches of a row of elements whose folds go on together, in the nearest cache, on hosts.
#pragma once

#include "rhopsi_fold_terms.hpp"
#include "rhopsi_shapes.hpp"

namespace rhopsi {

// One row of so many vectors that what the folds have come to lies in the nearest cache.
template <class T, int MostLanes, int Vectors>
struct WideTile {
  static constexpr int lanes = std::min(MostLanes, std::max(1, vector_bytes / int{sizeof(T)}));
  static constexpr int vectors = Vectors, width = lanes * Vectors, axis = -1;
  static constexpr bool wide = true;
};

namespace detail {

// Folds whose terms are read once, from rows that are read one after the other: for a stretch of a
// row what the folds have come to is gone over once for every four steps.
template <class Int, class Shape, int R, class Fold, class Element, class Target>
struct WideTileLoop {
  using Calls = TileCalls<Int, R, -1>;
  using Value = typename Fold::Value;
  using By = typename Fold::Combine;
  static constexpr int lanes = Shape::lanes;
  using Sum = Lanes<Value, lanes>;
  static constexpr Int steps = 4;

  Box<R> box;
  Fold fold;
  Element element;
  Target target;
  // Stretches end at lines of the cache where rows begin at one.
  static constexpr std::int64_t grain = 8 * lanes;
  std::int64_t outer = 1, chunks = 1;

  void run(const char* label) {
    for (int a = 0; a + 1 < R; ++a) outer *= box.length(a);
    const std::int64_t threads = concurrency();
    Int at[R] = {};
    for (int a = 0; a < R; ++a) at[a] = static_cast<Int>(box.lo[a]);
    const std::int64_t count = Calls::template call<0>(fold.count, at, at[0], at[R - 1], nullptr);
    const bool alone =
        threads == 1 || box.size() * std::max<std::int64_t>(count, 1) < 8 * serial_below;
    const std::int64_t grains = (box.length(R - 1) + grain - 1) / grain;
    if (!alone && outer < threads) chunks = std::min((threads + outer - 1) / outer, grains);
    if (alone)
      run_units(this, 0, 1);
    else
      run_parts(label, {run_units, this, std::min(threads, outer * chunks)});
  }

  static RHOPSI_NOINLINE void run_units(const void* loop, std::int64_t run, std::int64_t runs) {
    const WideTileLoop self = *static_cast<const WideTileLoop*>(loop);
    const std::int64_t units = self.outer * self.chunks;
    for (std::int64_t unit = units * run / runs; unit < units * (run + 1) / runs; ++unit)
      self.run_unit(unit / self.chunks, unit % self.chunks);
  }
  void run_unit(std::int64_t place, std::int64_t chunk) const {
    Int at[R] = {};
    for (int a = R - 2; a >= 0; --a) {
      at[a] = static_cast<Int>(box.lo[a] + place % box.length(a));
      place /= box.length(a);
    }
    const std::int64_t low = box.lo[R - 1], high = box.hi[R - 1];
    const std::int64_t grains = (high - low + grain - 1) / grain;
    const std::int64_t end = std::min(high, low + grains * (chunk + 1) / chunks * grain);
    for (std::int64_t j = low + grains * chunk / chunks * grain; j < end; j += Shape::width)
      stretch(at, static_cast<Int>(j),
              static_cast<Int>(std::min<std::int64_t>(end, j + Shape::width)));
  }

  template <class Count>
  RHOPSI_INLINED Sum term(const Int* at, Int j, Int k, Count count) const {
    const Int folded[1] = {k};
    return Calls::template call<1>(fold.term, at, 0, j, folded, count);
  }
  template <class Count>
  RHOPSI_INLINED Sum further(Sum sum, const Int* at, Int j, Int k, Int end, Count count) const {
    for (; k < end; ++k) sum = By::combine(sum, term(at, j, k, count));
    return sum;
  }

  RHOPSI_NOINLINE void stretch(const Int* given, Int j0, Int j1) const {
    Int at[R];
    for (int a = 0; a < R; ++a) at[a] = given[a];
    const Int whole = (j1 - j0) / lanes;
    const Int count = Calls::template call<0>(fold.count, at, 0, j0, nullptr);
    const auto all = AllLanes<lanes>{};
    alignas(64) Sum sums[Shape::vectors];
    for (Int v = 0; v < whole; ++v)
      sums[v] = count > 0 ? term(at, j0 + v * lanes, 0, all) : Sum::all(By::template unit<Value>());
    Int k = 1;
    for (; k + steps <= count; k += steps) {
      for (Int v = 0; v < whole; ++v) {
        const Int j = j0 + v * lanes;
        Sum sum = sums[v];
        sum = By::combine(sum, term(at, j, k, all));
        sum = By::combine(sum, term(at, j, k + 1, all));
        sum = By::combine(sum, term(at, j, k + 2, all));
        sums[v] = By::combine(sum, term(at, j, k + 3, all));
      }
    }
    for (; k < count; ++k)
      for (Int v = 0; v < whole; ++v)
        sums[v] = By::combine(sums[v], term(at, j0 + v * lanes, k, all));
    for (Int v = 0; v < whole; ++v) store(at, j0 + v * lanes, all, sums[v]);
    const Int j = j0 + whole * lanes;
    const int left = static_cast<int>(j1 - j);
    if (left == 0) return;
    Sum last = count > 0 ? term(at, j, 0, left) : Sum::all(By::template unit<Value>());
    store(at, j, left, further(last, at, j, 1, count, left));
  }

  template <class Count>
  RHOPSI_INLINED void store(const Int* at, Int j, Count count, Sum sum) const {
    const auto made = Calls::template call<0>(element, at, 0, j, nullptr, count, sum);
    for (int lane = 0; lane < count; ++lane)
      Calls::template call<0>(target, at, 0, static_cast<Int>(j + lane), nullptr) = made[lane];
  }
};

}  // namespace detail
}  // namespace rhopsi
