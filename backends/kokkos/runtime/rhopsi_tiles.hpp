// Pipelines in tiles: each slab goes through its planes once for every tile, a range of indices of
// axis 1, its rows. So what waits in rings, and what is read of arrays, stays in a core's cache.
//
// Stages go further than a tile's last row by as many rows as later ones read there, and begin
// where they have ended in the tile before: what they read in front of that is kept, in rings and
// of arrays that are overwritten. Only beyond the ends of axis 1, whose rows are the circular ones,
// is anything computed twice; the last tile finds there what the first one has kept. No pads of
// that axis are read.
#pragma once

#include "rhopsi_pipeline.hpp"

namespace rhopsi {

// Rows [low, high), which lie after those of the tiles with a smaller number.
struct Tile {
  std::int64_t number, low, high;
  bool has(std::int64_t row) const { return row >= low && row < high; }
  // Of a stage that goes so many rows beyond the ends of the axis, the first row and the end.
  std::int64_t begin(std::int64_t below, std::int64_t above) const {
    return number == 0 ? low - below : low + above;
  }
  std::int64_t end(std::int64_t above) const { return high + above; }
};

// The rows of a plane in runs of about as many each.
template <int R>
struct Tiles {
  static_assert(R > 2, "tiles are for three axes at least");
  std::int64_t rows;
  std::int64_t count = 1;

  // As many rows as keep `bytes` for each element of a plane, and those of the `again` rows that
  // stages go beyond them, in half of a core's cache, or a quarter of what a slab has of the last
  // one if that is more, but no more than four times a core's: of that one systems may tell the
  // size that all parts of a machine have together. At least twice as many as these, and no fewer
  // than are `kept` for another tile. Not more than `most`, if that is not 0.
  Tiles(const Slabs<R>& slabs, std::int64_t bytes, std::int64_t again, std::int64_t kept,
        std::int64_t most = 0)
      : rows(slabs.domain.extent[1]) {
    const Domain<R>& domain = slabs.domain;
    std::int64_t row = bytes;
    for (int a = 2; a < R; ++a) row *= domain.extent[a];
    if (row <= 0 || rows <= 0) return;
    const std::int64_t core = detail::core_cache(), last = detail::last_cache() / 4 / slabs.count;
    const std::int64_t room = last < core / 2 ? core / 2 : last < 4 * core ? last : 4 * core;
    std::int64_t height = room / row - again;
    if (height < 2 * again) height = 2 * again;
    if (most > 0 && height > most) height = most;
    if (height < 1) height = 1;
    count = (rows + height - 1) / height;
    if (kept > 0 && count > rows / kept) count = rows / kept;
    if (count < 1) count = 1;
  }
  Tile operator[](std::int64_t k) const { return {k, rows * k / count, rows * (k + 1) / count}; }
  std::int64_t longest() const { return (rows + count - 1) / count; }
};

// Planes of tiles have rows by their index of axis 1: row(j, ...) is a row of the last axis.

// Of a plane that is there whole, circular.
template <class T, int D>
struct AllRows {
  FieldRef<T, D> plane;
  std::int64_t n;
  template <class... Outer>
  auto row(std::int64_t j, Outer... outer) const {
    return plane.row(j >= 0 && j < n ? j : euclid_mod(j, n), outer...);
  }
  template <class... Outer>
  decltype(auto) operator()(std::int64_t j, Outer... outer) const {
    return plane(j >= 0 && j < n ? j : euclid_mod(j, n), outer...);
  }
};
template <class T, int R>
struct AllPlanesOfTiles {
  FieldRef<const T, R> field;
  std::int64_t n, rows;
  AllRows<const T, R - 1> plane(const Slab&, const Tile&, std::int64_t i) const {
    return {field.plane(i >= 0 && i < n ? i : euclid_mod(i, n)), rows};
  }
};
template <class T, int R>
AllPlanesOfTiles<T, R> all_planes_of_tiles(const Field<T, R>& field) {
  return {field.read(), field.domain().extent[0], field.domain().extent[1]};
}

// How far a stage goes beyond the ends of axis 1, and beyond those of a slab.
struct Reach {
  std::int64_t rows_below, rows_above, planes_below, planes_above;
};

// Of a ring: the rows that a stage does of a tile, and in front of them those that are kept of the
// tile before.
template <class T, int D>
struct RingRows {
  FieldRef<T, D> plane_;
  std::int64_t first;
  template <class... Outer>
  auto row(std::int64_t j, Outer... outer) const {
    return plane_.row(j - first, outer...);
  }
  template <class... Outer>
  decltype(auto) operator()(std::int64_t j, Outer... outer) const {
    return plane_(j - first, outer...);
  }
  auto plane(std::int64_t j) const { return plane_.plane(j - first); }
};
template <class T, int R>
struct RingPlanesOfTiles {
  FieldRef<T, R> field;
  std::int64_t planes, apart;  // of a ring, and from one ring to the next
  FieldRef<T, R> beside;       // where rows are kept, plane by plane
  Reach reach;
  std::int64_t kept, count;  // rows, and tiles
  std::int64_t size, pads;   // of what is stored of a row, and of it in front of element 0

  RingRows<T, R - 1> plane(const Slab& slab, const Tile& tile, std::int64_t i) const {
    const std::int64_t before = tile.number == 0 ? 0 : kept;
    return {field.plane(slab.number * apart + euclid_mod(i, planes)),
            tile.begin(reach.rows_below, reach.rows_above) - before};
  }
  // Before a stage stores a plane, and when it has. What is kept of the tile before is in the ring
  // by then, so that there is one place for both.
  void take(const Slab& slab, const Tile& tile, std::int64_t i) const {
    if (tile.number == 0) return;
    const T* const from = place_beside(slab, i);
    copy(place(plane(slab, tile, i), tile.low + reach.rows_above - kept), from);
    detail::fetch(from + beside.stride(0), 0, kept * size);  // of the next plane
  }
  void keep(const Slab& slab, const Tile& tile, std::int64_t i) const {
    if (tile.number + 1 == count) return;
    copy(place_beside(slab, i), place(plane(slab, tile, i), tile.end(reach.rows_above) - kept));
  }

 private:
  T* place(const RingRows<T, R - 1>& rows, std::int64_t j) const {
    return rows.plane_.origin() + (j - rows.first) * size - pads;
  }
  T* place_beside(const Slab& slab, std::int64_t i) const {
    const std::int64_t at =
        i + reach.planes_below + slab.number * (reach.planes_below + reach.planes_above);
    return beside.plane(at).origin() - pads;
  }
  void copy(T* to, const T* from) const {
    std::memcpy(to, from, static_cast<std::size_t>(kept * size) * sizeof(T));
  }
};
template <class T, int R>
class TileRing {
 public:
  // For what a stage of that reach computes, with so many rows kept for the next tile.
  TileRing(const char* label, const Slabs<R>& slabs, const Tiles<R>& tiles, std::int64_t planes,
           const Reach& reach, std::int64_t kept)
      : TileRing(label, slabs, tiles, planes, reach, kept, slabs.domain) {}
  // With the pads of `like`.
  TileRing(const char* label, const Slabs<R>& slabs, const Tiles<R>& tiles, std::int64_t planes,
           const Reach& reach, std::int64_t kept, const Domain<R>& like)
      : apart_(slabs.template from_ring_to_ring<T>(
            planes, room(like, planes, rows_of(tiles, reach, kept)))),
        field_(label, room(like, slabs.count * apart_, rows_of(tiles, reach, kept))),
        beside_(label, room(like, planes_of(slabs, reach), tiles.count > 1 ? kept : 0)),
        ref_{{}, planes, apart_, {}, reach, kept, tiles.count, 0, 0} {
    const Layout<T, R> layout(field_.domain());
    ref_.size = layout.stride[1];
    ref_.pads = layout.origin - field_.domain().low(0) * layout.stride[0] -
                field_.domain().low(1) * layout.stride[1];
  }
  RingPlanesOfTiles<T, R> ref(const Halo<R>& halo) {
    (void)field_.overwrite();
    ref_.field = field_.refill(halo);
    ref_.beside = beside_.overwrite();
    return ref_;
  }

 private:
  static std::int64_t rows_of(const Tiles<R>& tiles, const Reach& reach, std::int64_t kept) {
    const std::int64_t beyond = reach.rows_below + reach.rows_above;
    return tiles.longest() + (beyond > kept ? beyond : kept);
  }
  static std::int64_t planes_of(const Slabs<R>& slabs, const Reach& reach) {
    return slabs.domain.extent[0] + slabs.count * (reach.planes_below + reach.planes_above);
  }
  static Domain<R> room(Domain<R> own, std::int64_t planes, std::int64_t rows) {
    own.extent[0] = planes;
    own.extent[1] = rows;
    return own;
  }

  std::int64_t apart_;
  Field<T, R> field_, beside_;
  RingPlanesOfTiles<T, R> ref_;
};

// Of an array that is overwritten, as it was before: rows [low, rows) where they were, those in
// front and behind where `before` and `behind` have them, so many rows further.
template <class T, int D>
struct OldRows {
  FieldRef<const T, D> plane, before, behind;
  std::int64_t low, rows, to_before, to_behind;
  bool whole;  // all rows of the plane are there, and are circular
  template <class... Outer>
  auto row(std::int64_t j, Outer... outer) const {
    if (RHOPSI_LIKELY(j >= low && j < rows)) return plane.row(j, outer...);
    if (whole) return plane.row(euclid_mod(j, rows), outer...);
    return j < low ? before.row(j + to_before, outer...) : behind.row(j + to_behind, outer...);
  }
  template <class... Outer>
  decltype(auto) operator()(std::int64_t j, Outer... outer) const {
    if (RHOPSI_LIKELY(j >= low && j < rows)) return plane(j, outer...);
    if (whole) return plane(euclid_mod(j, rows), outer...);
    return j < low ? before(j + to_before, outer...) : behind(j + to_behind, outer...);
  }
};
// What is kept of an array that a pipeline overwrites: planes beside a slab; rows beside a tile
// that is alone; for the next tile the last ones of those that this one overwrites, which end so
// many `ahead` of the tile.
struct Kept {
  std::int64_t planes_below, planes_above, rows_below, rows_above, next, ahead;
};
template <class T, int R>
struct OldPlanesOfTiles {
  FieldRef<const T, R> field, planes, beside;
  FieldRef<T, R> to;  // where rows are kept, plane by plane
  Kept kept;
  std::int64_t rows, count;  // of axis 1, and tiles
  std::int64_t size, pads;   // of what is stored of a row, and of it in front of element 0

  OldRows<T, R - 1> plane(const Slab& slab, const Tile& tile, std::int64_t i) const {
    if (slab.has(i)) {
      const auto own = field.plane(i), rest = beside.plane(i);
      const std::int64_t behind = place_behind() - rows;
      if (count == 1) return {own, rest, rest, 0, rows, kept.rows_below, behind, false};
      // What is in front of the first of several tiles the last one has not overwritten yet.
      if (tile.number == 0) return {own, own, rest, 0, rows, rows, behind, false};
      const std::int64_t first = tile.low + kept.ahead;
      const std::int64_t before = place_of(tile.number) + kept.next - first;
      return {own, rest, rest, first, rows, before, behind, false};
    }
    // Of planes of other slabs all rows are there.
    const std::int64_t first = slab.number * (kept.planes_below + kept.planes_above);
    const std::int64_t beyond = i < slab.low ? i - slab.low : i - slab.high;
    const auto there = planes.plane(first + kept.planes_below + beyond);
    return {there, there, there, 0, rows, 0, 0, true};
  }
  // Before a tile overwrites its rows of a plane: the last ones for the tile behind it, the first
  // ones of the first tile for the last.
  void keep(const Slab& slab, const Tile& tile, std::int64_t i) const {
    if (count == 1 || !slab.has(i)) return;
    if (tile.number + 1 < count)
      copy(i, place_of(tile.number + 1), tile.high + kept.ahead - kept.next, kept.next);
    if (tile.number == 0) copy(i, place_behind(), 0, kept.rows_above);
  }
  // From before, where a tile is alone.
  void keep_both(const Slab& slab) const {
    if (count > 1) return;
    for (std::int64_t i = slab.low; i < slab.high; ++i) {
      copy(i, 0, -kept.rows_below, kept.rows_below);
      copy(i, place_behind(), rows, kept.rows_above);
    }
  }
  // So many rows of each plane: of two tiles in turns, or of one, and those behind the last.
  static std::int64_t room(const Kept& kept) { return in_front(kept) + kept.rows_above; }

 private:
  static std::int64_t in_front(const Kept& kept) {
    return kept.rows_below > 2 * kept.next ? kept.rows_below : 2 * kept.next;
  }
  std::int64_t place_of(std::int64_t tile) const { return tile % 2 * kept.next; }
  std::int64_t place_behind() const { return in_front(kept); }
  // The circular rows from `j` on.
  void copy(std::int64_t i, std::int64_t place, std::int64_t j, std::int64_t many) const {
    T* const into = to.plane(i).origin() + place * size - pads;
    const T* const from = field.plane(i).origin() - pads;
    for (std::int64_t k = 0; k < many; ++k) {
      std::memcpy(into + k * size, from + euclid_mod(j + k, rows) * size,
                  static_cast<std::size_t>(size) * sizeof(T));
    }
  }
};
// The planes and rows that are kept of an array.
template <class T, int R>
class TileSeam {
 public:
  TileSeam(const char* label, const Slabs<R>& slabs, const Tiles<R>& tiles, const Field<T, R>& of,
           const Kept& kept)
      : planes_(label, slabs, of, kept.planes_below, kept.planes_above),
        rows_(label, room(of.domain(), OldPlanesOfTiles<T, R>::room(kept))) {
    const auto to = rows_.overwrite();
    (void)rows_.refill(of.held());
    const Domain<R>& domain = of.domain();
    const Layout<T, R> layout(domain);
    const auto whole = planes_.ref();
    ref_ = {whole.field,
            whole.kept,
            rows_.read(),
            to,
            kept,
            tiles.rows,
            tiles.count,
            layout.stride[1],
            layout.origin - domain.low(0) * layout.stride[0] - domain.low(1) * layout.stride[1]};
  }
  void keep(const Slab& slab, const Domain<R>& domain) const {
    planes_.keep(slab, domain);
    ref_.keep_both(slab);
  }
  const OldPlanesOfTiles<T, R>& ref() const { return ref_; }

 private:
  // So many rows of each plane.
  static Domain<R> room(Domain<R> domain, std::int64_t rows) {
    domain.extent[1] = rows;
    return domain;
  }

  Seam<T, R> planes_;
  Field<T, R> rows_;
  OldPlanesOfTiles<T, R> ref_;
};

template <int R, class... T>
void keep_seams(const Slabs<R>& slabs, const TileSeam<T, R>&... seams) {
  if (slabs.domain.size() == 0) return;
  detail::each_item("seams of a pipeline", slabs.count, slabs.domain.size(),
                    [&](std::int64_t k) { (seams.keep(slabs[k], slabs.domain), ...); });
}

// Of an array that is written: a tile writes its own rows of the slab's planes.
template <class T, int R>
struct OwnPlanesOfTiles {
  FieldRef<T, R> field;
  FieldRef<T, R - 1> plane(const Slab&, const Tile&, std::int64_t i) const {
    return field.plane(i);
  }
};
template <class T, int R>
OwnPlanesOfTiles<T, R> own_planes_of_tiles(Field<T, R>& field, const Halo<R>& filled) {
  (void)field.overwrite();
  return {field.refill(filled)};
}
// What is beyond the ends of the axes goes to one that is spare.
template <class T, int D>
struct OwnAndSpareRows {
  FieldRef<T, D> own, spare;
  std::int64_t low, high;
  template <class... Outer>
  auto row(std::int64_t j, Outer... outer) const {
    return j >= low && j < high ? own.row(j, outer...) : spare.row(std::int64_t{0}, outer...);
  }
};
template <class T, int R>
struct OwnAndSparePlanesOfTiles {
  FieldRef<T, R> field, spare;
  Reach reach;
  std::int64_t rows;
  OwnAndSpareRows<T, R - 1> plane(const Slab& slab, const Tile& tile, std::int64_t i) const {
    const auto there = spare.plane(slab.number);
    if (!slab.has(i)) return {there, there, 0, 0};
    const std::int64_t low = tile.begin(reach.rows_below, reach.rows_above),
                       high = tile.end(reach.rows_above);
    return {field.plane(i), there, low > 0 ? low : 0, high < rows ? high : rows};
  }
};
template <class T, int R>
OwnAndSparePlanesOfTiles<T, R> own_planes_of_tiles(Field<T, R>& field, const Halo<R>& filled,
                                                   Field<T, R>& spare, const Reach& reach) {
  return {own_planes_of_tiles(field, filled).field, spare.overwrite(), reach,
          field.domain().extent[1]};
}

// The pads beside the rows [low, high) of a plane of a ring. Inline, since sweeps by turns do it
// for each row.
template <class T, int D, int R>
RHOPSI_INLINE_BODY inline void fill_rows(const RingRows<T, D>& plane, std::int64_t low,
                                         std::int64_t high, const Domain<R>& domain,
                                         const Halo<R>& halo) {
  static_assert(D + 1 == R, "a plane has one axis less");
  for (std::int64_t j = low; j < high; ++j)
    detail::fill_pads(plane.plane(j), domain.extent + 2, halo.low + 2, halo.high + 2, halo.corners);
}
// Of a plane that is stored, beside the rows of a tile, and in pads of axis 1 what is one of them.
template <class T, int D, int R>
void fill_tile(const FieldRef<T, D>& plane, const Tile& tile, const Domain<R>& domain,
               const Halo<R>& halo) {
  static_assert(D + 1 == R, "a plane has one axis less");
  for (std::int64_t j = tile.low; j < tile.high; ++j)
    detail::fill_pads(plane.plane(j), domain.extent + 2, halo.low + 2, halo.high + 2, halo.corners);
  const std::int64_t n = domain.extent[1];
  const auto copy = [&](std::int64_t j) {
    const std::int64_t from = euclid_mod(j, n);
    if (tile.has(from)) {
      detail::copy_plane(plane.plane(j), plane.plane(from), domain.extent + 2, halo.low + 2,
                         halo.high + 2, halo.corners);
    }
  };
  for (std::int64_t j = -halo.low[1]; j < 0; ++j) copy(j);
  for (std::int64_t j = n; j < n + halo.high[1]; ++j) copy(j);
}
template <class T, int D, int R>
void fill_tile(const OwnAndSpareRows<T, D>& plane, const Tile& tile, const Domain<R>& domain,
               const Halo<R>& halo) {
  if (plane.low < plane.high)
    fill_tile(plane.own, Tile{tile.number, plane.low, plane.high}, domain, halo);
}

template <int R, class... F>
void run_pipeline(const char* label, const Slabs<R>& slabs, const Tiles<R>& tiles,
                  const PipelineStage<F>&... stages) {
  detail::run_slabs(label, slabs, [&](const Slab& slab) {
    const detail::Moments moments(slab, stages...);
    for (std::int64_t k = 0; k < tiles.count; ++k) {
      const Tile tile = tiles[k];
      for (std::int64_t t = moments.first; t < moments.last; ++t) (stages.run(t, slab, tile), ...);
    }
  });
}

}  // namespace rhopsi
