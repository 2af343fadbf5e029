// Is a pipeline of teams one? Threads of a team wait for each other at barriers alone, and teams
// never: what a stage reads was stored by its own team behind a barrier, by its own thread, or by
// nobody.
#include "engine/onf/teams.hpp"

#include <algorithm>
#include <map>

#include "engine/onf/access.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

Margin beyond_of(const Pipeline::Stage& stage, std::size_t axis) {
  if (axis == 0) return stage.beyond;
  if (axis == 1) return stage.rows;
  return axis - 2 < stage.further.size() ? stage.further[axis - 2] : Margin{};
}

std::vector<Margin> region_of(const Pipeline& pipeline) {
  std::vector<Margin> around(pipeline.teams->sides.size());
  for (const Pipeline::Stage& stage : pipeline.stages) {
    for (std::size_t axis = 0; axis < around.size(); ++axis) {
      const Margin beyond = beyond_of(stage, axis + 1);
      around[axis].low = std::max(around[axis].low, beyond.low);
      around[axis].high = std::max(around[axis].high, beyond.high);
    }
  }
  return around;
}

RegionSize size_of(const std::vector<std::int64_t>& sides, const std::vector<Margin>& around) {
  RegionSize size;
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    const std::int64_t length = sides[axis] + around[axis].low + around[axis].high;
    (axis + 1 == sides.size() ? size.width : size.height) *= length;
  }
  return size;
}

std::int64_t threads_for(const RegionSize& region, std::int64_t rows) {
  return region.width * ((region.height + rows - 1) / rows);
}

std::int64_t guard_of(const std::vector<std::int64_t>& sides, const std::vector<Margin>& around) {
  std::int64_t rows = 0, apart = 1;
  for (std::size_t axis = around.size() - 1; axis-- > 0;) {
    rows += apart * std::max(around[axis].low, around[axis].high);
    apart *= sides[axis] + around[axis].low + around[axis].high;
  }
  return rows * size_of(sides, around).width + std::max(around.back().low, around.back().high);
}

bool waits_between(const std::vector<bool>& barriers, std::size_t earlier, std::size_t later,
                   std::int64_t moments) {
  const auto any = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (barriers[k]) return true;
    }
    return false;
  };
  if (moments == 0) return any(earlier, later);
  if (moments > 1) return any(0, barriers.size());
  return any(earlier, barriers.size()) || any(0, later);
}

namespace {

class CheckingTeams {
 public:
  CheckingTeams(const Module& module, const Function& function, const Pipeline& pipeline,
                term::LocationId location)
      : module_(module), function_(function), pipeline_(pipeline), location_(location) {
    for (const Pipeline::Ring& ring : pipeline.rings) rings_[ring.view] = &ring;
    for (std::size_t k = 0; k < pipeline.stages.size(); ++k) {
      const Nest& nest = pipeline.stages[k].nest;
      writers_[nest.target] = k;
      for (const Nest::Output& output : nest.also) writers_[output.target] = k;
      barriers_.push_back(pipeline.stages[k].barrier);
    }
  }

  std::vector<Problem> run() {
    if (!well_formed()) return std::move(problems_);
    for (const Pipeline::Stage& stage : pipeline_.stages) {
      if (stage.fetch && pipeline_.rings.front().planes < 2) {
        report("E0527", "a plane is asked for where the one before it has not arrived yet",
               "give the rings one plane more", stage.location);
      }
    }
    for (std::size_t stage = 0; stage < pipeline_.stages.size(); ++stage) {
      for (const Access& access : accesses_of(module_, function_, pipeline_.stages[stage].nest)) {
        if (!access.components.empty()) read(stage, access);
      }
    }
    // Places in a ring are known when the pass is compiled.
    for (const Pipeline::Stage& stage : pipeline_.stages) {
      if (problems_.empty()) offsets_are_numbers(stage.nest);
    }
    return std::move(problems_);
  }

 private:
  static constexpr const char* no_barrier = "set a barrier between the two stages";

  void report(const char* code, std::string message, std::string advice, term::LocationId at) {
    problems_.push_back(
        {code, std::move(message), std::move(advice), at == term::LocationId{} ? location_ : at});
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }
  const Block& block_of(ViewId view) const {
    return function_.blocks[number(function_.views[number(view)].block)];
  }
  bool malformed(std::string what) {
    report("E0525", "a pipeline of teams " + std::move(what), "schedule the program anew",
           location_);
    return false;
  }

  bool well_formed() {
    const TeamTile& teams = *pipeline_.teams;
    const auto axes = static_cast<std::size_t>(module_.rank);
    if (pipeline_.tiles || !pipeline_.seams.empty() || !pipeline_.fills.empty())
      return malformed("with tiles, seams or fills of a host");
    if (teams.sides.size() + 1 != axes ||
        std::ranges::any_of(teams.sides, [](std::int64_t side) { return side < 1; })) {
      return malformed("whose tiles have not a side for each axis");
    }
    if (teams.planes < 1 || teams.threads < 1 || teams.rows < 1)
      return malformed("without planes, threads or rows");
    for (const Pipeline::Ring& ring : pipeline_.rings) {
      const bool any = std::ranges::any_of(ring.halo.axes,
                                           [](const Margin& margin) { return margin != Margin{}; });
      if (any) return malformed("with a ring that has a halo");
      if (ring.planes != pipeline_.rings.front().planes)
        return malformed("whose rings have not the same number of planes");
    }
    for (const Pipeline::Stage& stage : pipeline_.stages) {
      const bool less = std::ranges::any_of(
          stage.further, [](const Margin& margin) { return margin.low < 0 || margin.high < 0; });
      if (less || stage.further.size() + 2 != axes)
        return malformed("with a stage that has not a margin for each axis");
      if (stage.fetch && (stage.lag != 0 || !only_copies(stage.nest)))
        return malformed("with a stage that fetches what is no array");
    }
    for (std::size_t k = 1; k < pipeline_.stages.size(); ++k) {
      if (pipeline_.stages[k].fetch) return malformed("with a stage that fetches behind another");
    }
    if (teams.threads != threads_for(size_of(teams.sides, region_of(pipeline_)), teams.rows))
      return malformed("with other threads than its tile and their rows take");
    return true;
  }

  // Arrays at their own index to rings.
  bool only_copies(const Nest& nest) const {
    const auto copies = [&](ViewId target, const Expr& element) {
      return rings_.contains(target) && element.kind == Expr::Kind::load &&
             !rings_.contains(element.view);
    };
    return nest.body.empty() && copies(nest.target, nest.element) &&
           std::ranges::all_of(nest.also, [&](const Nest::Output& output) {
             return copies(output.target, output.element);
           });
  }

  void offsets_are_numbers(const Nest& nest) {
    each_load(nest, [&](const Expr& load) {
      if (!rings_.contains(load.view)) return;
      bool numbers = std::ssize(load.operands) == module_.rank;
      for (std::size_t axis = 0; numbers && axis < load.operands.size(); ++axis) {
        numbers = offset_from(nest, load.operands[axis], axis).has_value();
      }
      if (numbers) return;
      report("E0525",
             "a pipeline of teams reads " + name(load.view) +
                 " at an index that is not written as its own and a number",
             "schedule the program anew", load.location);
    });
  }

  // At the element's own index of all axes but the first.
  static bool of_own_column(const Access& access) {
    return std::all_of(access.components.begin() + 1, access.components.end(),
                       [](const auto& component) { return component.low == 0; });
  }

  void read(std::size_t stage, const Access& access) {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(module_.rank); ++axis) {
      if (at_constant_distance(access, axis)) continue;
      report("E0525",
             "a pipeline of teams reads " + name(access.view) +
                 " at an index that is not at a constant distance from its own",
             "leave this loop out of the pipeline", access.location);
      return;
    }
    if (const auto ring = rings_.find(access.view); ring != rings_.end()) {
      read_ring(stage, access, *ring->second);
    } else if (writers_.contains(access.view)) {
      report("E0527",
             "a pipeline of teams reads " + name(access.view) +
                 ", which another team may have "
                 "overwritten",
             "write another array", access.location);
    } else if (block_of(access.view).same_along_rows()) {
      return;  // few elements, of which each thread reads those that it needs, circularly
    } else if (access.components[0].low != 0 || !of_own_column(access)) {
      report("E0525",
             "a pipeline of teams reads " + name(access.view) +
                 " at another index than its own, and no ring of it",
             "fetch it first", access.location);
    }
  }

  void read_ring(std::size_t stage, const Access& access, const Pipeline::Ring& ring) {
    const std::size_t writer = writers_.at(access.view);
    const Pipeline::Stage &from = pipeline_.stages[writer], &to = pipeline_.stages[stage];
    const std::int64_t plane = access.components[0].low;
    const std::int64_t age = to.lag - plane - from.lag;  // moments since it was stored
    const std::string what =
        "the plane " + std::to_string(plane) + " further of " + name(access.view);
    if (age < 0 || (age == 0 && writer >= stage)) {
      return report("E0522", what + " is read before a stage has stored it",
                    "read it at a later plane", access.location);
    }
    if (age >= ring.planes) {
      return report("E0522",
                    what + " is read when its ring of " + std::to_string(ring.planes) +
                        " planes holds another",
                    "give the ring more planes", access.location);
    }
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(module_.rank); ++axis) {
      stored_there(from, to, access, axis);
    }
    if (of_own_column(access)) return;
    if (!waits_between(barriers_, writer, stage, age)) {
      report("E0527", what + " is read when a thread of the team may not have stored it yet",
             no_barrier, access.location);
    }
    // What is fetched is asked for a moment before.
    const std::int64_t until = ring.planes - age - (from.fetch ? 1 : 0);
    if (!waits_between(barriers_, stage, writer, until)) {
      report("E0527", what + " is read when a thread of the team may have overwritten it",
             no_barrier, access.location);
    }
  }

  void stored_there(const Pipeline::Stage& from, const Pipeline::Stage& to, const Access& access,
                    std::size_t axis) {
    const std::int64_t offset = access.components[axis].low;
    const Margin stored = beyond_of(from, axis), own = beyond_of(to, axis);
    if (stored.low >= own.low - offset && stored.high >= own.high + offset) return;
    report("E0522",
           name(access.view) + " is read " + std::to_string(offset) + " further on axis " +
               std::to_string(axis) + ", where no stage stores it: beyond the tile of a team",
           "compute more beyond the tile", access.location);
  }

  const Module& module_;
  const Function& function_;
  const Pipeline& pipeline_;
  term::LocationId location_;
  std::map<ViewId, const Pipeline::Ring*> rings_;
  std::map<ViewId, std::size_t> writers_;
  std::vector<bool> barriers_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_teams(const Module& module, const Function& function,
                                 const Pipeline& pipeline, term::LocationId location) {
  return CheckingTeams(module, function, pipeline, location).run();
}

}  // namespace rhopsi::onf
