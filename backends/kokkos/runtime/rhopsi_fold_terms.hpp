// What is emitted of a fold, and calls of it.
//
// A fold is a count and a term, both functions of indices: those of the nest and those of the folds
// around it. An element is one fold, or folds within each other, one of each depth.
#pragma once

#include <algorithm>
#include <tuple>

#include "rhopsi_lanes.hpp"

namespace rhopsi {

// One level of folds: combines by By what `term` is at the nest's indices and those of this and
// the outer folds. Of the innermost one, term(i..., k..., lanes that count, row operands..., lane
// operands...); of others term(i..., k..., lanes that count, value of the next fold). `OfAllRows`:
// it is the same for all rows of a tile, and so are the folds within it.
template <class T, class By, bool OfAllRows, class Count, class Term>
struct TileFold {
  using Value = T;
  using Combine = By;
  static constexpr bool of_all_rows = OfAllRows;
  Count count;  // of the nest's indices and those of the outer folds
  Term term;
};
template <class T, class By, bool OfAllRows = false, class Count, class Term>
TileFold<T, By, OfAllRows, Count, Term> tile_fold(Count count, Term term) {
  return {count, term};
}

namespace detail {

// Calls of what was emitted: with the index of the row and of the lane in their places among those
// of the nest, and then those of `Folded` folds.
template <class Int, int R, int Axis>
struct TileCalls {
  static constexpr int row_axis = Axis < 0 ? 0 : Axis;
  template <int A>
  static RHOPSI_INLINED Int pick(const Int* at, Int i, Int j) {
    if constexpr (A == R - 1)
      return j;
    else if constexpr (A == Axis)
      return i;
    else
      return at[A];
  }
  template <class F, std::size_t... A, std::size_t... K, class... More>
  static RHOPSI_INLINED decltype(auto) call(const F& f, const Int* at, Int i, Int j,
                                            const Int* fold, std::index_sequence<A...>,
                                            std::index_sequence<K...>, const More&... more) {
    (void)fold;
    return f(pick<static_cast<int>(A)>(at, i, j)..., fold[K]..., more...);
  }
  template <int Folded, class F, class... More>
  static RHOPSI_INLINED decltype(auto) call(const F& f, const Int* at, Int i, Int j,
                                            const Int* fold, const More&... more) {
    return call(f, at, i, j, fold, std::make_index_sequence<R>{},
                std::make_index_sequence<Folded>{}, more...);
  }
};

// The folds of an element: how many steps they take, and all of these.
template <class Int, int R, int Axis, class Folds>
class FoldSteps : protected TileCalls<Int, R, Axis> {
 protected:
  using Calls = TileCalls<Int, R, Axis>;
  static constexpr int depth = static_cast<int>(std::tuple_size_v<Folds>);
  explicit FoldSteps(const Folds& folds) : folds_(folds) {}

  template <int Level>
  std::int64_t steps_of(const Int* at, Int* fold) const {
    const std::int64_t count =
        std::max<std::int64_t>(count_of<Level>(at, at[Calls::row_axis], at[R - 1], fold), 0);
    if constexpr (Level + 1 < depth)
      return count == 0 ? 0 : count * steps_of<Level + 1>(at, fold);
    else
      return count;
  }

  template <int Level>
  RHOPSI_INLINED Int count_of(const Int* at, Int i, Int j, const Int* fold) const {
    return Calls::template call<Level>(std::get<Level>(folds_).count, at, i, j, fold);
  }

  // f(fold indices), in order.
  template <class F>
  RHOPSI_INLINED void each_step(const Int* at, Int i, Int j, Int k0, Int k1, const F& f) const {
    Int fold[depth] = {};
    each_step_of<0>(at, i, j, k0, k1, fold, f);
  }
  template <int Level, class F>
  RHOPSI_INLINED void each_step_of(const Int* at, Int i, Int j, Int k0, Int k1, Int* fold,
                                   const F& f) const {
    const Int end = depth == 1 ? k1 : count_of<Level>(at, i, j, fold);
    for (Int k = depth == 1 ? k0 : 0; k < end; ++k) {
      fold[Level] = k;
      if constexpr (Level + 1 < depth)
        each_step_of<Level + 1>(at, i, j, k0, k1, fold, f);
      else
        f(fold);
    }
  }

  Folds folds_;
};

}  // namespace detail
}  // namespace rhopsi
