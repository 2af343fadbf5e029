// Values that are computed where they are read, instead of being stored.
#include <algorithm>
#include <set>

#include "engine/schedule/made_by.hpp"
#include "engine/schedule/settled.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

class Inlining {
 public:
  Inlining(Graph& graph, std::int64_t most, std::vector<Step>& steps)
      : graph_(graph), most_(most), steps_(steps) {
    for (const Result& result : graph.results) kept_.insert(result.value);
    if (graph.returned) kept_.insert(*graph.returned);
  }

  void run() {
    for (std::size_t k = 0; k < graph_.sweeps.size(); ++k) {
      const std::vector<ValueId> defines = graph_.sweeps[k].defines;
      for (const ValueId value : defines) {
        if (kept_.contains(value)) {
          refuse_result(value, k);
        } else {
          consider(value, k);
        }
      }
    }
    std::erase_if(graph_.sweeps, [](const Sweep& sweep) { return sweep.defines.empty(); });
  }

 private:
  // The sweeps that read the value, and the offsets.
  std::map<std::size_t, std::vector<Offset>> readers_of(ValueId value, std::size_t from) const {
    std::map<std::size_t, std::vector<Offset>> readers;
    for (std::size_t k = from + 1; k < graph_.sweeps.size(); ++k) {
      const Reads reads = reads_of(graph_, graph_.sweeps[k]);
      if (const auto found = reads.find(value); found != reads.end()) readers[k] = found->second;
    }
    return readers;
  }

  void consider(ValueId value, std::size_t k) {
    const auto readers = readers_of(value, k);
    if (readers.empty()) return;
    Step step = refused("inline", site_of(graph_, value), {.before = "stored", .decider = "count"});
    std::map<Offset, NodeId> at;
    std::size_t times = 0;
    for (const auto& [reader, offsets] : readers) {
      for (const Offset& offset : offsets) {
        const auto moved = graph_.shifted(graph_[value].definition, offset);
        if (!moved) return refuse_moved(std::move(step), value, offset);
        at[offset] = *moved;
        ++times;
      }
    }
    const double again =
        static_cast<double>(times - 1) * operations_of(graph_, graph_[value].definition);
    step.condition = "at most " + std::to_string(most_) +
                     (most_ == 1 ? " operation is" : " operations are") +
                     " computed again for each element";
    step.holds = again <= static_cast<double>(most_);
    if (!step.holds) {
      step.condition += ", but these would be " + std::to_string(std::int64_t(again));
    } else {
      step.after = "computed where it is read, at " + std::to_string(times) +
                   (times == 1 ? " offset" : " offsets");
      for (const auto& [reader, offsets] : readers) {
        replace(reader, value, at);
        add_statements(graph_.sweeps[reader], graph_.sweeps[k].location, graph_.sweeps[k]);
      }
      std::erase(graph_.sweeps[k].defines, value);
    }
    steps_.push_back(std::move(step));
  }

  void refuse_result(ValueId value, std::size_t k) {
    if (readers_of(value, k).empty()) return;
    steps_.push_back(refused("inline", site_of(graph_, value),
                             {.before = "stored",
                              .condition = "it would not be stored, but it is a result",
                              .decider = "live ranges"}));
  }

  void refuse_moved(Step step, ValueId value, const Offset& offset) {
    step.decider = "offsets";
    step.condition = "what it is computed from is at a distance from its index, but " +
                     graph_[value].name + " is computed from the index itself and read at " +
                     to_string(offset);
    steps_.push_back(std::move(step));
  }

  void replace(std::size_t reader, ValueId value, const std::map<Offset, NodeId>& at) {
    add_step(graph_.sweeps[reader].made_by, "inline");
    for (const ValueId defined : graph_.sweeps[reader].defines) {
      const NodeId made =
          graph_.replaced(graph_[defined].definition, [&](NodeId id) -> std::optional<NodeId> {
            const Node& node = graph_[id];
            if (node.kind != Node::Kind::load || node.value != value) return std::nullopt;
            return at.at(node.offset);
          });
      graph_[defined].definition = settled(graph_, made);
    }
  }

  Graph& graph_;
  std::int64_t most_;
  std::vector<Step>& steps_;
  std::set<ValueId> kept_;
};

}  // namespace

void inline_values(Graph& graph, std::int64_t most, std::vector<Step>& steps) {
  Inlining(graph, most, steps).run();
}

}  // namespace rhopsi::schedule
