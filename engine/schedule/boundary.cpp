// How the passes read what lies beyond the ends of an axis: from pads, or going around.
#include <algorithm>
#include <utility>

#include "engine/onf/weight.hpp"
#include "engine/schedule/halos.hpp"
#include "engine/schedule/recipe.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// How far beyond the ends of axes is read, where that is not of planes or rows of tiles.
struct Far {
  std::int64_t along_rows = 0;
  std::int64_t rings = 0;  // the same, of a pass's own rings; at most most_near
  std::int64_t elsewhere = 0;
  std::int64_t most() const { return std::max({along_rows, rings, elsewhere}); }
};

Far far_of(const Graph& graph) {
  Far far;
  for (const Pass& pass : graph.passes) {
    const std::set<ValueId> defined = defined_in(graph, pass);
    each_read(graph, pass, [&](std::size_t, ValueId value, const std::vector<Offset>& offsets) {
      for (const Offset& offset : offsets) {
        for (std::size_t axis = pass.first_padded(); axis < offset.size(); ++axis) {
          const std::int64_t by = offset[axis] < 0 ? -offset[axis] : offset[axis];
          const bool along_row = axis + 1 == offset.size();
          const bool ring = along_row && defined.contains(value) && by <= onf::most_near;
          std::int64_t& most = ring ? far.rings : along_row ? far.along_rows : far.elsewhere;
          most = std::max(most, by);
        }
      }
    });
  }
  return far;
}

bool all_by_rows(const Graph& graph, bool rows) {
  return rows || std::ranges::all_of(graph.passes, &Pass::pipelined);
}

void told_of_pads(const Far& far, const Beyond& beyond, Step& step) {
  step.after = "from pads";
  step.condition = "pads hold what is read";
  if (far.most() > beyond.read) {
    step.after = beyond.read > 0 ? "from pads, and by comparison where it is further away than " +
                                       std::to_string(beyond.read)
                                 : "by comparison";
    step.condition =
        "pads hold what is not further away than they are wide; an index and an "
        "offset modulo n are less than 2 n together";
  }
}

void told_of_ends(const Far& far, std::int64_t rings, Step& step) {
  // Rings that are read further than they have pads have ends as arrays have.
  const std::int64_t ends = std::max(far.along_rows, far.rings > rings ? far.rings : 0);
  step.after = far.elsewhere > 0 ? "plain along rows but for their ends, elsewhere by comparison"
                                 : "plain along rows but for their ends";
  step.condition = ends > 0
                       ? "of a row " + elements_text(ends) +
                             " at most at each end read beyond it; in shorter rows all are ends"
                       : "no element of a row reads beyond its ends";
  if (far.rings > 0 && rings > 0) {
    step.after += ", of rings from pads";
    step.condition += "; the rows of a ring have pads, " + elements_text(rings) + " at each end";
  }
}

// How it is done, and what the step says of it.
Beyond beyond_by(Boundary wanted, const Far& far, const Edges& edges, Step& step) {
  Beyond beyond{0, onf::Circular::modulo};
  switch (wanted) {
    case Boundary::modulo:
      step.after = step.before;
      step.condition = "it is what they mean";
      break;
    case Boundary::select:
      beyond.circular = onf::Circular::select;
      step.after = "by comparison";
      step.condition = "an index and an offset modulo n are less than 2 n together";
      step.decider = "arithmetic";
      break;
    case Boundary::mask:
      beyond.circular = onf::Circular::mask;
      step.after = "by the last bits, or by comparison";
      step.condition =
          "every axis that is gone around has a power of two for its length, which is tested "
          "before the pass";
      step.decider = "the run";
      break;
    case Boundary::peel:
      beyond.circular = onf::Circular::peel;
      beyond.of_rings = edges.rings;
      told_of_ends(far, edges.rings, step);
      break;
    case Boundary::pad:
      beyond = {edges.pad, onf::Circular::select};
      told_of_pads(far, beyond, step);
      break;
  }
  return beyond;
}

}  // namespace

std::string nothing_beyond(const Graph& graph) {
  const bool planes = std::ranges::any_of(graph.passes, &Pass::pipelined);
  return planes
             ? "something is read beyond the ends of an axis other than that of planes, which are "
               "taken from where they are, but nothing is"
             : "something is read beyond the ends of an axis, but every read is at its own index";
}

std::int64_t read_of_rings(const Graph& graph) { return far_of(graph).rings; }

bool reads_pads(std::optional<std::int64_t> as) { return !as || boundary_of(*as) == Boundary::pad; }

Beyond boundary(const Graph& graph, std::optional<std::int64_t> as, const Edges& edges,
                std::vector<Step>& steps) {
  const Beyond as_ever{edges.device ? 0 : edges.pad, onf::Circular::modulo};
  if (!as) return as_ever;
  Step step = taken("boundary", {graph.name()},
                    {.before = "modulo the length of the axis", .decider = "offsets"});
  const Far far = far_of(graph);
  Beyond beyond = beyond_by(boundary_of(*as), far, edges, step);
  const auto refuse = [&](std::string why, const char* decider) {
    step.holds = false;
    step.after = step.before;
    step.condition = std::move(why);
    step.decider = decider;
    beyond = as_ever;
  };
  if (far.most() == 0) {
    refuse(nothing_beyond(graph), "offsets");
  } else if (edges.device) {
    refuse(
        "loops go over rows or planes of a host; a thread of a device finds once for all that it "
        "reads where an index goes around",
        "target");
  } else if (beyond.circular == onf::Circular::peel && !all_by_rows(graph, edges.rows)) {
    refuse("the ends of a row are cut off from a loop over it, but there is one loop per axis",
           "form");
  }
  steps.push_back(std::move(step));
  return beyond;
}

}  // namespace rhopsi::schedule
