// Of the operational form: loops over the elements of arrays, nests and pipelines of nests.
// Included by form.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/expression.hpp"
#include "engine/onf/storage.hpp"

namespace rhopsi::onf {

struct Statement;
using Statements = std::vector<Statement>;

enum class Binding : std::uint8_t {
  flat,    // all axes as one parallel loop; one index variable
  nested,  // one loop per axis: outer ones parallel, the last one vectorised
  rows,    // the same, with the last loop written out over the rows of the arrays
};
// The indices from `low` up to and without `high`.
struct Interval {
  Expr low;
  Expr high;
};
// The greatest index of 32 bits.
inline constexpr std::int64_t greatest_narrow = 2147483647;
// Of how many bits the indices of a nest are, the sums and products of indices, and the places of
// elements. Integers that are elements have 64 wherever they come from.
struct IndexWidth {
  bool narrow = false;  // 32, where each of `bounded` is; otherwise 64
  // What has to be in [0, greatest_narrow], tested before the nest. What one is computed from is
  // before it, so that none wraps to such a number.
  std::vector<Expr> bounded;
};
// The steps of a fold in another order than the one that it is written in (regrouping.hpp: of which
// folds): in blocks of so many steps, each as `chains` folds beside each other, which go on
// together and are then folded themselves. Blocks are dealt out to the threads, and folded in their
// order, so that a result depends on the lengths alone and not on the number of threads.
struct Regrouping {
  std::int64_t block = 4096;
  std::int64_t chains = 64;
  bool reals =
      false;         // only where sums of reals may have another order; otherwise as it is written
  bool few = false;  // of a tile: only where the nest has too few elements for the threads
  // Of a tile: where they may not have another order, the elements are folded one by one, but terms
  // are computed by vectors. For those that take long.
  bool in_turn = false;
  friend bool operator==(const Regrouping&, const Regrouping&) = default;
};
// Elements of a nest over a box, each of them a fold, that are computed side by side: `rows`
// indices of one axis by `vectors` x `lanes` of the last one. The loops of the folds are around
// them, so each element has the operations that it had, in their order. tile.hpp: of which nests.
struct Tile {
  std::int64_t lanes = 1;  // neighbours along the last axis, in one vector
  std::int64_t vectors = 1;
  std::optional<std::size_t> axis = std::nullopt;  // of the rows, not the last one
  std::int64_t rows = 1;
  bool wide = false;  // accumulators lie in the nearest cache; otherwise in registers
  // What does not depend on the row, and what does not depend on the lane, is computed once for
  // many tiles, and lies in panels in the order in which a tile reads it.
  bool packs = false;
  // Indices of the one fold that panels are made for at a time; what a fold has come to is kept in
  // the target meanwhile. 0: all of them.
  std::int64_t fold_block = 0;
  // Elements of the panels of rows, and of lanes, that are there at a time.
  std::int64_t row_elements = 0;
  std::int64_t lane_elements = 0;
  // Instead of all that, where the folds are long.
  std::optional<Regrouping> regrouping = std::nullopt;
  // Or instead, along an axis whose index tells how long its folds are: each goes on where the one
  // before it on that axis, or behind it, has ended, so that all take the steps of the longest.
  std::optional<std::size_t> running = std::nullopt;
  friend bool operator==(const Tile&, const Tile&) = default;
};

// How an index (i + c) mod n of a nest over the domain is computed, i its own of the axis that has
// the length n (circular.hpp). All give the same number for 0 <= i < n.
enum class Circular : std::uint8_t {
  modulo,  // as it is written
  select,  // with c' = c mod n, which is known before the nest: i + c', less n where that is n or
           // more
  mask,    // the last bits of i + c, where every n is a power of two; tested before the nest
  peel,    // along rows plain, but beside their ends, where |c| at most is left; otherwise selected
};

// A tile of planes, a range of indices of axis 1. How many it has is found where the program runs:
// as many as keep what is in use of its planes in a core's cache.
struct CacheTile {
  std::int64_t bytes = 0;  // that are in use for each element of a plane of a tile
  std::optional<std::int64_t> most = std::nullopt;  // rows
  bool has_room() const { return bytes > 0 && most.value_or(1) > 0; }
};

// target[indices] := element, for every index of the box [0, n) of each axis.
// `body` runs before `element` for each index; a Check in it that fails leaves the element
// and is reported when the nest is done.
// A nest may write several arrays, and may read those that it writes at the index that it is at:
// all elements of an index are computed before the first of them is stored. Over a box it reads
// only those that are in place of another array, and finds that one's element.
struct Nest {
  std::string label;
  Binding binding = Binding::flat;
  bool padded = false;  // leaves what is stored outside the box stale
  std::vector<VariableId> indices;
  // Where the target has a shape of its own: the box that this nest writes, one loop and one
  // index per axis. It neither depends on the indices nor reads the target.
  std::optional<std::vector<Interval>> box = std::nullopt;
  ViewId target;
  Statements body;
  Expr element;
  IndexWidth width = {};
  // Of the same index in other arrays.
  struct Output {
    ViewId target;
    Expr element;
  };
  std::vector<Output> also = {};
  std::optional<Tile> tile = std::nullopt;
  Circular circular = Circular::modulo;
  // Bound to rows: so many, side by side along the axis before the last, have one loop over the
  // last one, and what is left at the end of that axis has a loop for each (unrolling.hpp). All
  // elements of an index of the last axis are computed before the first of them is stored.
  std::int64_t rows_at_once = 1;
  // Bound to rows, over a domain of three axes or more: each thread goes through its planes tile by
  // tile, so that what several planes read is found again. The elements may be computed in any
  // order, so it is a matter of memory alone.
  std::optional<CacheTile> plane_tiles = std::nullopt;
  // One loop over rows with the nest that stands before it, over another box of the same arrays.
  bool joined = false;
  // It does some indices of axis 0 behind the nest that stands before it, then both the next ones,
  // and so on: what one makes the other one finds in a cache (row_blocks.hpp: of which nests).
  bool row_blocks = false;
  // Of what goes line by line: what it writes is written again before it is read (overwritten.hpp),
  // so that it may be left out.
  bool overwritten = false;
  // Of a box: the axes of its loops, from the outermost to the innermost. Empty: in their order.
  // The elements may be computed in any order, so it is a matter of memory alone.
  std::vector<int> loops = {};
  // The innermost of these loops goes through so many indices at a time, and around all of them
  // stands a loop over such strips: lines that are read across it are found again in the nearest
  // cache. Where the arrays fit a core's cache it is whole. 0: always.
  std::int64_t strip = 0;
  // Of a box: the loop along the last axis takes so many indices in a round, the number of which is
  // `round` (periods.hpp). The elements may be computed in any order.
  struct Period {
    std::int64_t length;
    VariableId round;
  };
  std::optional<Period> period = std::nullopt;
  // The steps of a schedule that made it what it is, each once; told to who reads the loops.
  std::vector<std::string> made_by = {};
  // The statements that it computes besides that of its own place, each once; told likewise.
  std::vector<term::LocationId> also_from = {};
};

// A tile of a team, and who is in it. A thread has so many consecutive rows of a plane of the
// tile, and of what is beyond it, at one index of the last axis; these elements are its own in
// every stage and at every moment, so that it needs to wait for nobody to read them.
struct TeamTile {
  std::vector<std::int64_t> sides;  // along axes 1, 2, ...: at most so many indices
  std::int64_t planes = 1;          // along axis 0: no fewer, where there are as many
  std::int64_t rows = 1;            // of a thread
  std::int64_t threads = 1;         // as many as that takes
};

// The fold by `function` of the elements of each row of `source`, into `target`, which has one
// element for each row (Block::broadcast along the last axis alone). Its steps are taken in an
// order of its own, of which sums and products of reals are rounded otherwise. Of no elements it is
// the unit of the function. Of extremes a NaN that is the first element of the whole array stays,
// and others are passed over; of zeros the first one stays. So is a fold of the rows in their order
// what one of all elements is. Where each row begins anew a NaN in front of any of them stays: the
// row is a fold of its own.
struct RowFold {
  ViewId target;
  ViewId source;
  ScalarFunction function{};
  bool begins_anew = false;
};

// Nests over the domain that run as one: plane by plane along axis 0. The
// planes are cut into slabs, which run beside each other. For a slab [low, high) there are moments
// t, one after the other; at each of them every stage in turn does its plane t - lag, if that is in
// [low - beyond.low, high + beyond.high). Planes beyond the ends of axis 0 are the circular ones,
// and its index is then beyond them too.
//
// A load is of the plane of the stage plus a constant. From a ring it is what an earlier stage
// stored there; from any other array it is what was there before the pipeline, written by it or
// not. A slab stores to its own planes alone, but for rings, which are its own.
//
// In tiles a slab goes through its planes several times, once for each tile: a range [low, high) of
// the indices of axis 1, its rows. Of each plane a stage does the rows [low + rows.high, high +
// rows.high), which are behind those that it has done in the tile before; in the first tile it
// begins with the row low - rows.low. Rows beyond the ends of axis 1 are the circular ones, and its
// index is then beyond them too; they are stored in rings alone. Rings hold what the tile has
// stored, and in front of it the last rows that the tile before has stored of each plane, as many
// as they keep. There are any number of tiles, one after the other, and if more than one, none has
// fewer rows than a seam keeps, or than a stage does behind a tile.
//
// With teams, for devices, there are any number of teams of threads instead, which run beside each
// other and never wait for one another. Each has a tile: a range of planes, as a slab has, and a
// range of the indices of every other axis, at most as many as `sides` says. Of a plane a stage
// does so much `beyond` the tile on axis 0, `rows` on axis 1 and `further` on those behind it; what
// is beyond the ends of any axis is the circular element, so nothing is read of pads. The threads
// of a team share the elements of a stage at a moment, any thread any of them, and then go on to
// the next stage, or moment, without waiting, but for barriers: behind a stage that has one all
// threads of the team wait for each other, at every moment. Rings are the team's own. Other arrays
// that it stores to, within its tile alone, are read by no stage. There are no seams and no fills,
// and rings have no halos.
//
// Over arrays of one axis a plane is one element, and the moments of a slab come in runs of any
// number, one after the other: each stage in turn does its elements of all moments of a run. Rings
// have room for those besides. What a stage reads at another index than its own of an array that is
// written, a later stage writes.
struct Pipeline {
  // Room for a few planes of what a stage computes for later ones; its view is named nowhere else.
  struct Ring {
    ViewId view;
    std::int64_t planes = 1;
    Halo halo;              // filled behind each plane; nothing of axis 0, nor of axis 1 in tiles
    std::int64_t kept = 0;  // rows of each plane, for the tile behind
  };
  // Planes of an array that is read and written, on both sides of a slab: kept from before. And
  // rows of the slab's own planes: before a tile writes a plane, the last `next` of the rows that
  // it is going to write are kept for the tile behind it, and the first rows.high of the first tile
  // for the last one. A tile that is alone has rows.low and rows.high of them kept from before.
  struct Seam {
    ViewId view;
    Margin planes;
    Margin rows = {};
    std::int64_t next = 0;
  };
  // Pads of an array that is written: filled behind each plane; nothing of axis 0.
  struct Fill {
    ViewId view;
    Halo halo;
  };
  struct Stage {
    Nest nest;  // bound to rows, without a box
    std::int64_t lag = 0;
    Margin beyond;
    term::LocationId location{};
    Margin rows = {};                  // beyond a tile
    std::vector<Margin> further = {};  // beyond a team's tile, on axes 2, 3, ...
    bool barrier = false;              // behind it the threads of a team wait for each other
    bool fetch = false;  // of a team: it copies arrays, and asks for them a moment before
    // In tiles: row by row, by turns with the stage in front, of the same lag and its like. In a
    // row each of them has what those in front have stored of that row and of earlier ones.
    bool by_turns = false;
  };
  std::string label;
  std::optional<CacheTile> tiles = std::nullopt;  // nothing: planes are whole
  std::optional<TeamTile> teams = std::nullopt;   // nothing: slabs, for a host
  std::optional<CacheTile> runs = std::nullopt;   // of elements, where the arrays have one axis
  std::vector<Ring> rings;
  std::vector<Seam> seams;
  std::vector<Fill> fills;
  // Of rings: behind each plane that the stage of one stores, and that is the slab's own.
  std::vector<RowFold> folds = {};
  std::vector<Stage> stages;
  std::vector<std::string> made_by = {};  // as of a nest; each stage has its own besides
};

}  // namespace rhopsi::onf
