// Sweeps of a tile row by row, by turns: what one stores in a row, the next ones read while it is
// in the nearest cache.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

class Turns {
 public:
  Turns(const Graph& graph, const Storage& storage, const Pass& pass)
      : graph_(graph), storage_(storage), pass_(pass), defined_(defined_in(graph, pass)) {
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      reads_.push_back(reads_of(graph, graph.sweeps[k]));
    }
  }

  // By sweep of the graph.
  void note(std::vector<bool>& by_turns) const {
    std::size_t first = pass_.first;
    for (std::size_t k = pass_.first + 1; k < pass_.end; ++k) {
      by_turns[k] = at_one_plane(k) && joins(first, k);
      if (!by_turns[k]) first = k;
    }
  }

 private:
  bool at_one_plane(std::size_t k) const {
    return pass_.lags[k - pass_.first] == pass_.lags[k - 1 - pass_.first];
  }

  // With those from `first` on: are the rows that each of them reads in their plane done, or not
  // overwritten yet?
  bool joins(std::size_t first, std::size_t k) const {
    const std::vector<ValueId>& own = graph_.sweeps[k].defines;
    for (std::size_t earlier = first; earlier < k; ++earlier) {
      for (const ValueId value : graph_.sweeps[earlier].defines) {
        if (reads_a_row(k, value, [](std::int64_t row) { return row > 0; })) return false;
      }
      for (const auto& [value, offsets] : reads_[earlier - pass_.first]) {
        if (defined_.contains(value) || !is_overwritten(value, own)) continue;
        if (reads_a_row(earlier, value, [](std::int64_t row) { return row < 0; })) return false;
      }
    }
    return true;
  }

  template <class Where>
  bool reads_a_row(std::size_t sweep, ValueId value, const Where& where) const {
    const auto found = reads_[sweep - pass_.first].find(value);
    if (found == reads_[sweep - pass_.first].end()) return false;
    return std::ranges::any_of(
        found->second, [&](const Offset& offset) { return offset[0] == 0 && where(offset[1]); });
  }

  bool is_overwritten(ValueId value, const std::vector<ValueId>& by) const {
    const std::size_t slot = storage_.of.at(value);
    return std::ranges::any_of(by, [&](ValueId written) {
      const auto found = storage_.of.find(written);
      return found != storage_.of.end() && found->second == slot;
    });
  }

  const Graph& graph_;
  const Storage& storage_;
  const Pass& pass_;
  std::set<ValueId> defined_;
  std::vector<Reads> reads_;  // of the pass
};

}  // namespace

std::vector<bool> turns(const Graph& graph, const Storage& storage) {
  std::vector<bool> by_turns(graph.sweeps.size(), false);
  for (const Pass& pass : graph.passes) {
    if (pass.tiled() && !pass.teams) Turns(graph, storage, pass).note(by_turns);
  }
  return by_turns;
}

void keep_turns(const Graph& graph, const std::vector<std::int64_t>& rows_at_once,
                std::vector<bool>& by_turns, std::vector<Step>& steps) {
  const auto one_row = [&](std::size_t k) { return rows_at_once.empty() || rows_at_once[k] == 1; };
  for (std::size_t k = 1; k < by_turns.size(); ++k) {
    if (!by_turns[k]) continue;
    by_turns[k] = one_row(k) && one_row(k - 1);
    if (!by_turns[k]) continue;
    steps.push_back(taken(
        "tile", site_of(graph, graph.sweeps[k]),
        {.before = "behind the sweep before, a plane of a tile each",
         .after = "by turns with it, row by row",
         .condition = "of what they store in their plane none reads rows that are not done, nor "
                      "such as are overwritten",
         .decider = "offsets"}));
  }
}

}  // namespace rhopsi::schedule
