// Several rows in one loop (unroll-and-jam): of arrays that rows side by side both read, each
// element is loaded once for all of them.
#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// As many as were measured where no bound is given, and how much of the accesses each doubling has
// to save.
constexpr std::int64_t most_found = 4;
constexpr double saved_by_doubling = 1.0 / 8;
// Compilers have an address for each element that a loop loads or stores. Of a processor's general
// registers so many are left for them; the others are loaded each time, by a port that vectors do
// not need: a third of what a vector takes.
constexpr double addresses_in_registers = 11;
constexpr double of_an_address = 1.0 / 3;

using Loads = std::set<std::pair<ValueId, Offset>>;

// What so many rows of the sweep load for each index of the last axis.
Loads loads_of_rows(const Graph& graph, const Sweep& sweep, std::int64_t rows) {
  Loads loads;
  for (const auto& [value, offsets] : reads_of(graph, sweep)) {
    for (Offset offset : offsets) {
      if (rows == 1 || offset.size() < 2) {
        loads.insert({value, std::move(offset)});
        continue;
      }
      std::int64_t& row = offset[offset.size() - 2];
      for (std::int64_t k = 0; k < rows; ++k, ++row) loads.insert({value, offset});
    }
  }
  return loads;
}

// Accesses of the nearest cache for an element but for its stores: loads, those beside a line's
// beginning twice, since each other one crosses lines, and addresses.
double accesses_of(const Graph& graph, const Sweep& sweep, std::int64_t rows) {
  const Loads loads = loads_of_rows(graph, sweep, rows);
  const auto across = std::ranges::count_if(
      loads, [](const auto& load) { return !load.second.empty() && load.second.back() != 0; });
  const auto count = static_cast<double>(loads.size());
  const auto stores = static_cast<double>(rows) * static_cast<double>(sweep.defines.size());
  const double addresses = std::max(0.0, count + stores - addresses_in_registers);
  return (count + static_cast<double>(across) + of_an_address * addresses) /
         static_cast<double>(rows);
}

std::string loads_text(double loads) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", loads);
  return std::string(text) + (loads == 1 ? " load" : " loads") + " an element";
}
std::string rows_text(std::int64_t rows, double loads) {
  return std::to_string(rows) + (rows == 1 ? " row" : " rows") + " in a loop, " + loads_text(loads);
}

class Unrolling {
 public:
  Unrolling(const Graph& graph, const Storage& storage, const Unroll& wanted,
            std::vector<Step>& steps)
      : graph_(graph), storage_(storage), wanted_(wanted), steps_(steps) {}

  // Of each sweep of the pass.
  std::vector<std::int64_t> rows_of(const Pass& pass) {
    std::vector<std::int64_t> found;
    std::vector<Step> told;
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      const Sweep& sweep = graph_.sweeps[k];
      told.push_back(
          refused("unroll", site_of(graph_, sweep),
                  {.before = rows_text(1, loads_of(graph_, sweep, 1).loads), .decider = "form"}));
      found.push_back(decide(pass, sweep, told.back()));
    }
    if (!wanted_.most) prefer_turns(pass, found, told);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Sweep& sweep = graph_.sweeps[pass.first + k];
      told[k].holds = found[k] > 1;
      if (told[k].holds) {
        told[k].after = rows_text(found[k], loads_of(graph_, sweep, found[k]).loads);
      }
      steps_.push_back(std::move(told[k]));
    }
    return found;
  }

 private:
  // Two rows at once are worth less than turns, if the sweep that can take them with this one has
  // no more rows either.
  void prefer_turns(const Pass& pass, std::vector<std::int64_t>& found,
                    std::vector<Step>& told) const {
    std::vector<bool> takes_turns(found.size(), false);
    for (std::size_t k = 1; k < found.size(); ++k) {
      if (!wanted_.by_turns[pass.first + k] || std::max(found[k - 1], found[k]) > 2) continue;
      takes_turns[k - 1] = takes_turns[k] = true;
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!takes_turns[k] || found[k] == 1) continue;
      told[k].condition =
          "two rows at once save loads, but one by one they come by turns with those of another "
          "sweep, and what one stores is near when the next reads it";
      found[k] = 1;
    }
  }

  std::int64_t decide(const Pass& pass, const Sweep& sweep, Step& step) const {
    if (wanted_.device || pass.teams) {
      step.condition = "a loop goes over a row, but a thread of a device has one element";
      step.decider = "target";
      return 1;
    }
    if (graph_.rank() == 1) {
      step.condition = "rows lie side by side, but of one axis there is one row";
      return 1;
    }
    if (graph_.rank() == 2 && pass.pipelined()) {
      step.condition = "rows lie side by side in a plane, but of two axes a plane is one row";
      return 1;
    }
    if (!wanted_.rows && !pass.pipelined()) {
      step.condition = "a loop goes over a row, but there is one loop per axis";
      return 1;
    }
    step.decider = "offsets";
    if (!apart(pass, sweep, step)) return 1;
    return count_of(sweep, step);
  }

  // No row of a loop may read what another one writes: what lies where the sweep stores is read at
  // its own row alone, or of other planes, which no row of the loop writes.
  bool apart(const Pass& pass, const Sweep& sweep, Step& step) const {
    step.condition = "no row of the loop reads what another one writes";
    std::set<std::size_t> written;
    for (const ValueId value : sweep.defines) {
      const auto slot = storage_.of.find(value);
      if (slot != storage_.of.end()) written.insert(slot->second);
    }
    for (const auto& [value, offsets] : reads_of(graph_, sweep)) {
      const auto slot = storage_.of.find(value);
      if (slot == storage_.of.end() || !written.contains(slot->second)) continue;
      for (const Offset& offset : offsets) {
        const bool other_plane = pass.pipelined() && offset.front() != 0;
        if (other_plane || offset[offset.size() - 2] == 0) continue;
        const auto example = least_example(graph_, sweep, offset);
        step.condition +=
            ", but " + graph_[value].name + " is read at " + to_string(offset) + " and overwritten";
        step.counterexample =
            (example ? "on " + example->first + " the row of element 0 needs " +
                           graph_[value].name + " at " + to_string(example->second)
                     : "a row needs " + graph_[value].name + " at " + to_string(offset) +
                           " from its own") +
            ", which a row beside it writes";
        return false;
      }
    }
    return true;
  }

  std::int64_t count_of(const Sweep& sweep, Step& step) const {
    const double one = accesses_of(graph_, sweep, 1);
    if (loads_of(graph_, sweep, 2).loads >= loads_of(graph_, sweep, 1).loads) {
      step.condition = "rows side by side read rows in common, but no two of them do";
      return 1;
    }
    if (wanted_.most) return *wanted_.most;
    if (chooses_by_row(sweep)) {
      step.condition =
          "rows side by side read rows in common, but which ones is chosen by the place of each";
      step.decider = "form";
      return 1;
    }
    std::int64_t found = 1;
    while (2 * found <= most_found && saves(sweep, found)) found *= 2;
    if (found > 1) return found;
    char text[160];
    std::snprintf(
        text, sizeof text,
        "two rows save an eighth of the accesses of the nearest cache, addresses that are "
        "loaded counted as a third, but it is %.3g instead of %.3g",
        accesses_of(graph_, sweep, 2), one);
    step.condition = text;
    step.decider = "count of accesses";
    return 1;
  }
  // A row that is chosen in front of a loop is another one for each row of it, also where it is the
  // same in memory.
  bool chooses_by_row(const Sweep& sweep) const {
    std::set<NodeId> seen;
    const auto chooses = [&](const auto& self, NodeId id) -> bool {
      if (!seen.insert(id).second) return false;
      const Node& node = graph_[id];
      const bool choice =
          node.kind == Node::Kind::scalar && node.shell.kind == onf::Expr::Kind::if_;
      if (choice && has_position(graph_, node.operands[0], graph_.rank() - 2)) return true;
      return std::ranges::any_of(node.operands, [&](NodeId part) { return self(self, part); });
    };
    return std::ranges::any_of(
        sweep.defines, [&](ValueId value) { return chooses(chooses, graph_[value].definition); });
  }
  bool saves(const Sweep& sweep, std::int64_t rows) const {
    return accesses_of(graph_, sweep, 2 * rows) <=
           (1 - saved_by_doubling) * accesses_of(graph_, sweep, rows);
  }

  const Graph& graph_;
  const Storage& storage_;
  const Unroll& wanted_;
  std::vector<Step>& steps_;
};

}  // namespace

RowLoads loads_of(const Graph& graph, const Sweep& sweep, std::int64_t rows) {
  const Loads loads = loads_of_rows(graph, sweep, rows);
  Loads followed;
  for (const auto& [value, offset] : loads) {
    Offset row = offset;
    if (!row.empty()) row.pop_back();
    followed.insert({value, std::move(row)});
  }
  const auto each = static_cast<double>(rows);
  return {static_cast<double>(loads.size()) / each, static_cast<double>(followed.size()) / each};
}

std::vector<std::int64_t> unroll(const Graph& graph, const Storage& storage, const Unroll& wanted,
                                 std::vector<Step>& steps) {
  std::vector<std::int64_t> made(graph.sweeps.size(), 1);
  Unrolling unrolling(graph, storage, wanted, steps);
  for (const Pass& pass : graph.passes) {
    std::ranges::copy(unrolling.rows_of(pass), made.begin() + std::ptrdiff_t(pass.first));
  }
  return made;
}

}  // namespace rhopsi::schedule
