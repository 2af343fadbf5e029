// Is a pipeline one? Every plane is stored in a ring before it is read and not overwritten before
// it has been; every array that is written is read, wherever it is read, as it was before.
#include <algorithm>
#include <map>
#include <set>

#include "engine/onf/access.hpp"
#include "engine/onf/pads.hpp"
#include "engine/onf/stages.hpp"

namespace rhopsi::onf {

namespace {

class Checking {
 public:
  Checking(const Module& module, const Function& function, const Pipeline& pipeline,
           term::LocationId location)
      : module_(module), function_(function), pipeline_(pipeline), location_(location) {}

  std::vector<Problem> run() {
    if (!well_formed()) return std::move(problems_);
    if (pipeline_.teams) return check_teams(module_, function_, pipeline_, location_);
    for (std::size_t stage = 0; stage < pipeline_.stages.size(); ++stage) {
      for (const Access& access : accesses_of(module_, function_, pipeline_.stages[stage].nest)) {
        read(stage, access);
      }
    }
    return std::move(problems_);
  }

 private:
  void report(const char* code, std::string message, std::string advice, term::LocationId at) {
    problems_.push_back(
        {code, std::move(message), std::move(advice), at == term::LocationId{} ? location_ : at});
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }
  bool malformed(std::string what) {
    report("E0525", "a pipeline " + std::move(what), "schedule the program anew", location_);
    return false;
  }

  bool well_formed() {
    if ((module_.rank == 1) != pipeline_.runs.has_value()) {
      return malformed("in runs of elements over arrays of several axes, or of one without runs");
    }
    if (pipeline_.stages.empty()) return malformed("without stages");
    if (pipeline_.runs && !pipeline_.runs->has_room()) return malformed("with runs of nothing");
    if (!tiles_are_ones()) return false;
    std::set<ViewId> named;
    for (const Pipeline::Ring& ring : pipeline_.rings) {
      if (ring.planes < 1) return malformed("with a ring without planes");
      if (!rows_of_tiles({ring.kept, 0}))
        return malformed("with a ring that keeps rows of no tile");
      if (!within_pads(ring.halo, ring.view))
        return malformed("that fills more than there is of a pad");
      if (!named.insert(ring.view).second) return malformed("with a ring that is there twice");
      rings_[ring.view] = &ring;
    }
    for (std::size_t k = 0; k < pipeline_.stages.size(); ++k) {
      const Pipeline::Stage& stage = pipeline_.stages[k];
      const Nest& nest = stage.nest;
      const Binding bound = pipeline_.teams ? Binding::nested : Binding::rows;
      if (nest.box || nest.binding != bound || std::ssize(nest.indices) != module_.rank) {
        return malformed(pipeline_.teams ? "of teams with a stage that is no loop for each axis"
                                         : "with a stage that is no loop over rows");
      }
      if (stage.lag < 0 || stage.beyond.low < 0 || stage.beyond.high < 0) {
        return malformed("with a stage of less than no planes");
      }
      if (!rows_of_tiles(stage.rows)) return malformed("with a stage whose rows are of no tile");
      if (stage.by_turns && !takes_turns(k)) {
        return malformed("with rows by turns of stages whose rows are not alike");
      }
      bool once = writers_.emplace(nest.target, k).second;
      for (const Nest::Output& output : nest.also) {
        once = writers_.emplace(output.target, k).second && once;
      }
      if (!once) return malformed("that writes an array twice");
    }
    for (const Pipeline::Ring& ring : pipeline_.rings) {
      if (!writers_.contains(ring.view)) return malformed("with a ring that no stage writes");
    }
    for (const Pipeline::Seam& seam : pipeline_.seams) {
      const bool first = seams_.emplace(seam.view, seam).second;
      if (!first || seam.planes.low < 0 || seam.planes.high < 0 || !rows_of_tiles(seam.rows) ||
          !rows_of_tiles({seam.next, 0})) {
        return malformed("with a seam that is none");
      }
    }
    std::set<ViewId> folded;
    for (const RowFold& fold : pipeline_.folds) {
      const bool ring = rings_.contains(fold.source) && writers_.contains(fold.source);
      if (!ring || pipeline_.teams || pipeline_.runs || writers_.contains(fold.target) ||
          !folded.insert(fold.target).second)
        return malformed("that folds rows of what is in no ring, or into what is written twice");
    }
    std::set<ViewId> filled;
    for (const Pipeline::Fill& fill : pipeline_.fills) {
      const bool stored = writers_.contains(fill.view) && !rings_.contains(fill.view);
      if (!stored || !filled.insert(fill.view).second || !within_pads(fill.halo, fill.view)) {
        return malformed("that fills pads of what it does not write");
      }
    }
    return true;
  }

  // Can it be row by row with the stage in front?
  bool takes_turns(std::size_t k) const {
    if (k == 0 || !pipeline_.tiles || pipeline_.teams) return false;
    const Pipeline::Stage &before = pipeline_.stages[k - 1], &own = pipeline_.stages[k];
    return before.lag == own.lag && before.nest.rows_at_once == 1 && own.nest.rows_at_once == 1;
  }

  bool tiles_are_ones() {
    if (!pipeline_.tiles) return true;
    if (module_.rank < 3) return malformed("in tiles over arrays of two axes");
    for (const Pipeline::Ring& ring : pipeline_.rings) {
      if (ring.halo.axes.size() > 1 && ring.halo.axes[1] != Margin{}) {
        return malformed("in tiles with a ring that has pads beside its rows");
      }
    }
    return pipeline_.tiles->has_room() || malformed("with tiles without rows");
  }
  bool rows_of_tiles(const Margin& rows) const {
    const bool cut = pipeline_.tiles || pipeline_.teams;
    return rows.low >= 0 && rows.high >= 0 && (cut || rows == Margin{});
  }

  bool within_pads(const Halo& halo, ViewId view) const {
    const Block& block = function_.blocks[number(function_.views[number(view)].block)];
    for (std::size_t axis = 0; axis < halo.axes.size(); ++axis) {
      const Margin& margin = halo.axes[axis];
      const Margin pads = pads_of(module_, block, axis);
      const bool within =
          margin.low >= 0 && margin.high >= 0 && margin.low <= pads.low && margin.high <= pads.high;
      if (!within || (axis == 0 && margin != Margin{})) return false;
    }
    return true;
  }

  void read(std::size_t stage, const Access& access) {
    if (access.components.empty()) return;
    const bool planes = at_constant_distance(access, 0);
    if (!planes || (pipeline_.tiles && !at_constant_distance(access, 1))) {
      report("E0525",
             "a pipeline reads " + name(access.view) + " at a " + (planes ? "row" : "plane") +
                 " that is not at a constant distance from its own",
             "leave this loop out of the pipeline", access.location);
      return;
    }
    const std::int64_t plane = access.components[0].low;
    const auto written = writers_.find(access.view);
    if (pipeline_.tiles && plane == 0 && written != writers_.end()) {
      read_by_turns(stage, access, written->second);
    }
    if (const auto ring = rings_.find(access.view); ring != rings_.end()) {
      read_ring(stage, access, plane, *ring->second);
      if (pipeline_.tiles) read_ring_rows(stage, access);
    } else if (written != writers_.end()) {
      read_before(stage, access, plane, written->second);
      if (pipeline_.tiles) read_kept_rows(stage, access);
    }
  }

  // Of the plane that a stage writes by turns with this one: what an earlier one has stored are
  // this row and those in front of it, and what a later one has not overwritten this row and those
  // behind it.
  void read_by_turns(std::size_t stage, const Access& access, std::size_t writer) {
    if (stage == writer || first_by_turns(pipeline_, stage) != first_by_turns(pipeline_, writer))
      return;
    const std::int64_t row = access.components[1].low;
    const std::string what = "the row " + std::to_string(row) + " further of " + name(access.view);
    if (writer < stage && row > 0) {
      report("E0522", what + " is read before a stage has stored it, by turns with this one",
             "let them take no turns", access.location);
    } else if (stage < writer && row < 0) {
      report("E0527", what + " is read after a stage has overwritten it, by turns with this one",
             "let them take no turns", access.location);
    }
  }

  // What an earlier stage has stored in a tile are the rows that it does there, and those that are
  // kept of the tile before, whichever plane.
  void read_ring_rows(std::size_t stage, const Access& access) {
    const std::int64_t offset = access.components[1].low;
    const Margin &stored = pipeline_.stages[writers_.at(access.view)].rows,
                 &own = pipeline_.stages[stage].rows;
    const std::string what =
        "the row " + std::to_string(offset) + " further of " + name(access.view);
    if (stored.low < own.low - offset || stored.high < own.high + offset) {
      report("E0522", what + " is read where no stage stores it: beyond the end of a tile",
             "compute more rows beyond the tile", access.location);
    } else if (rings_.at(access.view)->kept < stored.high - own.high - offset) {
      report("E0522", what + " is read where its ring keeps none of the tile before",
             "keep more rows of the ring", access.location);
    }
  }

  // Of a plane of the slab. That it has not been written in this tile was asked before.
  void read_kept_rows(std::size_t stage, const Access& access) {
    const std::int64_t offset = access.components[1].low;
    const auto seam = seams_.find(access.view);
    const Margin kept = seam == seams_.end() ? Margin{} : seam->second.rows;
    const std::int64_t next = seam == seams_.end() ? 0 : seam->second.next;
    const Margin& own = pipeline_.stages[stage].rows;
    const std::int64_t written = pipeline_.stages[writers_.at(access.view)].rows.high;
    if (kept.low >= own.low - offset && kept.high >= own.high + offset &&
        next >= written - own.high - offset) {
      return;
    }
    report("E0527",
           "a pipeline reads rows of " + name(access.view) + " that another tile has overwritten",
           "keep more rows of the seam", access.location);
  }

  void read_ring(std::size_t stage, const Access& access, std::int64_t offset,
                 const Pipeline::Ring& ring) {
    const std::size_t writer = writers_.at(access.view);
    const Pipeline::Stage &from = pipeline_.stages[writer], &to = pipeline_.stages[stage];
    const std::string what =
        "the plane " + std::to_string(offset) + " further of " + name(access.view);
    if (writer >= stage || from.lag + offset > to.lag) {
      report("E0522", what + " is read before a stage has stored it", "read it at a later plane",
             access.location);
    } else if (to.lag - offset - from.lag >= ring.planes) {
      report("E0522",
             what + " is read when its ring of " + std::to_string(ring.planes) +
                 " planes holds another",
             "give the ring more planes", access.location);
    }
    if (from.beyond.low < to.beyond.low - offset || from.beyond.high < to.beyond.high + offset) {
      report("E0522", what + " is read where no stage stores it: beyond the end of a slab",
             "compute more planes beyond the slab", access.location);
    }
    for (std::size_t axis = first_padded(); axis < access.components.size(); ++axis) {
      const Component& c = access.components[axis];
      const Margin held = axis < ring.halo.axes.size() ? ring.halo.axes[axis] : Margin{};
      if (c.beyond().low <= held.low && c.beyond().high <= held.high) continue;
      report("E0521", "the halo of " + name(access.view) + " is stale where this loop reads it",
             "fill more of it behind each plane", access.location);
    }
    if (!ring.halo.corners && leaves_axes(access) > 1) {
      report("E0521",
             "the corners of " + name(access.view) + " are stale where this loop reads them",
             "fill them behind each plane", access.location);
    }
  }

  // Planes, and rows of tiles, are where they are asked for, and not in pads.
  std::size_t first_padded() const { return pipeline_.tiles ? 2 : 1; }

  // Axes with pads of which it may be beyond an end.
  int leaves_axes(const Access& access) const {
    int axes = 0;
    for (std::size_t axis = first_padded(); axis < access.components.size(); ++axis) {
      axes += access.components[axis].beyond() == Margin{} ? 0 : 1;
    }
    return axes;
  }

  // Of an array that the stage `writer` overwrites.
  void read_before(std::size_t stage, const Access& access, std::int64_t offset,
                   std::size_t writer) {
    const Pipeline::Stage &from = pipeline_.stages[stage], &to = pipeline_.stages[writer];
    const std::int64_t last = from.lag - offset;  // behind the plane that is read
    const bool runs = pipeline_.runs.has_value();
    const bool earlier = stage < writer    ? last <= to.lag
                         : stage == writer ? (offset > 0 && !runs) || is_at_own_point(access)
                                           : last < to.lag && !runs;
    if (!earlier) {
      report("E0527",
             "a pipeline reads " + name(access.view) + ", " + std::to_string(offset) +
                 " planes further, after a stage has overwritten it",
             "write another array, or later", access.location);
    }
    const auto seam = seams_.find(access.view);
    const Margin kept = seam == seams_.end() ? Margin{} : seam->second.planes;
    if (kept.low < from.beyond.low - offset || kept.high < from.beyond.high + offset) {
      report("E0527",
             "a pipeline reads planes of " + name(access.view) +
                 " that another slab may have overwritten",
             "keep more planes of the seam", access.location);
    }
  }

  const Module& module_;
  const Function& function_;
  const Pipeline& pipeline_;
  term::LocationId location_;
  std::map<ViewId, const Pipeline::Ring*> rings_;
  std::map<ViewId, std::size_t> writers_;
  std::map<ViewId, Pipeline::Seam> seams_;
  std::vector<Problem> problems_;
};

}  // namespace

bool at_constant_distance(const Access& access, std::size_t axis) {
  if (axis >= access.components.size()) return false;
  const Component& c = access.components[axis];
  return c.known && c.axis == static_cast<int>(axis) && c.low == c.high && c.reach_low == 0 &&
         c.reach_high == 0;
}

std::vector<Problem> check_pipeline(const Module& module, const Function& function,
                                    const Pipeline& pipeline, term::LocationId location) {
  return Checking(module, function, pipeline, location).run();
}

}  // namespace rhopsi::onf
