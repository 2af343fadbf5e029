// Passes of planes for a device: tiles of teams, their rings and their barriers.
#include "engine/onf/teams.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "engine/onf/positions.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/halos.hpp"
#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

// By value: the sweep of the pass that defines it.
std::map<ValueId, std::size_t> definers(const Graph& graph, const Pass& pass) {
  std::map<ValueId, std::size_t> made;
  for (std::size_t k = pass.first; k < pass.end; ++k) {
    for (const ValueId value : graph.sweeps[k].defines) made[value] = k - pass.first;
  }
  return made;
}

// Calls `visit` with the reading sweep, the defining one, the value and the offsets.
template <class Visit>
void each_inner_read(const Graph& graph, const Pass& pass, const Visit& visit) {
  const std::map<ValueId, std::size_t> definer = definers(graph, pass);
  each_read(graph, pass, [&](std::size_t k, ValueId value, const std::vector<Offset>& offsets) {
    const auto found = definer.find(value);
    if (found != definer.end()) visit(k - pass.first, found->second, value, offsets);
  });
}

// Moments between the sweeps at the plane that is `offset` further.
std::int64_t age_of(const Pass& pass, std::size_t reader, std::size_t definer,
                    std::int64_t offset) {
  return pass.lags[reader] - offset - pass.lags[definer];
}

// Is it of an element's own rows, which its thread computed?
bool of_own_column(const Offset& offset) {
  return std::all_of(offset.begin() + 1, offset.end(), [](std::int64_t by) { return by == 0; });
}

// What lies between two sweeps, so many moments apart, has to hold a barrier.
struct Wait {
  std::size_t earlier, later;
  std::int64_t moments;
};

std::vector<Wait> waits_of(const Graph& graph, const Pass& pass) {
  std::vector<Wait> waits;
  const std::map<ValueId, std::int64_t> planes = ring_planes(graph, pass);
  each_inner_read(graph, pass,
                  [&](std::size_t reader, std::size_t definer, ValueId value,
                      const std::vector<Offset>& offsets) {
                    // What is fetched is asked for a moment before.
                    const bool before = graph.sweeps[pass.first + definer].fetch;
                    const std::int64_t held = planes.at(value) - (before ? 1 : 0);
                    for (const Offset& offset : offsets) {
                      if (of_own_column(offset)) continue;
                      const std::int64_t age = age_of(pass, reader, definer, offset[0]);
                      waits.push_back({definer, reader, age});
                      waits.push_back({reader, definer, held - age});
                    }
                  });
  return waits;
}

// None of them can be left out.
std::vector<bool> barriers_of(const Graph& graph, const Pass& pass) {
  const std::vector<Wait> waits = waits_of(graph, pass);
  std::vector<bool> barriers(pass.end - pass.first, true);
  const auto enough = [&] {
    return std::ranges::all_of(waits, [&](const Wait& wait) {
      return onf::waits_between(barriers, wait.earlier, wait.later, wait.moments);
    });
  };
  // From the last on: those that are left stand where what has just been stored is read.
  for (std::size_t k = barriers.size(); k-- > 0;) {
    barriers[k] = false;
    if (!enough()) barriers[k] = true;
  }
  return barriers;
}

// The sides of a tile along axes 1, 2, ..., and the rows of a thread, tried one after the other.
class Tiles {
 public:
  Tiles(const Graph& graph, const Pass& pass, const TeamRoom& room)
      : room_(room), around_(region_of(pass)) {
    for (const auto& [value, planes] : ring_planes(graph, pass)) {
      const double words = static_cast<double>(onf::bytes_of(graph[value].element)) / 4;
      planes_ = planes;
      bytes_ += planes * std::max<std::int64_t>(4, onf::bytes_of(graph[value].element));
      kept_ += static_cast<double>(planes) * std::max(1.0, words);
      widest_ = std::max(widest_, words);
    }
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
        operations_ += of_a_read * static_cast<double>(offsets.size());
      }
      // Read of arrays, or stored to them.
      if (graph.sweeps[k].fetch || k + 1 == pass.end)
        arrays_ += static_cast<double>(graph.sweeps[k].defines.size());
    }
  }

  std::optional<onf::TeamTile> best() {
    std::vector<std::int64_t> lengths(around_.size(), 1);
    attempt(lengths, 0, 1);
    return best_;
  }

 private:
  // Elements that a thread has at most: each is written out in its program, once for each plane of
  // the rings.
  static constexpr std::int64_t most_rows = 4;
  static constexpr double most_written = 24;
  static constexpr std::int64_t longest = 1024;
  // Registers of a thread, and of each of its elements, besides what it keeps.
  static constexpr double of_a_thread = 14, of_an_element = 4;
  // They are dealt out to so many threads, and to each so many at a time.
  static constexpr std::int64_t threads_at_once = 128, registers_at_once = 8;
  // A multiprocessor has enough to do of so many threads.
  static constexpr double enough_threads = 640;
  // Operations of an element for each read of a sweep, and as many as the 32 bytes take in which
  // memory is read and written.
  static constexpr double of_a_read = 3, of_a_sector = 16;
  static constexpr double in_a_sector = 8;

  // `before`: elements of the axes in front.
  void attempt(std::vector<std::int64_t>& lengths, std::size_t axis, std::int64_t before) {
    const std::int64_t most = most_rows * room_.threads / before;
    if (axis == lengths.size()) {
      for (std::int64_t rows = 1; rows <= most_rows; ++rows) judge(lengths, rows);
      return;
    }
    const onf::Margin around = around_[axis];
    const std::int64_t beyond = around.low + around.high;
    if (axis + 1 == lengths.size()) {
      for (std::int64_t length = room_.in_step; length <= std::min(longest, most);
           length += room_.in_step) {
        if (length <= beyond) continue;
        lengths[axis] = length;
        attempt(lengths, axis + 1, before * length);
      }
    } else {
      // Of the innermost of them any length, since it is that which threads have rows of.
      const bool dealt = axis + 2 == lengths.size();
      for (std::int64_t side = 1; side <= 64 && side + beyond <= most;
           side = dealt ? side + 1 : 2 * side) {
        lengths[axis] = side + beyond;
        attempt(lengths, axis + 1, before * (side + beyond));
      }
    }
    lengths[axis] = 1;
  }

  // That a thread of so many may have.
  std::int64_t registers_for(std::int64_t threads) const {
    const std::int64_t dealt = (threads + threads_at_once - 1) / threads_at_once * threads_at_once;
    return std::min(room_.of_a_thread,
                    room_.registers / dealt / registers_at_once * registers_at_once);
  }

  // How much more tiles of these sides have than the domain: the threads of the last one along an
  // axis compute as much as those of the others.
  double dealt_out(const std::vector<std::int64_t>& sides) const {
    double times = 1;
    for (std::size_t axis = 0; axis < sides.size() && !room_.extents.empty(); ++axis) {
      const std::int64_t n = std::max<std::int64_t>(1, room_.extents.at(axis + 1));
      const std::int64_t tiles = (n + sides[axis] - 1) / sides[axis];
      times *= double(tiles * sides[axis]) / double(n);
    }
    return times;
  }

  void judge(const std::vector<std::int64_t>& lengths, std::int64_t rows) {
    onf::TeamTile made;
    double own = 1;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
      made.sides.push_back(lengths[axis] - around_[axis].low - around_[axis].high);
      own *= static_cast<double>(made.sides.back());
    }
    const onf::RegionSize region = onf::size_of(made.sides, around_);
    const std::int64_t groups = (region.height + rows - 1) / rows;
    made.rows = rows;
    made.threads = region.width * groups;
    const auto threads = static_cast<double>(made.threads), elements = threads * double(rows);
    const double registers = of_a_thread + double(rows) * (kept_ + of_an_element * widest_);
    const double bytes = elements * static_cast<double>(bytes_) +
                         2 * 4 * widest_ * static_cast<double>(onf::guard_of(made.sides, around_));
    if (made.threads > room_.threads || rows > region.height || bytes > double(room_.scratch) ||
        registers > double(registers_for(made.threads))) {
      return;
    }
    if (rows > 1 && double(rows * planes_) > most_written) return;
    // Of those that are resident at the same time: barriers of one are hidden behind others.
    const double teams =
        std::max(1.0, std::floor(std::min(double(room_.registers) / (registers * threads),
                                          double(room_.scratch) / std::max(1.0, bytes))));
    const double resident = std::min(threads * teams, 2.0 * double(room_.threads));
    // What all elements of a thread have in common is done once for each thread.
    const double each = operations_ * (1 + 0.25 / double(rows));
    const double waiting = std::sqrt(std::max(1.0, enough_threads / resident));
    const double width = static_cast<double>(region.width),
                 side = static_cast<double>(made.sides.back());
    const double sectors =
        (width / in_a_sector + 1) * double(region.height) + (side / in_a_sector + 1) * own / side;
    const double work = (each * waiting * elements + of_a_sector * arrays_ / 2 * sectors) / own *
                        dealt_out(made.sides);
    if (best_ && work >= work_) return;
    best_ = std::move(made);
    work_ = work;
  }

  const TeamRoom& room_;
  std::vector<onf::Margin> around_;  // the most that a sweep does beyond a tile
  std::int64_t planes_ = 1, bytes_ = 0;
  double kept_ = 0;        // words of an element, in all rings
  double widest_ = 1;      // in one plane of one
  double operations_ = 4;  // of an element
  double arrays_ = 0;
  std::optional<onf::TeamTile> best_;
  double work_ = 0;
};

// Of axis 0 no fewer planes than so many times those that are computed again.
constexpr std::int64_t planes_for_again = 8;

}  // namespace

std::vector<onf::Margin> region_of(const Pass& pass) {
  std::vector<onf::Margin> region(pass.around.front().size());
  for (const std::vector<onf::Margin>& sweep : pass.around) onf::widen(region, sweep);
  return region;
}

std::vector<onf::Margin> beyond_of(const Graph& graph, const Pass& pass, std::size_t axis) {
  std::vector<onf::Margin> made(pass.end - pass.first);
  const std::map<ValueId, std::size_t> definer = definers(graph, pass);
  for (std::size_t k = pass.end; k-- > pass.first;) {
    const onf::Margin own = made[k - pass.first];
    for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
      const auto found = definer.find(value);
      if (found == definer.end()) continue;
      const onf::Margin read = distances_of(offsets, axis);
      onf::Margin& needed = made[found->second];
      needed.low = std::max(needed.low, own.low + read.low);
      needed.high = std::max(needed.high, own.high + read.high);
    }
  }
  return made;
}

std::map<ValueId, std::int64_t> ring_planes(const Graph& graph, const Pass& pass) {
  std::map<ValueId, std::int64_t> planes;
  each_inner_read(graph, pass,
                  [&](std::size_t reader, std::size_t definer, ValueId value,
                      const std::vector<Offset>& offsets) {
                    for (const Offset& offset : offsets) {
                      const std::int64_t age = age_of(pass, reader, definer, offset[0]);
                      const bool shared = pass.teams && !of_own_column(offset);
                      planes[value] = std::max(planes[value], age + (shared ? 2 : 1));
                    }
                  });
  if (!pass.teams) return planes;
  // One arrives while the next is asked for.
  std::int64_t most = graph.sweeps[pass.first].fetch ? 2 : 1;
  for (const auto& [value, count] : planes) most = std::max(most, count);
  for (auto& [value, count] : planes) count = most;
  return planes;
}

std::map<ValueId, std::int64_t> ring_rows(const Graph& graph, const Pass& pass) {
  std::map<ValueId, std::int64_t> rows;
  each_inner_read(graph, pass,
                  [&](std::size_t reader, std::size_t definer, ValueId value,
                      const std::vector<Offset>& offsets) {
                    const std::int64_t further = pass.rows[definer].high - pass.rows[reader].high;
                    std::int64_t& kept = rows[value];
                    kept = std::max(kept, further + distances_of(offsets, 1).low);
                  });
  return rows;
}

bool fetch(Graph& graph, std::size_t first, std::size_t end) {
  std::set<ValueId> defined;
  std::map<ValueId, int> readers;
  std::set<ValueId> beside;
  for (std::size_t k = first; k < end; ++k) {
    for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
      ++readers[value];
      if (!at_own_point(offsets)) beside.insert(value);
    }
    defined.insert(graph.sweeps[k].defines.begin(), graph.sweeps[k].defines.end());
  }
  Sweep copies{{}, graph.sweeps[first].location};
  copies.fetch = true;
  const Offset own(static_cast<std::size_t>(graph.rank()), 0);
  std::map<ValueId, ValueId> copy_of;
  for (const auto& [value, count] : readers) {
    if (defined.contains(value) || (count < 2 && !beside.contains(value))) continue;
    if (graph[value].same_along_rows()) continue;  // few elements, which a cache keeps
    Value copy = graph[value];
    copy.name += "_tile";
    copy.argument.reset();
    copy.definition = graph.load(value, own);
    copy_of[value] = static_cast<ValueId>(graph.values.size());
    copies.defines.push_back(copy_of[value]);
    graph.values.push_back(std::move(copy));
  }
  if (copies.defines.empty()) return false;
  for (const ValueId value : defined) {
    graph[value].definition =
        graph.replaced(graph[value].definition, [&](NodeId id) -> std::optional<NodeId> {
          const Node& node = graph[id];
          if (node.kind != Node::Kind::load) return std::nullopt;
          const auto copy = copy_of.find(node.value);
          if (copy == copy_of.end()) return std::nullopt;
          return graph.load(copy->second, Offset(node.offset));
        });
  }
  graph.sweeps.insert(graph.sweeps.begin() + static_cast<std::ptrdiff_t>(first), std::move(copies));
  return true;
}

bool deal_to_teams(const Graph& graph, const TeamRoom& room, Pass& pass) {
  Pass made = pass;
  if (!made.teams) made.teams.emplace();
  made.around.assign(made.end - made.first, {});
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(graph.rank()); ++axis) {
    const std::vector<onf::Margin> margins = beyond_of(graph, made, axis);
    for (std::size_t k = 0; k < margins.size(); ++k) made.around[k].push_back(margins[k]);
  }
  if (!pass.teams) made.teams = Tiles(graph, made, room).best();
  if (!made.teams) return false;
  made.teams->planes = std::max<std::int64_t>(1, planes_for_again * widest_of(made.beyond));
  made.barriers = barriers_of(graph, made);
  pass = std::move(made);
  return true;
}

}  // namespace rhopsi::schedule
