// Nests that are many small folds, as products of small matrices are, on hosts.
//
// What rows read is in the nearest cache anyway, so it is read where it lies, if nothing has to be
// computed of it again for other lanes; what lanes read is laid out once for all rows, in whole
// vectors. Terms are computed for whole vectors, and so may read nothing but these operands. Tiles
// are as high and as wide as what is left of the rows and lanes, so that few of their elements are
// beyond.
#pragma once

#include "rhopsi_fold_panels.hpp"
#include "rhopsi_kernels.hpp"

// Of panels of fewer bytes: what stays in the nearest cache, or in the next one.
#ifndef RHOPSI_SMALL_TILES
#define RHOPSI_SMALL_TILES 32768
#endif

namespace rhopsi::detail {

// `Stride`: lanes of the vectors of panels, of which a tile may need the first half alone.
template <int Rows, int Vectors, int Lanes_, int Axis, int Stride = Lanes_>
struct SmallTile {
  static constexpr int rows = Rows, vectors = Vectors, lanes = Lanes_, axis = Axis;
  static constexpr int width = vectors * lanes, stride = Stride;
};

// One tile. `Panel` is that of lanes: what they read at each step, one vector behind the other.
template <class Int, class Shape, int R, class Folds, class Rows, class Panel, class Element,
          class Target>
class SmallTileSums : TileSums<Int, Shape, R, Folds> {
  using Base = TileSums<Int, Shape, R, Folds>;
  using Base::depth;
  using Base::each;
  using Base::folds_;
  using typename Base::Calls;
  using Value = typename Base::template Value<0>;
  static constexpr int vectors = Shape::vectors, lanes = Shape::lanes;

 public:
  SmallTileSums(const Folds& folds, const Rows& rows, const Element& element, const Target& target)
      : Base(folds), rows_(rows), element_(element), target_(target) {}

  // Lanes from j0 up to j1, or as many as there are in the tile; `vector` is how far its second
  // vector is behind the first one.
  RHOPSI_NOINLINE void run(const Int* at, Int i0, Int j0, Int j1, const Panel& panel,
                           std::int64_t vector) const {
    typename Base::template Sums<Value> sums;
    Int fold[depth] = {};
    std::int64_t step = 0;
    const auto spot = [&](auto r, auto v) RHOPSI_INLINED {
      return std::tuple(static_cast<Int>(i0 + Int{r}), static_cast<Int>(j0 + Int{v} * lanes),
                        AllLanes<lanes>{});
    };
    const auto term = [&](auto r, auto v) RHOPSI_INLINED {
      return innermost(at, spot(r, v), fold, step * Shape::stride + vector * v, panel,
                       std::make_index_sequence<std::tuple_size_v<Rows>>{},
                       std::make_index_sequence<std::tuple_size_v<Panel>>{});
    };
    const Int end = this->template count_of<0>(at, i0, j0, fold);
    this->template combine<0>({at, i0, j0, 0, end}, sums, false, fold, step, spot, term);
    each([&](auto r, auto v) RHOPSI_INLINED {
      const auto [i, j, all] = spot(r, v);
      const auto& sum = sums.at[r * vectors + v];
      if (j1 - j >= lanes)
        store(at, i, j, all, sum);
      else
        store(at, i, j, SomeLanes<lanes>{static_cast<int>(j1 - j)}, sum);
    });
  }

 private:
  template <class Spot, std::size_t... P, std::size_t... Q>
  RHOPSI_INLINED auto innermost(const Int* at, const Spot& spot, const Int* fold,
                                std::int64_t place, const Panel& panel, std::index_sequence<P...>,
                                std::index_sequence<Q...>) const {
    const auto [i, j, all] = spot;
    return Base::lanes_of(Calls::template call<depth>(
        std::get<depth - 1>(folds_).term, at, i, j, fold, all,
        Calls::template call<depth>(std::get<P>(rows_).value, at, i, j, fold)...,
        load_lanes<lanes>(all, std::get<Q>(panel)[place])...));
  }
  template <class Count, class Sum>
  RHOPSI_INLINED void store(const Int* at, Int i, Int j, Count count, const Sum& sum) const {
    const auto made = Calls::template call<0>(element_, at, i, j, nullptr, count, sum);
    for (int lane = 0; lane < count; ++lane)
      Calls::template call<0>(target_, at, i, static_cast<Int>(j + lane), nullptr) = made[lane];
  }

  const Rows& rows_;
  const Element& element_;
  const Target& target_;
};

template <class Int, class Shape, int R, class Folds, class Rows, class Lanes_, class Element,
          class Target>
class SmallTileLoop : Packing<Int, SmallTile<1, 1, Shape::lanes, Shape::axis>, R, Folds> {
  using Base = Packing<Int, SmallTile<1, 1, Shape::lanes, Shape::axis>, R, Folds>;
  using Base::depth;
  using Base::folds_;
  using Base::steps_;
  using LanePanels = Panels<Lanes_>;
  using Panel = typename LanePanels::Pointers;
  static constexpr int lanes = Shape::lanes;
  static constexpr int most_rows = std::min({Shape::rows, 8, (vector_registers - 4) / 2});

 public:
  SmallTileLoop(const Box<R>& box, const Folds& folds, const Rows& rows,
                const Lanes_& lane_operands, const Element& element, const Target& target)
      : Base(folds),
        box_(box),
        rows_(rows),
        lane_operands_(lane_operands),
        element_(element),
        target_(target) {
    Int at[R] = {};
    for (int axis = 0; axis < R; ++axis) at[axis] = static_cast<Int>(box_.lo[axis]);
    Int fold[depth] = {};
    steps_ = this->template steps_of<0>(at, fold);
    row_tiles_ = (box_.length(Shape::axis) + most_rows - 1) / most_rows;
    for (int axis = 0; axis < R - 1; ++axis)
      if (axis != Shape::axis) outer_ *= box_.length(axis);
    const std::int64_t vectors = (box_.length(R - 1) + lanes - 1) / lanes;
    panel_elements_ = (vectors * lanes * std::max<std::int64_t>(steps_, 1) + 63) / 64 * 64;
  }

  bool fits() const {
    return panel_elements_ * LanePanels::element_bytes < RHOPSI_SMALL_TILES &&
           (box_.length(R - 1) <= 2 * lanes ||
            read_where_they_lie(std::make_index_sequence<std::tuple_size_v<Rows>>{}));
  }

  void run(const char* label) {
    const std::int64_t threads = concurrency();
    const bool alone =
        threads == 1 || box_.size() * std::max<std::int64_t>(steps_, 1) < 8 * serial_below;
    const std::int64_t parts = alone ? 1 : std::min(threads, outer_ * row_tiles_);
    const Scratch scratch(
        static_cast<std::size_t>(parts * panel_elements_ * LanePanels::element_bytes));
    scratch_ = scratch.memory();
    if (parts == 1)
      run_units(this, 0, 1);
    else
      run_parts(label, {run_units, this, parts});
  }

 private:
  // Are all that rows need elements of arrays?
  template <std::size_t... P>
  static constexpr bool read_where_they_lie(std::index_sequence<P...>) {
    return (... && std::is_reference_v<decltype(Base::Calls::template call<depth>(
                       std::declval<const std::tuple_element_t<P, Rows>&>().value,
                       std::declval<const Int*>(), Int{}, Int{}, std::declval<const Int*>()))>);
  }

  // A unit is a tile's rows, with all lanes.
  static RHOPSI_NOINLINE void run_units(const void* loop, std::int64_t run, std::int64_t runs) {
    const SmallTileLoop self = *static_cast<const SmallTileLoop*>(loop);
    const std::int64_t units = self.outer_ * self.row_tiles_;
    std::int64_t unit = units * run / runs;
    const std::int64_t end = units * (run + 1) / runs;
    std::int64_t tile = unit % self.row_tiles_;
    Int at[R] = {};
    self.place(at, unit / self.row_tiles_);
    const Panel panel =
        LanePanels::at(self.scratch_ + run * self.panel_elements_ * LanePanels::element_bytes,
                       self.panel_elements_);
    bool packed = false;
    for (; unit < end; ++unit) {
      if (!packed) self.pack_lanes(at, panel);
      packed = true;
      self.row_tile(at, self.box_.lo[Shape::axis] + tile * most_rows, panel);
      if (++tile < self.row_tiles_) continue;
      tile = 0;
      packed = false;
      self.advance(at);
    }
  }
  // Of the axes that are neither that of rows nor that of lanes.
  void place(Int* at, std::int64_t outer) const {
    for (int axis = R - 2; axis >= 0; --axis) {
      if (axis == Shape::axis) continue;
      at[axis] = static_cast<Int>(box_.lo[axis] + outer % box_.length(axis));
      outer /= box_.length(axis);
    }
  }
  void advance(Int* at) const {
    for (int axis = R - 2; axis >= 0; --axis) {
      if (axis == Shape::axis) continue;
      if (++at[axis] < static_cast<Int>(box_.hi[axis])) return;
      at[axis] = static_cast<Int>(box_.lo[axis]);
    }
  }
  void pack_lanes(const Int* at, const Panel& panel) const {
    const Int row = static_cast<Int>(box_.lo[Shape::axis]);
    this->template pack<false>(lane_operands_, panel, at, row, row + 1,
                               static_cast<Int>(box_.lo[R - 1]), static_cast<Int>(box_.hi[R - 1]),
                               0, static_cast<Int>(steps_));
  }

  // As high as the rows that are left allow.
  void row_tile(const Int* at, std::int64_t first, const Panel& panel) const {
    Int i = static_cast<Int>(first);
    const Int end = static_cast<Int>(std::min(box_.hi[Shape::axis], first + most_rows));
    constexpr int half = most_rows / 2;
    if (end - i == most_rows) {
      lanes_of<most_rows>(at, i, panel);
      return;
    }
    if constexpr (half > 1) {
      for (; end - i >= half; i += half) lanes_of<half>(at, i, panel);
    }
    for (; i < end; ++i) lanes_of<1>(at, i, panel);
  }
  // Two vectors at a time, one, or half of one.
  template <int Height>
  void lanes_of(const Int* at, Int i, Panel panel) const {
    constexpr int half = std::max(1, lanes / 2);
    const std::int64_t vector = steps_ * lanes;
    const Int end = static_cast<Int>(box_.hi[R - 1]);
    for (Int j = static_cast<Int>(box_.lo[R - 1]); j < end;) {
      const Int left = end - j;
      const int vectors = left > lanes + half ? 2 : 1;
      if (vectors == 2)
        sums<Height, 2, lanes>().run(at, i, j, end, panel, vector);
      else if (left > half)
        sums<Height, 1, lanes>().run(at, i, j, end, panel, vector);
      else
        sums<Height, 1, half>().run(at, i, j, end, panel, vector);
      j += vectors * lanes;
      panel = behind(panel, vectors * vector);
    }
  }
  template <int Height, int Vectors, int Width>
  auto sums() const {
    using Tile = SmallTile<Height, Vectors, Width, Shape::axis, lanes>;
    return SmallTileSums<Int, Tile, R, Folds, Rows, Panel, Element, Target>(folds_, rows_, element_,
                                                                            target_);
  }
  template <class... T>
  static std::tuple<T*...> behind(const std::tuple<T*...>& panel, std::int64_t elements) {
    return std::apply([&](auto*... each) { return std::tuple<T*...>(each + elements...); }, panel);
  }

  Box<R> box_;
  Rows rows_;
  Lanes_ lane_operands_;
  Element element_;
  Target target_;
  std::int64_t row_tiles_ = 1, outer_ = 1, panel_elements_ = 0;
  char* scratch_ = nullptr;
};

}  // namespace rhopsi::detail
