// Passes of planes for a device: tiles of teams, their rings and their barriers.
#include "engine/onf/teams.hpp"

#include <algorithm>
#include <set>

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
                    const std::int64_t held = planes.at(value);
                    waits.push_back({definer, definer, held});
                    for (const Offset& offset : offsets) {
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

// The sides of a tile along axes 1, 2, ..., tried one after the other.
class Sides {
 public:
  Sides(const Graph& graph, const Pass& pass, const TeamRoom& room)
      : graph_(graph), pass_(pass), room_(room), planes_(ring_planes(graph, pass)) {
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      // What a sweep costs is what it reads, and that it stores.
      double weight = 1;
      for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
        weight += static_cast<double>(offsets.size());
      }
      weights_.push_back(weight);
    }
    const std::set<ValueId> defined = defined_in(graph, pass);
    each_read(graph, pass, [&](std::size_t k, ValueId value, const std::vector<Offset>& offsets) {
      if (defined.contains(value)) return;
      std::vector<onf::Margin>& reach = reached_[value];
      reach.resize(static_cast<std::size_t>(graph.rank()) - 1);
      for (std::size_t axis = 0; axis < reach.size(); ++axis) {
        const onf::Margin own = pass.around[k - pass.first][axis];
        const onf::Margin read = distances_of(offsets, axis + 1);
        reach[axis].low = std::max(reach[axis].low, own.low + read.low);
        reach[axis].high = std::max(reach[axis].high, own.high + read.high);
      }
    });
  }

  std::vector<std::int64_t> best() {
    std::vector<std::int64_t> sides(static_cast<std::size_t>(graph_.rank()) - 1, 1);
    attempt(sides, 0);
    return best_;
  }

 private:
  // Elements of a tile: as many as a team has threads, and not much more than each can do in turn.
  static constexpr std::int64_t most_for_a_thread = 8;
  static constexpr std::int64_t least_in_a_row = 16;  // neighbours in memory
  static constexpr std::int64_t longest = 1024;
  // In reads of what a team has: one of an array, for which it waits.
  static constexpr double of_an_array = 4;

  static std::int64_t grown(const std::vector<std::int64_t>& sides,
                            const std::vector<onf::Margin>& by) {
    std::int64_t product = 1;
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
      product *= sides[axis] + by[axis].low + by[axis].high;
    }
    return product;
  }
  // Of what a sweep computes for a tile.
  std::int64_t elements(const std::vector<std::int64_t>& sides, std::size_t sweep) const {
    return grown(sides, pass_.around[sweep]);
  }

  std::int64_t scratch(const std::vector<std::int64_t>& sides) const {
    std::int64_t bytes = 0;
    for (const auto& [value, sweep] : definers(graph_, pass_)) {
      const auto ring = planes_.find(value);
      if (ring == planes_.end()) continue;
      // Each begins where a number of 8 bytes may.
      const std::int64_t own = ring->second * elements(sides, sweep) *
                               static_cast<std::int64_t>(onf::bytes_of(graph_[value].element));
      bytes += (own + 7) / 8 * 8;
    }
    return bytes;
  }

  void attempt(std::vector<std::int64_t>& sides, std::size_t axis) {
    if (axis == sides.size()) return judge(sides);
    const std::int64_t least = axis + 1 == sides.size() ? least_in_a_row : 1;
    for (std::int64_t side = least; side <= longest; side *= 2) {
      sides[axis] = side;
      attempt(sides, axis + 1);
    }
    sides[axis] = 1;
  }

  void judge(const std::vector<std::int64_t>& sides) {
    std::int64_t own = 1;
    for (const std::int64_t side : sides) own *= side;
    if (own > most_for_a_thread * room_.threads || scratch(sides) > room_.scratch) return;
    double work = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      // A team that is not full costs as much as one that is.
      const auto done = static_cast<double>(std::max(elements(sides, k), room_.threads));
      work += weights_[k] * done / static_cast<double>(own);
    }
    for (const auto& [value, reach] : reached_) {
      work += of_an_array * static_cast<double>(grown(sides, reach)) / static_cast<double>(own);
    }
    const bool better =
        best_.empty() || work < work_ || (work == work_ && sides.back() > best_.back());
    if (!better) return;
    best_ = sides;
    work_ = work;
  }

  const Graph& graph_;
  const Pass& pass_;
  const TeamRoom& room_;
  std::map<ValueId, std::int64_t> planes_;
  std::vector<double> weights_;
  std::map<ValueId, std::vector<onf::Margin>> reached_;  // of arrays, beyond the tile
  std::vector<std::int64_t> best_;
  double work_ = 0;
};

// Of axis 0 no fewer planes than so many times those that are computed again.
constexpr std::int64_t planes_for_again = 8;

}  // namespace

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
                      planes[value] = std::max(planes[value], age + (pass.teams ? 2 : 1));
                    }
                  });
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

bool deal_to_teams(const Graph& graph, const TeamRoom& room, Pass& pass) {
  Pass made = pass;
  made.teams = onf::Pipeline::Teams{};
  made.around.assign(made.end - made.first, {});
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(graph.rank()); ++axis) {
    const std::vector<onf::Margin> margins = beyond_of(graph, made, axis);
    for (std::size_t k = 0; k < margins.size(); ++k) made.around[k].push_back(margins[k]);
  }
  made.teams->sides = Sides(graph, made, room).best();
  if (made.teams->sides.empty()) return false;
  made.teams->planes = std::max<std::int64_t>(1, planes_for_again * widest_of(made.beyond));
  made.teams->threads = room.threads;
  made.barriers = barriers_of(graph, made);
  pass = std::move(made);
  return true;
}

}  // namespace rhopsi::schedule
