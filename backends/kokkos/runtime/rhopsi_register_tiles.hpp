// Tiles of elements whose folds go on together, in registers, on hosts.
//
// A tile is some rows by some vectors of lanes of the last axis. The loop of the fold is around it,
// so that what is read for a row serves all lanes, and what is read for a lane all rows. Panels of
// rows are for the second cache, panels of lanes for the last one.
#pragma once

#include "rhopsi_fold_panels.hpp"
#include "rhopsi_shapes.hpp"

namespace rhopsi {

// As onf::Tile says it, or less where the processor that this is compiled for has less. `Axis` is
// that of the rows; -1: there is one row. `Direct`: terms read more than panels.
template <class T, int MostLanes, int Vectors, int Axis, int MostRows, bool Direct>
struct RegisterTile {
  static constexpr int lanes = std::min(MostLanes, std::max(1, vector_bytes / int{sizeof(T)}));
  static constexpr int vectors = Vectors;
  static constexpr int rows =
      Axis < 0 ? 1 : std::min(MostRows, std::max(1, (vector_registers - 4) / Vectors));
  static constexpr int width = lanes * vectors;
  static constexpr int axis = Axis;
  static constexpr bool direct = Direct, wide = false;
};

// The same with one vector, for the lanes that are left at the end of an axis: most of a whole tile
// would be computed for nobody.
template <class WholeTile>
struct NarrowTile : WholeTile {
  static constexpr int vectors = 1, width = WholeTile::lanes;
};

// Of onf::Tile: indices of the fold for which panels are made at a time (0: all), and elements of
// the panels of rows and of lanes that are there at a time.
struct TileBlocks {
  std::int64_t fold, rows, lanes;
};

namespace detail {

// What a nest is cut into: outer indices one by one, and of each a grid of chunks, in tiles.
struct TileGrid {
  std::int64_t outer = 1, row_tiles = 1, lane_tiles = 1;
  std::int64_t row_chunks = 1, lane_chunks = 1;
  std::int64_t units() const { return outer * row_chunks * lane_chunks; }

  void cut(std::int64_t threads) {
    if (outer >= threads || outer == 0) return;
    const std::int64_t wanted = (threads + outer - 1) / outer;
    row_chunks = std::min(wanted, row_tiles);
    lane_chunks = std::min((wanted + row_chunks - 1) / row_chunks, lane_tiles);
  }
};

template <class Int, class Shape, int R, class Folds, class Rows, class Lanes_, class Element,
          class Target>
class TileLoop : Packing<Int, Shape, R, Folds> {
  using Base = Packing<Int, Shape, R, Folds>;
  using Base::depth;
  using Base::folds_;
  using Base::panel_steps;
  using Base::steps_;
  using typename Base::Calls;
  static constexpr int width = Shape::width, vectors = Shape::vectors, rows = Shape::rows;
  static constexpr int lanes = Shape::lanes;
  template <int Level>
  using Value = typename Base::template Value<Level>;
  using Sums = typename Base::template Sums<Value<0>>;
  using Base::each;
  using RowPanels = Panels<Rows>;
  using LanePanels = Panels<Lanes_>;
  // Are there tiles of one vector for the end of the axis? Panels are for whole ones.
  static constexpr bool leaves_lanes =
      vectors > 1 && Shape::direct&& RowPanels::count + LanePanels::count == 0;
  template <class, class, int, class, class, class, class, class>
  friend class TileLoop;

 public:
  TileLoop(const Box<R>& box, const TileBlocks& blocks, const Folds& folds,
           const Rows& row_operands, const Lanes_& lane_operands, const Element& element,
           const Target& target)
      : Base(folds),
        box_(box),
        row_operands_(row_operands),
        lane_operands_(lane_operands),
        element_(element),
        target_(target) {
    for (int a = 0; a < R; ++a) {
      if (a == R - 1)
        grid_.lane_tiles = (box.length(a) + width - 1) / width;
      else if (a == Shape::axis)
        grid_.row_tiles = (box.length(a) + rows - 1) / rows;
      else
        grid_.outer *= box.length(a);
    }
    measure(blocks);
  }

  void run(const char* label) {
    const std::int64_t threads = concurrency();
    const bool alone =
        threads == 1 || box_.size() * std::max<std::int64_t>(steps_, 1) < 8 * serial_below;
    if (!alone) grid_.cut(threads);
    // A multiple of 64 elements each, so that every panel begins at a line of the cache.
    row_elements_ = whole_lines(
        std::min(row_block_, whole(chunk(grid_.row_tiles, grid_.row_chunks), rows)) * panel_steps_);
    lane_elements_ = whole_lines(
        std::min(lane_block_, whole(chunk(grid_.lane_tiles, grid_.lane_chunks), width)) *
        panel_steps_);
    part_bytes_ =
        row_elements_ * RowPanels::element_bytes + lane_elements_ * LanePanels::element_bytes;
    const std::int64_t parts = alone ? 1 : std::min(threads, grid_.units());
    const Scratch scratch(static_cast<std::size_t>(part_bytes_ * parts));
    scratch_ = scratch.memory();
    if (parts == 1)
      run_units(this, 0, 1);
    else
      run_parts(label, {run_units, this, parts});
  }

 private:
  static std::int64_t whole(std::int64_t tiles, std::int64_t each) { return tiles * each; }
  static std::int64_t chunk(std::int64_t tiles, std::int64_t chunks) {
    return (tiles + chunks - 1) / chunks;
  }
  static std::int64_t whole_lines(std::int64_t elements) { return (elements + 63) / 64 * 64; }

  // How many steps the folds of one element take, and how much of it panels hold.
  void measure(const TileBlocks& blocks) {
    Int at[R] = {};
    for (int a = 0; a < R; ++a) at[a] = static_cast<Int>(box_.lo[a]);
    Int fold[depth] = {};
    steps_ = this->template steps_of<0>(at, fold);
    const bool packs = RowPanels::count + LanePanels::count > 0;
    fold_block_ =
        packs && depth == 1 && blocks.fold > 0 ? blocks.fold : std::max<std::int64_t>(steps_, 1);
    panel_steps_ = packs ? std::min(fold_block_, std::max<std::int64_t>(steps_, 1)) : 0;
    const auto fit = [&](std::int64_t elements, std::int64_t side) {
      return std::max(side, elements / std::max<std::int64_t>(panel_steps_, 1) / side * side);
    };
    constexpr std::int64_t everything = std::int64_t{1} << 60;
    row_block_ = RowPanels::count > 0 ? fit(blocks.rows, rows) : packs ? everything : rows;
    lane_block_ = LanePanels::count > 0 ? fit(blocks.lanes, width) : everything;
  }

  // --- units of work
  static RHOPSI_NOINLINE void run_units(const void* loop, std::int64_t run, std::int64_t runs) {
    const TileLoop self = *static_cast<const TileLoop*>(loop);
    const std::int64_t units = self.grid_.units();
    char* const memory = self.scratch_ + self.part_bytes_ * run;
    for (std::int64_t unit = units * run / runs; unit < units * (run + 1) / runs; ++unit)
      self.run_unit(unit, memory);
  }

  void run_unit(std::int64_t unit, char* memory) const {
    const std::int64_t lane_chunk = unit % grid_.lane_chunks;
    unit /= grid_.lane_chunks;
    const std::int64_t row_chunk = unit % grid_.row_chunks;
    unit /= grid_.row_chunks;
    Int at[R] = {};
    for (int a = R - 2; a >= 0; --a) {
      if (a == Shape::axis) {
        at[a] = static_cast<Int>(box_.lo[a]);
        continue;
      }
      at[a] = static_cast<Int>(box_.lo[a] + unit % box_.length(a));
      unit /= box_.length(a);
    }
    const auto ends = [](std::int64_t lo, std::int64_t hi, std::int64_t tiles, std::int64_t chunk,
                         std::int64_t chunks, std::int64_t side) {
      const std::int64_t first = lo + tiles * chunk / chunks * side;
      return std::pair(static_cast<Int>(first),
                       static_cast<Int>(std::min(hi, lo + tiles * (chunk + 1) / chunks * side)));
    };
    const auto [j0, j1] = ends(box_.lo[R - 1], box_.hi[R - 1], grid_.lane_tiles, lane_chunk,
                               grid_.lane_chunks, width);
    Int i0 = 0, i1 = 1;
    if constexpr (Shape::axis >= 0) {
      std::tie(i0, i1) = ends(box_.lo[Shape::axis], box_.hi[Shape::axis], grid_.row_tiles,
                              row_chunk, grid_.row_chunks, rows);
    }
    Int fold[depth] = {};
    blocks(at, i0, i1, j0, j1, panel_steps_ > 0 ? steps_ : this->template steps_of<0>(at, fold),
           memory);
  }

  // Lanes, the fold and rows in blocks, whose panels fit the caches.
  void blocks(const Int* at, Int i0, Int i1, Int j0, Int j1, std::int64_t steps,
              char* memory) const {
    const auto row_panels = RowPanels::at(memory, row_elements_);
    const auto lane_panels =
        LanePanels::at(memory + row_elements_ * RowPanels::element_bytes, lane_elements_);
    for (std::int64_t j = j0; j < j1; j += lane_block_) {
      const Int j_end = static_cast<Int>(std::min<std::int64_t>(j1, j + lane_block_));
      // Without panels all of the fold at once.
      const std::int64_t k_block =
          panel_steps_ > 0 ? fold_block_ : std::max<std::int64_t>(steps, 1);
      for (std::int64_t k = 0; k == 0 || k < steps; k += k_block) {
        const Int k_end = static_cast<Int>(std::min(steps, k + k_block));
        const Int begin = static_cast<Int>(k), first = static_cast<Int>(j);
        this->template pack<false>(lane_operands_, lane_panels, at, i0, i0 + 1, first, j_end, begin,
                                   k_end);
        for (std::int64_t i = i0; i < i1; i += row_block_) {
          const Int i_end = static_cast<Int>(std::min<std::int64_t>(i1, i + row_block_));
          this->template pack<true>(row_operands_, row_panels, at, static_cast<Int>(i), i_end, j0,
                                    j0 + 1, begin, k_end);
          tiles({at, static_cast<Int>(i), i_end, first, j_end, begin, k_end}, row_panels,
                lane_panels);
        }
      }
    }
  }

  // --- tiles
  struct Block {
    const Int* at;
    Int i0, i1, j0, j1, k0, k1;
  };
  template <class RowPointers, class LanePointers>
  void tiles(const Block& block, const RowPointers& row_panels,
             const LanePointers& lane_panels) const {
    const std::int64_t steps = panel_steps(block.k0, block.k1);
    std::int64_t lane_panel = 0;
    for (Int j = block.j0; j < block.j1; j += width, lane_panel += width * steps) {
      if constexpr (leaves_lanes) {
        if (block.j1 - j < width) return narrow_tiles(block, j, row_panels, lane_panels);
      }
      std::int64_t row_panel = 0;
      for (Int i = block.i0; i < block.i1; i += rows, row_panel += rows * steps) {
        Block tile = block;
        tile.i0 = i, tile.j0 = j;
        const auto of_rows =
            moved(row_panels, row_panel, std::make_index_sequence<RowPanels::count>{});
        const auto of_lanes =
            moved(lane_panels, lane_panel, std::make_index_sequence<LanePanels::count>{});
        if (j + width <= block.j1 && i + rows <= block.i1)
          compute<true>(tile, of_rows, of_lanes);
        else
          compute<false>(tile, of_rows, of_lanes);
      }
    }
  }
  // Those from lane `j` on.
  template <class RowPointers, class LanePointers>
  RHOPSI_NOINLINE void narrow_tiles(const Block& block, Int j, const RowPointers& row_panels,
                                    const LanePointers& lane_panels) const {
    using Narrow = TileLoop<Int, NarrowTile<Shape>, R, Folds, Rows, Lanes_, Element, Target>;
    const Narrow narrow(box_, {0, 0, 0}, folds_, row_operands_, lane_operands_, element_, target_);
    narrow.tiles({block.at, block.i0, block.i1, j, block.j1, block.k0, block.k1}, row_panels,
                 lane_panels);
  }
  template <class Pointers, std::size_t... P>
  static Pointers moved(const Pointers& panels, std::int64_t by, std::index_sequence<P...>) {
    (void)by;
    return {(std::get<P>(panels) + by)...};
  }

  // An element of a tile: its indices, and how many lanes count.
  template <bool Full, class R_, class V_>
  static RHOPSI_INLINED auto spot(const Block& tile, R_ r, V_ v) {
    const Int i = tile.i0 + Int{r}, j = tile.j0 + Int{v} * lanes;
    if constexpr (Full) {
      return std::tuple(i, j, AllLanes<lanes>{});
    } else {
      const Int left = tile.j1 - j;
      const int count = left >= lanes ? lanes : left > 1 ? static_cast<int>(left) : 1;
      return std::tuple(std::min<Int>(i, tile.i1 - 1), std::min<Int>(j, tile.j1 - 1), count);
    }
  }
  template <bool Full, class RowPointers, class LanePointers>
  RHOPSI_NOINLINE void compute(const Block& given, const RowPointers& row_panels,
                               const LanePointers& lane_panels) const {
    const Block tile = given;
    // Panels hold something for every place of a tile, so only what reads beside them is told
    // apart.
    constexpr bool whole = Full || !Shape::direct;
    Sums sums;
    Int fold[depth] = {};
    std::int64_t step = 0;
    const bool goes_on = depth == 1 && tile.k0 > 0;
    if (goes_on) load<Full>(tile, sums);
    const auto at = [&](auto r, auto v) RHOPSI_INLINED { return spot<whole>(tile, r, v); };
    const auto term = [&](auto r, auto v) RHOPSI_INLINED {
      return innermost<whole>(tile, r, v, fold, step, row_panels, lane_panels,
                              std::make_index_sequence<RowPanels::count>{},
                              std::make_index_sequence<LanePanels::count>{});
    };
    this->template combine<0>({tile.at, tile.i0, tile.j0, tile.k0, tile.k1}, sums, goes_on, fold,
                              step, at, term);
    store<Full>(tile, sums);
  }

  template <bool Full, class R_, class V_, class RowPointers, class LanePointers, std::size_t... P,
            std::size_t... Q>
  RHOPSI_INLINED Lanes<Value<depth - 1>, lanes> innermost(const Block& tile, R_ r, V_ v,
                                                          const Int* fold, std::int64_t step,
                                                          const RowPointers& row_panels,
                                                          const LanePointers& lane_panels,
                                                          std::index_sequence<P...>,
                                                          std::index_sequence<Q...>) const {
    const auto [i, j, count] = spot<Full>(tile, r, v);
    (void)step;
    return Base::lanes_of(Calls::template call<depth>(
        std::get<depth - 1>(folds_).term, tile.at, i, j, fold, count,
        std::get<P>(row_panels)[step * rows + r]...,
        load_lanes<lanes>(AllLanes<lanes>{},
                          std::get<Q>(lane_panels)[step * width + v * lanes])...));
  }
  // --- the array that is made
  template <bool Full>
  RHOPSI_INLINED void load(const Block& tile, Sums& sums) const {
    each([&](auto r, auto v) RHOPSI_INLINED {
      const auto [i, j, count] = spot<Full>(tile, r, v);
      const Value<0>& first = Calls::template call<0>(target_, tile.at, i, j, nullptr);
      sums.at[r * vectors + v] = load_lanes<lanes>(count, first);
    });
  }
  template <bool Full>
  RHOPSI_INLINED void store(const Block& tile, const Sums& sums) const {
    each([&](auto r, auto v) RHOPSI_INLINED {
      if (!Full && (tile.i0 + r >= tile.i1 || tile.j0 + v * lanes >= tile.j1)) return;
      const auto [i, j, count] = spot<Full>(tile, r, v);
      const auto made = Calls::template call<0>(element_, tile.at, i, j, nullptr, count,
                                                sums.at[r * vectors + v]);
      for (int lane = 0; lane < count; ++lane)
        Calls::template call<0>(target_, tile.at, i, static_cast<Int>(j + lane), nullptr) =
            made[lane];
    });
  }

  Box<R> box_;
  Rows row_operands_;
  Lanes_ lane_operands_;
  Element element_;
  Target target_;
  TileGrid grid_;
  std::int64_t panel_steps_ = 0, fold_block_ = 0, row_block_ = 0, lane_block_ = 0;
  std::int64_t row_elements_ = 0, lane_elements_ = 0, part_bytes_ = 0;
  char* scratch_ = nullptr;
};

}  // namespace detail
}  // namespace rhopsi
