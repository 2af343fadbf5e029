#include <algorithm>
#include <utility>

#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// The first plane behind, at which all that a sweep reads of its pass is there.
std::int64_t behind_what_it_reads(const Pass& pass, const std::map<ValueId, std::size_t>& definer,
                                  const Reads& reads) {
  std::int64_t lag = 0;
  for (const auto& [value, offsets] : reads) {
    const auto found = definer.find(value);
    if (found == definer.end()) continue;
    lag = std::max(lag, pass.lags[found->second] + planes_of(offsets).high);
  }
  return lag;
}

// Nothing is overwritten there.
Pass timed_for_teams(const Graph& graph, std::size_t first, std::size_t end) {
  Pass pass{first, end, {}, std::vector<onf::Margin>(end - first)};
  std::map<ValueId, std::size_t> definer;
  for (std::size_t k = first; k < end; ++k) {
    pass.lags.push_back(behind_what_it_reads(pass, definer, reads_of(graph, graph.sweeps[k])));
    for (const ValueId value : graph.sweeps[k].defines) definer[value] = k - first;
  }
  pass.beyond = beyond_of(graph, pass, 0);
  return pass;
}

class Pipelining {
 public:
  Pipelining(Graph& graph, const onf::Function& function, const Planes& planes,
             std::vector<Step>& steps)
      : graph_(graph), planes_(planes), steps_(steps) {
    for (const Sweep& sweep : graph.sweeps) reads_.push_back(reads_of(graph, sweep));
    for (std::size_t k = 0; k < graph.values.size(); ++k) {
      const auto argument = graph.values[k].argument;
      if (argument && function.arguments[*argument].mode == term::Mode::upd) {
        incoming_[*argument] = static_cast<ValueId>(k);
      }
    }
    // Of what one team overwrites another may still read.
    if (!planes.in_place || planes.teams) return;
    for (const Result& result : graph.results) {
      const auto found = incoming_.find(result.argument);
      if (found != incoming_.end()) overwrites_[result.value] = found->second;
    }
  }

  void run() {
    graph_.passes.clear();
    for (std::size_t k = 0; k < graph_.sweeps.size(); ++k) {
      if (k > 0 && extended(k)) continue;
      graph_.passes.push_back(timed(k, k + 1));
      if (planes_.teams && planes_.obstacle.empty()) alone_to_teams(graph_.passes.back());
    }
    for (std::size_t p = graph_.passes.size(); p-- > 0;) {
      if (graph_.passes[p].teams) {
        deal(p);
      } else if (planes_.in_place && graph_.rank() > 1) {
        delay(p);
      }
    }
  }

 private:
  // One sweep that reads beside its own index: planes come one after the other to a team, too,
  // which then finds most of what it reads in its cache, and takes an index modulo once for a
  // plane.
  void alone_to_teams(Pass& pass) {
    const bool beside = std::ranges::any_of(
        reads_[pass.first], [](const auto& read) { return !at_own_point(read.second); });
    if (graph_.rank() < 2 || !beside) return;
    pass.teams = tile_of(pass.first, pass.end);
    if (!pass.teams) return;
    steps_.push_back(taken("pipeline", site_of(graph_, graph_.sweeps[pass.first]),
                           {.before = "a thread for each element",
                            .after = "a team for each tile, plane by plane",
                            .condition = "no team reads what another one writes",
                            .decider = "offsets"}));
  }

  // Does the last pass take sweep `k` too?
  bool extended(std::size_t k) {
    Pass& pass = graph_.passes.back();
    Step step = refused("pipeline", site_of(graph_, graph_.sweeps[k]),
                        {.before = "a pass of its own", .decider = "offsets"});
    const std::string obstacle = obstacle_here();
    if (!obstacle.empty()) {
      step.condition = obstacle;
      step.decider = "target";
      steps_.push_back(std::move(step));
      return false;
    }
    Pass longer = timed(pass.first, k + 1);
    const std::int64_t lag = std::max(std::ranges::max(longer.lags), kept(longer));
    const std::int64_t again = longer.beyond.front().low + longer.beyond.front().high;
    step.holds = std::max(lag, again) <= planes_.most;
    const std::string one = graph_.rank() > 1 ? " plane" : " element", several = one + "s";
    step.condition = "at most " + std::to_string(planes_.most) +
                     (planes_.most == 1 ? one + " waits, or is" : several + " wait, or are") +
                     " computed again for each slab";
    if (!step.holds) {
      step.condition += ", but these would be " + std::to_string(std::max(lag, again));
    } else if (planes_.teams) {
      step.condition += ", and the rings of a tile fit the " +
                        std::to_string(planes_.teams->scratch) + " bytes of a team";
      longer.teams = tile_of(longer.first, longer.end);
      step.holds = longer.teams.has_value();
      if (!step.holds) step.condition += ", but those of no tile do";
    }
    if (step.holds) {
      step.after = std::to_string(longer.lags.back()) + (longer.lags.back() == 1 ? one : several) +
                   " behind, in the pass of " + names_of(graph_, graph_.sweeps[pass.first]);
      pass = longer;
    }
    steps_.push_back(step);
    return step.holds;
  }

  // The tile of a team for these sweeps, if there is one.
  std::optional<onf::TeamTile> tile_of(std::size_t first, std::size_t end) const {
    Graph tried = graph_;
    end += fetch(tried, first, end) ? 1 : 0;
    Pass pass = timed_for_teams(tried, first, end);
    if (!deal_to_teams(tried, *planes_.teams, pass)) return std::nullopt;
    return pass.teams;
  }

  // Deals a pass out that has a tile.
  void deal(std::size_t p) {
    Pass& pass = graph_.passes[p];
    const auto tile = pass.teams;
    const bool fetches = fetch(graph_, pass.first, pass.end);
    pass = timed_for_teams(graph_, pass.first, pass.end + (fetches ? 1 : 0));
    pass.teams = tile;
    deal_to_teams(graph_, *planes_.teams, pass);
    if (!fetches) return;
    for (std::size_t later = p + 1; later < graph_.passes.size(); ++later) {
      ++graph_.passes[later].first, ++graph_.passes[later].end;
    }
  }

  std::string obstacle_here() const {
    if (!planes_.obstacle.empty() || !planes_.teams || graph_.rank() > 1) return planes_.obstacle;
    return "a team has a tile of each plane, but planes of arrays of one axis are elements";
  }

  // The values of a sweep that is a pass of its own which cannot be put where their arguments are
  // while it reads the neighbours of these, although nobody needs them afterwards.
  std::vector<ValueId> waiting(std::size_t k) const {
    const auto last = last_uses(graph_);
    std::vector<ValueId> found;
    for (const ValueId value : graph_.sweeps[k].defines) {
      const auto before = overwrites_.find(value);
      if (before == overwrites_.end()) continue;
      const auto read = reads_[k].find(before->second);
      if (read == reads_[k].end() || at_own_point(read->second)) continue;
      if (last.at(before->second) == k) found.push_back(value);
    }
    return found;
  }

  // u := f(u around)  =>  t := f(u around); u := t, some planes behind: what was computed waits in
  // a ring until all that is overwritten has been read. So there is no second array, whose lines a
  // store would read first, and pads are filled while their planes are in the cache.
  void delay(std::size_t p) {
    const std::size_t k = graph_.passes[p].first;
    const std::vector<ValueId> values = waiting(k);
    if (graph_.passes[p].pipelined() || values.empty()) return;
    std::int64_t lag = 0;
    for (const ValueId value : values) {
      lag = std::max(lag, planes_of(reads_[k].at(overwrites_.at(value))).low);
    }
    const std::int64_t planes = std::max(lag, kept(timed(k, k + 1)));
    Step step = refused("pipeline", site_of(graph_, graph_.sweeps[k]),
                        {.before = "a block of its own",
                         .condition = "at most " + std::to_string(planes_.most) +
                                      (planes_.most == 1 ? " plane waits" : " planes wait"),
                         .decider = planes_.obstacle.empty() ? "offsets" : "target"});
    step.holds = planes_.obstacle.empty() && planes <= planes_.most;
    if (step.holds) {
      step.after = "the block of its argument, " + std::to_string(lag) +
                   (lag == 1 ? " plane" : " planes") + " behind";
      split(p, values);
    } else if (!planes_.obstacle.empty()) {
      step.condition = planes_.obstacle;
    } else {
      step.condition += ", but these would be " + std::to_string(planes);
    }
    steps_.push_back(std::move(step));
  }

  void split(std::size_t p, const std::vector<ValueId>& values) {
    const std::size_t k = graph_.passes[p].first;
    Sweep copies{{}, graph_.sweeps[k].location};
    for (const ValueId value : values) {
      const auto waits = static_cast<ValueId>(graph_.values.size());
      graph_.values.push_back(Value(graph_[value]));
      std::ranges::replace(graph_.sweeps[k].defines, value, waits);
      graph_[value].definition =
          graph_.load(waits, Offset(static_cast<std::size_t>(graph_.rank()), 0));
      copies.defines.push_back(value);
    }
    const auto behind = static_cast<std::ptrdiff_t>(k) + 1;
    reads_.insert(reads_.begin() + behind, reads_of(graph_, copies));
    graph_.sweeps.insert(graph_.sweeps.begin() + behind, std::move(copies));
    for (std::size_t later = p + 1; later < graph_.passes.size(); ++later) {
      ++graph_.passes[later].first, ++graph_.passes[later].end;
    }
    graph_.passes[p] = timed(k, k + 2);
  }

  Pass timed(std::size_t first, std::size_t end) const {
    Pass pass{first, end, {}, std::vector<onf::Margin>(end - first)};
    std::map<ValueId, std::size_t> definer;  // within the pass
    for (std::size_t k = first; k < end; ++k) {
      pass.lags.push_back(earliest(pass, definer, k));
      for (const ValueId value : graph_.sweeps[k].defines) definer[value] = k - first;
    }
    pass.beyond = beyond_of(graph_, pass, 0);
    return pass;
  }

  // Planes of what is overwritten that wait beyond an end of a slab, for who reads ahead.
  std::int64_t kept(const Pass& pass) const {
    std::int64_t planes = 0;
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const ValueId value : graph_.sweeps[k].defines) {
        const auto before = overwrites_.find(value);
        for (std::size_t reader = pass.first; reader < pass.end; ++reader) {
          if (before == overwrites_.end()) break;
          const auto found = reads_[reader].find(before->second);
          if (found != reads_[reader].end())
            planes = std::max(planes, planes_of(found->second).high);
        }
      }
    }
    return planes;
  }

  std::int64_t earliest(const Pass& pass, const std::map<ValueId, std::size_t>& definer,
                        std::size_t k) const {
    std::int64_t lag = behind_what_it_reads(pass, definer, reads_[k]);
    // So late that a result may lie where its argument does.
    for (const ValueId value : graph_.sweeps[k].defines) {
      const auto before = overwrites_.find(value);
      if (before == overwrites_.end()) continue;
      for (std::size_t reader = pass.first; reader < k; ++reader) {
        const auto found = reads_[reader].find(before->second);
        if (found == reads_[reader].end()) continue;
        lag = std::max(lag, pass.lags[reader - pass.first] + planes_of(found->second).low);
      }
    }
    return lag;
  }

  Graph& graph_;
  const Planes& planes_;
  std::vector<Step>& steps_;
  std::vector<Reads> reads_;                 // by sweep
  std::map<std::size_t, ValueId> incoming_;  // by argument that is changed
  std::map<ValueId, ValueId> overwrites_;    // a result, and what its argument was
};

}  // namespace

namespace {

// Of teams nothing is left to do.
Step teams_are_tiles(const Graph& graph, const Pass& pass) {
  std::string sides;
  for (const std::int64_t side : pass.teams->sides) {
    sides += (sides.empty() ? "" : " x ") + std::to_string(side);
  }
  return taken("tile", site_of(graph, graph.sweeps[pass.first]),
               {.before = "whole planes",
                .after = "tiles of " + sides + ", one for each team",
                .condition = "least is computed again of all tiles whose rings a team has room for",
                .decider = "offsets"});
}

// The array that the sweep reads on most planes, and how many these are; nothing where that is one.
std::optional<std::pair<ValueId, std::int64_t>> most_planes_read(const Graph& graph,
                                                                 const Sweep& sweep) {
  std::optional<std::pair<ValueId, std::int64_t>> found;
  for (const auto& [value, offsets] : reads_of(graph, sweep)) {
    const std::int64_t planes = std::ssize(planes_read(offsets));
    if (planes > 1 && (!found || planes > found->second)) found = {value, planes};
  }
  return found;
}

// A sweep that is a pass alone. Its elements are computed in any order.
void tile_alone(const Graph& graph, std::optional<std::int64_t> most, const std::string& no_rows,
                Pass& pass, std::vector<Step>& steps) {
  if (graph.rank() < 3) return;
  const Sweep& sweep = graph.sweeps[pass.first];
  const auto read = most_planes_read(graph, sweep);
  if (!read) return;
  Telling told{.before = "whole planes",
               .after = "tiles of rows",
               .condition = "no element needs another one of the pass, and each reads " +
                            graph[read->first].name + " on " + std::to_string(read->second) +
                            " planes",
               .decider = "offsets"};
  if (!no_rows.empty()) {
    told.condition = no_rows;
    steps.push_back(refused("tile", site_of(graph, sweep), std::move(told)));
    return;
  }
  pass.rows = {onf::Margin{}};
  pass.most_rows = most;
  steps.push_back(taken("tile", site_of(graph, sweep), std::move(told)));
}

}  // namespace

void tile(Graph& graph, std::optional<std::int64_t> most, const std::string& no_rows,
          std::vector<Step>& steps) {
  for (Pass& pass : graph.passes) {
    if (!pass.pipelined()) {
      tile_alone(graph, most, no_rows, pass, steps);
      continue;
    }
    if (pass.teams) {
      steps.push_back(teams_are_tiles(graph, pass));
      continue;
    }
    Step step = refused(
        "tile", site_of(graph, graph.sweeps[pass.first]),
        {.before = "whole planes",
         .condition =
             "a tile has rows side by side, but the planes of arrays of two axes are one row",
         .decider = "offsets"});
    step.holds = graph.rank() > 2;
    if (graph.rank() == 1) {
      step.before = step.after = "runs of elements";
      step.condition =
          "a tile has rows side by side, but planes of one axis are elements; these "
          "come in runs without this step";
    }
    if (step.holds) {
      pass.rows = beyond_of(graph, pass, 1);
      pass.most_rows = most;
      const std::int64_t again = widest_of(pass.rows);
      step.after = "tiles of rows, " + std::to_string(again) +
                   (again == 1 ? " of a plane is" : " of a plane are") + " computed again";
      step.condition =
          "what a tile reads of the one before is kept, and what goes beyond the ends of the axis "
          "is computed again or kept before it is overwritten";
    }
    steps.push_back(std::move(step));
  }
}

void separate(Graph& graph) {
  graph.passes.clear();
  for (std::size_t k = 0; k < graph.sweeps.size(); ++k) {
    graph.passes.push_back({k, k + 1, {0}, {onf::Margin{}}});
  }
}

void fold_in_planes(Graph& graph) {
  for (Pass& pass : graph.passes) {
    if (pass.pipelined()) continue;
    pass.alone_in_planes = std::ranges::any_of(graph.folds, [&](const RowsFolded& fold) {
      return std::ranges::count(graph.sweeps[pass.first].defines, fold.value) > 0;
    });
  }
}

void pipeline(Graph& graph, const onf::Function& function, const Planes& planes,
              std::vector<Step>& steps) {
  Pipelining(graph, function, planes, steps).run();
}

}  // namespace rhopsi::schedule
