// Pipelines in tiles: of each plane a range of rows, which a tile stores, and those beyond it,
// which it only computes.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/onf/stages.hpp"
#include "tests/unit/schedule/form_run.hpp"

namespace rhopsi::schedule {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Any number of them, as long as none has fewer rows than a seam keeps, or a stage does behind it.
std::vector<FormRun::Tile> FormRun::tiles_of(const onf::Pipeline& s) {
  if (!s.tiles) return {Tile{}};
  std::int64_t kept = 1;
  for (const onf::Pipeline::Seam& seam : s.seams) {
    kept = std::max({kept, seam.rows.low, seam.rows.high, seam.next});
  }
  for (const onf::Pipeline::Stage& stage : s.stages) kept = std::max(kept, stage.rows.high);
  const std::int64_t n = shape_[1], most = std::max<std::int64_t>(1, n / kept);
  const std::int64_t count = 1 + std::int64_t(random_() % std::uint64_t(most));
  std::vector<Tile> tiles;
  for (std::int64_t k = 0; k < count; ++k) tiles.push_back({k, n * k / count, n * (k + 1) / count});
  return tiles;
}

// What a stage of the tile reads.
double FormRun::tiled(const onf::Pipeline& s, const Slab& slab, const Tile& tile, onf::ViewId view,
                      Index index) {
  const std::int64_t q = index[0], row = index[1], n = shape_[1];
  if (const auto ring = slab.rings.find(view); ring != slab.rings.end()) {
    const Plane& plane = ring->second[std::size_t(euclid(q, std::ssize(ring->second)))];
    if (plane.number != q) throw std::logic_error("a ring holds another plane");
    index[0] = 0;
    const auto found = plane.in_tile.find(index);
    return found == plane.in_tile.end() ? nothing : found->second;
  }
  const bool stored = stores_to(s, view);
  if (stored && slab.has(q)) {
    const auto kept = [&](const std::map<onf::ViewId, std::map<Index, double>>& rows) {
      const auto found = rows.find(view);
      if (found == rows.end() || !found->second.contains(index)) {
        throw std::logic_error("a row of another tile that is not kept");
      }
      return found->second.at(index);
    };
    const bool alone = slab.tiles.size() == 1;
    const std::int64_t written = tile.low + onf::writer_of(s, view).rows.high;
    if (alone ? row < 0 : tile.number > 0 && row < written)
      return kept(slab.before[std::size_t(tile.number) % 2]);
    if (row >= n) return kept(slab.behind);
  }
  index[1] = euclid(row, n);
  if (stored && !slab.has(q)) return slab.seams.at(view).at(q)[within_plane(index)];
  const std::size_t plane = std::size_t(euclid(q, shape_[0]) + module_.pad) * plane_size();
  return read_.at(view)->elements[plane + within_plane(index)];
}

// The circular rows [low, high) of a plane, pads beside them too, as those from `as` on.
void FormRun::keep_rows(onf::ViewId view, std::int64_t plane, std::int64_t low, std::int64_t high,
                        std::int64_t as, std::map<Index, double>& rows) const {
  const Block& block = *read_.at(view);
  Index begin(shape_.size(), -module_.pad), end;
  for (const std::int64_t n : shape_) end.push_back(n + module_.pad);
  begin[0] = plane;
  end[0] = plane + 1;
  begin[1] = low;
  end[1] = high;
  each(begin, end, [&](Index index) {
    Index from = index;
    from[1] = euclid(index[1], shape_[1]);
    index[1] += as - low;
    rows[index] = block.elements[place(from)];
  });
}

// Before the tile writes its rows of the plane.
void FormRun::keep(const onf::Pipeline::Seam& seam, Slab& slab, const Tile& tile,
                   std::int64_t plane, std::int64_t end) {
  if (slab.tiles.size() == 1) return;
  const std::int64_t n = shape_[1], first = end - seam.next;
  std::map<Index, double>& next = slab.before[std::size_t(tile.number + 1) % 2][seam.view];
  std::erase_if(next, [&](const auto& kept) { return kept.first[0] == plane; });
  if (tile.high < n) keep_rows(seam.view, plane, first, end, first, next);
  if (tile.number == 0) {
    keep_rows(seam.view, plane, 0, seam.rows.high, n, slab.behind[seam.view]);
  }
}

// From before, of all planes of a slab with one tile.
void FormRun::keep_of_one(const onf::Pipeline::Seam& seam, Slab& slab) {
  const std::int64_t n = shape_[1];
  for (std::int64_t q = slab.low; q < slab.high; ++q) {
    keep_rows(seam.view, q, -seam.rows.low, 0, -seam.rows.low, slab.before[0][seam.view]);
    keep_rows(seam.view, q, n, n + seam.rows.high, n, slab.behind[seam.view]);
  }
}

// Is it an index that the halo holds, where axes before `first_axis` have none? One without pads
// is.
bool FormRun::within(const Index& index, const onf::Halo& halo, std::size_t first_axis) const {
  int outside = 0;
  for (std::size_t axis = first_axis; axis < index.size(); ++axis) {
    const onf::Margin margin = axis < halo.axes.size() ? halo.axes[axis] : onf::Margin{};
    if (index[axis] < -margin.low || index[axis] >= shape_[axis] + margin.high) return false;
    outside += index[axis] < 0 || index[axis] >= shape_[axis] ? 1 : 0;
  }
  return outside < 2 || halo.corners;
}

// Of a ring, whose rows have no pads.
void FormRun::fill_tile(const onf::Halo& halo, std::int64_t low, std::int64_t high,
                        std::map<Index, double>& plane) const {
  Index begin(shape_.size(), -module_.pad), end;
  for (const std::int64_t n : shape_) end.push_back(n + module_.pad);
  begin[0] = 0;
  end[0] = 1;
  begin[1] = low;
  end[1] = high;
  each(begin, end, [&](const Index& index) {
    Index from = index;
    for (std::size_t axis = 2; axis < index.size(); ++axis) {
      from[axis] = euclid(index[axis], shape_[axis]);
    }
    if (from != index) plane[index] = within(index, halo, 2) ? plane.at(from) : nothing;
  });
}

// Of a stored plane: the pads beside the tile's rows, and those that are its rows once more.
void FormRun::fill_tile(const onf::Halo& halo, const Tile& tile, double* plane) const {
  Index low(shape_.size(), -module_.pad), high;
  for (const std::int64_t n : shape_) high.push_back(n + module_.pad);
  low[0] = 0;
  high[0] = 1;
  each(low, high, [&](const Index& index) {
    Index from = index;
    for (std::size_t axis = 1; axis < index.size(); ++axis) {
      from[axis] = euclid(index[axis], shape_[axis]);
    }
    if (from == index || !tile.has(from[1])) return;
    plane[within_plane(index)] = within(index, halo, 1) ? plane[within_plane(from)] : nothing;
  });
}

// For the tile behind, when a stage has done its rows of the plane.
void FormRun::keep_ring(const onf::Pipeline::Ring& ring, Slab& slab, const Tile& tile,
                        std::int64_t plane, std::int64_t end) {
  std::map<Index, double>& next = slab.kept[std::size_t(tile.number + 1) % 2][ring.view][plane];
  next.clear();
  const auto& planes = slab.rings.at(ring.view);
  for (const auto& [index, value] :
       planes[std::size_t(euclid(plane, std::ssize(planes)))].in_tile) {
    if (index[1] >= end - ring.kept && index[1] < end) next[index] = value;
  }
}

namespace {

using Outputs = std::vector<std::pair<onf::ViewId, const onf::Expr*>>;

Outputs outputs_of(const onf::Nest& nest) {
  Outputs outputs = {{nest.target, &nest.element}};
  for (const onf::Nest::Output& o : nest.also) outputs.emplace_back(o.target, &o.element);
  return outputs;
}

}  // namespace

FormRun::Plane* FormRun::ring_at(Slab& slab, onf::ViewId target, std::int64_t plane) {
  const auto ring = slab.rings.find(target);
  if (ring == slab.rings.end()) return nullptr;
  return &ring->second[std::size_t(euclid(plane, std::ssize(ring->second)))];
}

// Before the tile's rows of a plane.
void FormRun::begin_tile(const onf::Pipeline& s, Slab& slab, const Task& task) {
  const std::int64_t q = task.plane;
  const onf::Pipeline::Stage& stage = s.stages[task.stage];
  const Tile& tile = slab.tiles[task.tile];
  for (const auto& [target, element] : outputs_of(stage.nest)) {
    if (Plane* const ring = ring_at(slab, target, q)) {
      *ring = {q, {}, {}};
      if (tile.number > 0) ring->in_tile = slab.kept[std::size_t(tile.number) % 2][target][q];
    }
    for (const onf::Pipeline::Seam& seam : s.seams) {
      if (seam.view == target && slab.has(q)) keep(seam, slab, tile, q, tile.of(stage.rows).high);
    }
  }
}

// The rows [low, high) of those that it does there.
void FormRun::rows_of_tile(const onf::Pipeline& s, Slab& slab, const Task& task, std::int64_t first,
                           std::int64_t end) {
  const std::int64_t q = task.plane;
  const onf::Nest& nest = s.stages[task.stage].nest;
  const Tile& tile = slab.tiles[task.tile];
  const Outputs outputs = outputs_of(nest);
  Index low(shape_.size(), 0), high = shape_;
  low[0] = q;
  high[0] = q + 1;
  low[1] = first;
  high[1] = end;
  load_ = [&](onf::ViewId view, const Index& index) { return tiled(s, slab, tile, view, index); };
  for (const std::vector<Index>& group : groups(nest, low, high)) {
    std::vector<double> values;
    for (const Index& index : group) compute(nest, index, values);
    auto next = values.begin();
    for (Index index : group) {
      index[0] = 0;
      for (const auto& [target, element] : outputs) {
        if (Plane* const ring = ring_at(slab, target, q)) {
          ring->in_tile[index] = *next;
        } else if (slab.has(q) && index[1] >= 0 && index[1] < shape_[1]) {
          views_.at(target)
              ->elements[std::size_t(q + module_.pad) * plane_size() + within_plane(index)] = *next;
        }
        ++next;
      }
    }
  }
  load_ = nullptr;
  for (const auto& [target, element] : outputs) {
    if (Plane* const ring = ring_at(slab, target, q)) {
      fill_tile(filled_of(s, target), first, end, ring->in_tile);
    }
  }
}

// Behind them.
void FormRun::end_tile(const onf::Pipeline& s, Slab& slab, const Task& task) {
  const std::int64_t q = task.plane;
  const onf::Pipeline::Stage& stage = s.stages[task.stage];
  const Tile& tile = slab.tiles[task.tile];
  const Tile own = tile.of(stage.rows);
  const Tile stored{tile.number, std::max<std::int64_t>(0, own.low), std::min(shape_[1], own.high)};
  for (const auto& [target, element] : outputs_of(stage.nest)) {
    if (slab.rings.contains(target) || !slab.has(q)) continue;
    fill_tile(filled_of(s, target), stored,
              views_.at(target)->elements.data() + std::size_t(q + module_.pad) * plane_size());
  }
  fold_plane(s, stage.nest, slab, q, own.low, own.high);
  for (const onf::Pipeline::Ring& ring : s.rings) {
    if (&onf::writer_of(s, ring.view) == &stage) keep_ring(ring, slab, tile, q, own.high);
  }
}

// Tasks from the one at `done` on: one, or those whose rows come by turns. How many they are.
std::size_t FormRun::run_tile(const onf::Pipeline& s, Slab& slab, std::size_t done) {
  const Task& front = slab.work[done];
  std::size_t end = done;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -low;
  const auto rows_of = [&](std::size_t k) {
    return slab.tiles[front.tile].of(s.stages[slab.work[k].stage].rows);
  };
  for (; end < slab.work.size(); ++end) {
    const Task& task = slab.work[end];
    if (task.tile != front.tile || task.plane != front.plane ||
        onf::first_by_turns(s, task.stage) != onf::first_by_turns(s, front.stage)) {
      break;
    }
    low = std::min(low, rows_of(end).low);
    high = std::max(high, rows_of(end).high);
  }
  for (std::size_t k = done; k < end; ++k) begin_tile(s, slab, slab.work[k]);
  if (end == done + 1) {
    rows_of_tile(s, slab, front, low, high);
  } else {
    for (std::int64_t row = low; row < high; ++row) {
      for (std::size_t k = done; k < end; ++k) {
        if (rows_of(k).has(row)) rows_of_tile(s, slab, slab.work[k], row, row + 1);
      }
    }
  }
  for (std::size_t k = done; k < end; ++k) end_tile(s, slab, slab.work[k]);
  return end - done;
}

}  // namespace rhopsi::schedule
