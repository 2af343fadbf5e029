#include "engine/onf/own_arrays.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/onf/axes.hpp"
#include "engine/onf/lines.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/overwritten.hpp"
#include "engine/onf/periods.hpp"
#include "engine/onf/row_blocks.hpp"

namespace rhopsi::onf {

void Found::add(Problem problem) {
  if (!told_.insert({problem.code, problem.message, problem.location}).second) return;
  problems_.push_back(std::move(problem));
}

void OwnArrays::take_over(ViewId view, ViewId from, term::LocationId location) {
  use(from);
  const Block &to = block(view), &there = block(from);
  const auto refuse = [&](const std::string& why) {
    report("E0525", name(view) + " is allocated in place of " + name(from) + ", " + why,
           "give it a fresh block", location);
  };
  if (!to.extents || !there.extents) return refuse("which have no shapes of their own");
  if (to.element != there.element) return refuse("which has elements of another type");
  if (to.extents->size() != there.extents->size()) return refuse("which has other axes");
  const auto argument = std::ranges::find(function_.arguments, from, &Argument::view);
  if (argument != function_.arguments.end() && argument->mode == term::Mode::obs)
    return refuse("which the caller keeps");
  for (std::size_t axis = 0; axis < to.extents->size(); ++axis) {
    const Expr there_too = *ranges_.length(from, axis);
    if (ranges_.at_most((*to.extents)[axis], there_too) &&
        ranges_.at_most(there_too, (*to.extents)[axis]))
      continue;
    refuse("of which it is not certain that axis " + std::to_string(axis) + " is as long");
  }
}

void OwnArrays::allocate(ViewId view, bool in_place, Place place) {
  const Block& fresh = block(view);
  if (!fresh.extents) return;
  Made made;
  made.in_place = in_place;
  made.at = place;
  for (const Expr& extent : *fresh.extents) {
    const auto length = ranges_.affine(extent);
    made.known = length.has_value();
    if (!made.known) break;
    made.whole.push_back({Affine{}, *length});
  }
  made_[view] = std::move(made);
}

void OwnArrays::use(ViewId view) {
  const auto found = made_.find(view);
  if (found == made_.end()) return;
  const Made made = std::move(found->second);
  made_.erase(found);
  if (!made.known) return;
  const Tiling tiling = tile(ranges_, made.whole, made.boxes);
  if (tiling.verdict == Tiling::Verdict::covers) return;
  const bool wrong =
      tiling.verdict == Tiling::Verdict::wrong || tiling.verdict == Tiling::Verdict::part;
  // What is not written of an array in place of another one is what lay there.
  if (made.in_place && tiling.verdict != Tiling::Verdict::wrong) return;
  report(wrong ? "E0526" : "E0524",
         wrong
             ? "the nests of " + name(view) + " " + tiling.reason
             : "whether the nests of " + name(view) + " write each element once cannot be decided",
         wrong ? "the boxes of an array's nests must be disjoint and cover it" : "",
         made.at.location == term::LocationId{} ? function_.views[number(view)].location
                                                : made.at.location,
         wrong);
}

void OwnArrays::use_all() {
  while (!made_.empty()) use(made_.begin()->first);
}

bool OwnArrays::is_in_place(ViewId view) const {
  const auto found = made_.find(view);
  return found != made_.end() && found->second.in_place;
}

const Region* OwnArrays::only_part(ViewId view) const {
  const auto found = made_.find(view);
  const bool one =
      found != made_.end() && found->second.in_place && found->second.boxes.size() == 1;
  return one && found->second.known ? &found->second.boxes.front() : nullptr;
}

std::optional<Region> OwnArrays::region(const std::vector<Interval>& box) {
  Region made;
  for (const Interval& interval : box) {
    const auto low = ranges_.affine(interval.low), high = ranges_.affine(interval.high);
    if (!low || !high) return std::nullopt;
    made.push_back({*low, *high});
  }
  return made;
}

void OwnArrays::write(const Nest& nest, Place place) {
  write(nest, nest.target, place);
  for (const Nest::Output& output : nest.also) {
    if (nest.box) write(nest, output.target, place);
  }
}

void OwnArrays::write(const Nest& nest, ViewId target, Place place) {
  if (!fits(nest, target, place.location)) return;
  const auto found = made_.find(target);
  if (found == made_.end() || found->second.at.depth != place.depth) {
    report("E0526", name(target) + " is written after it was used, or in a branch or loop",
           "write it right after its allocation", place.location);
    return;
  }
  const auto box = region(*nest.box);
  if (box)
    found->second.boxes.push_back(*box);
  else
    found->second.known = false;
}

// Has the nest a box, with an index for each axis of the array?
bool OwnArrays::fits(const Nest& nest, ViewId target, term::LocationId location) {
  const Block& written = block(target);
  if (!nest.box) {
    if (written.extents) {
      report("E0525",
             "a nest over the domain writes " + name(target) + ", which has a shape of its own",
             "give the nest a box", location);
    }
    return false;
  }
  const std::size_t rank = written.extents ? written.extents->size() : 0;
  if (!written.extents || nest.indices.size() != rank || nest.box->size() != rank ||
      nest.binding != Binding::nested) {
    report("E0525",
           "a nest over a box of " + std::to_string(nest.box->size()) + " axes with " +
               std::to_string(nest.indices.size()) + " index variables writes " + name(target) +
               ", which has " + std::to_string(rank),
           "give each axis an interval and an index", location);
    return false;
  }
  if (std::ranges::count(targets_of(nest), target) <= 1) return true;
  report("E0525", "a nest writes " + name(target) + " twice for one index", "write it once",
         location);
  return false;
}

void OwnArrays::check_joined(const Nest& nest, const Nest* before, term::LocationId location) {
  const bool fits = before != nullptr && nest.box && before->box && !nest.tile && !before->tile &&
                    !nest.box->empty() && nest.loops.empty() && before->loops.empty() &&
                    before->strip == 0 && targets_of(nest) == targets_of(*before);
  if (fits) return;
  report("E0525",
         "a nest of " + name(nest.target) +
             " is joined to what stands before it, which is no nest over a box of the same arrays "
             "with its loops in the same order",
         "let it be a loop of its own", location);
}

std::size_t OwnArrays::check_turns(const Statements& body, std::size_t first) {
  std::vector<const Nest*> nests;
  const std::vector<std::size_t> places = row_blocks_at(body, first);
  for (const std::size_t at : places) nests.push_back(&std::get<Nest>(body[at].form));
  std::optional<RowBlockObstacle> obstacle;
  if (places.size() > 1) obstacle = row_block_obstacle(function_, nests);
  if (nests.front()->row_blocks)
    obstacle = RowBlockObstacle{"there is no nest in front of that of " + name(nests[0]->target)};
  if (obstacle)
    report("E0525", "nests go through their rows by turns, but " + obstacle->what,
           "let each of them do all of its rows", body[first].location);
  return places.back() + 1;
}

std::size_t OwnArrays::check_lines(const Statements& body, std::size_t first) {
  const std::size_t end = lines_end(body, first);
  const std::span group(&body[first], end - first);
  const Lines& lines = *body[first].lines;
  std::optional<LineObstacle> obstacle = line_obstacle(function_, group, lines.axes);
  const bool in_order = lines.axes.empty();
  if (in_order && (group.size() > 1 || !std::holds_alternative<For>(group.front().form)))
    obstacle = LineObstacle{"without axes they are one loop"};
  if (!std::ranges::is_sorted(lines.axes))
    obstacle = LineObstacle{"no axes are named in their order"};
  if (lines.goes_on) obstacle = LineObstacle{"nothing stands in front"};
  for (std::size_t at = 0; at < group.size(); ++at) {
    if (group[at].lines->axes != lines.axes) obstacle = LineObstacle{"along other axes"};
    const auto* const nest = std::get_if<Nest>(&group[at].form);
    if (obstacle || nest == nullptr || !nest->overwritten) continue;
    const auto part = overwritten_in_lines(ranges_, group, at, lines.axes);
    if (!part || !is_within(ranges_, *nest, *part))
      obstacle = LineObstacle{"what is left out of " + name(nest->target) + " may be read"};
  }
  if (obstacle)
    report("E0525", "statements go line by line, but " + obstacle->what,
           "let each of them do all of its rounds", body[first].location);
  return end;
}

void OwnArrays::refuse_overwritten(const Nest& nest, term::LocationId location) {
  report("E0525",
         "what a nest writes of " + name(nest.target) +
             " is said to be written again, but it does not go line by line",
         "let it be written", location);
}

void OwnArrays::check_loops(const Nest& nest, term::LocationId location) {
  if (const std::string wrong = nest.period ? wrong_with_period(nest) : ""; !wrong.empty()) {
    report("E0525", "the period of a nest of " + name(nest.target) + " " + wrong,
           "leave the nest without one", location);
  }
  const int axes = nest.box ? static_cast<int>(nest.box->size()) : 0;
  if (nest.strip != 0 && (nest.strip < 0 || axes < 2 || nest.tile || nest.joined)) {
    report("E0525",
           "the innermost loop of a nest of " + name(nest.target) +
               " is said to be in strips, which a box of two axes and more has, without tiles and "
               "not joined to another one, each of one index at least",
           "leave it whole", location);
  }
  if (nest.loops.empty() || (!nest.tile && is_order_of_axes(nest.loops, axes))) return;
  report("E0525",
         "the loops of a nest of " + name(nest.target) +
             " are said to be in an order that its box does not have",
         "name each axis of a box without tiles once", location);
}

}  // namespace rhopsi::onf
