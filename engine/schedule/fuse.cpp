#include <algorithm>

#include "engine/schedule/made_by.hpp"
#include "engine/schedule/settled.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

// What keeps a sweep out of a pass: a value of it that is read elsewhere.
struct Reason {
  ValueId value;
  Offset offset;
};
std::optional<Reason> obstacle(const Reads& reads, const Sweep& pass) {
  for (const ValueId defined : pass.defines) {
    const auto found = reads.find(defined);
    if (found == reads.end()) continue;
    for (const Offset& offset : found->second) {
      if (!at_own_point({offset})) return Reason{defined, offset};
    }
  }
  return std::nullopt;
}

bool reads_from(const Reads& reads, const Sweep& pass) {
  return std::ranges::any_of(pass.defines,
                             [&](ValueId defined) { return reads.contains(defined); });
}

// Definitions of a pass in terms of what was there before it.
void forward(Graph& graph, const Sweep& pass) {
  std::map<ValueId, NodeId> defined;
  for (const ValueId value : pass.defines) {
    graph[value].definition = settled(graph, graph.forwarded(graph[value].definition, defined));
    defined.emplace(value, graph[value].definition);
  }
}

}  // namespace

void drop_unused(Graph& graph, std::vector<Step>& steps) {
  for (std::size_t k = graph.sweeps.size(); k-- > 0;) {
    const auto last = last_uses(graph);
    std::vector<ValueId>& defines = graph.sweeps[k].defines;
    std::erase_if(defines, [&](ValueId value) {
      if (last.contains(value)) return false;
      steps.push_back(taken("drop", site_of(graph, value),
                            {.before = graph[value].name + " is stored",
                             .after = "it is not",
                             .condition = "no later sweep reads it and it is no result",
                             .decider = "live ranges"}));
      add_step(graph.sweeps[k].made_by, "drop");
      return true;
    });
    if (defines.empty()) graph.sweeps.erase(graph.sweeps.begin() + std::ptrdiff_t(k));
  }
}

namespace {

// Puts sweeps into passes, one after the other.
class Fusing {
 public:
  Fusing(Graph& graph, std::optional<std::int64_t> most, std::vector<Step>& steps)
      : graph_(graph), most_(most), steps_(steps) {}

  std::vector<Sweep> run() {
    for (const Sweep& sweep : graph_.sweeps) add(sweep);
    return std::move(passes_);
  }

 private:
  static constexpr const char* alone = "a pass of its own";

  bool has_room(const Sweep& pass, const Sweep& sweep) const {
    return !most_ || std::ssize(pass.defines) + std::ssize(sweep.defines) <= *most_;
  }

  void add(const Sweep& sweep) {
    const Reads reads = reads_of(graph_, sweep);
    std::size_t first = 0;
    std::optional<Reason> reason;
    for (std::size_t p = 0; p < passes_.size(); ++p) {
      if (const auto found = obstacle(reads, passes_[p])) {
        first = p + 1;
        reason = found;
      } else if (reads_from(reads, passes_[p])) {
        first = p;
      }
    }
    const bool allowed = first < passes_.size();
    while (first < passes_.size() && !has_room(passes_[first], sweep)) ++first;
    if (first == passes_.size()) {
      if (allowed || reason) refuse(sweep, allowed ? std::nullopt : reason);
      passes_.push_back(sweep);
      return;
    }
    Sweep& pass = passes_[first];
    steps_.push_back(taken("fuse", site_of(graph_, sweep),
                           {.before = alone,
                            .after = "the pass of " + some_names_of(pass),
                            .condition = "what it reads of that pass it reads at its own index",
                            .decider = "offsets"}));
    pass.defines.insert(pass.defines.end(), sweep.defines.begin(), sweep.defines.end());
    for (const std::string& before : sweep.made_by) add_step(pass.made_by, before);
    add_step(pass.made_by, "fuse");
    add_statements(pass, sweep.location, sweep);
  }

  // The first few, so that what is told of a pass of many does not grow with their square.
  std::string some_names_of(const Sweep& pass) const {
    constexpr std::size_t most = 6;
    if (pass.defines.size() <= most + 1) return names_of(graph_, pass);
    const Sweep few{{pass.defines.begin(), pass.defines.begin() + most}, pass.location};
    return names_of(graph_, few) + " and " + std::to_string(pass.defines.size() - most) + " more";
  }

  // Without a reason the passes are full.
  void refuse(const Sweep& sweep, const std::optional<Reason>& reason) {
    Step step = refused("fuse", site_of(graph_, sweep), {.before = alone, .decider = "offsets"});
    if (reason) {
      const std::string& name = graph_[reason->value].name;
      step.condition = "what it reads of the pass before it reads at its own index, but " + name +
                       " is read at " + to_string(reason->offset);
      const auto example = least_example(graph_, sweep, reason->offset);
      step.counterexample = (example ? "on " + example->first + " element " +
                                           to_string(Offset(reason->offset.size(), 0)) + " needs " +
                                           name + " at " + to_string(example->second)
                                     : "an element needs " + name + " at " +
                                           to_string(reason->offset) + " from its own index") +
                            ", which the same pass may not have computed yet";
    } else {
      step.condition = "a pass defines no more values than the recipe says, " +
                       std::to_string(*most_) + ", and those there are full";
    }
    steps_.push_back(std::move(step));
  }

  Graph& graph_;
  std::optional<std::int64_t> most_;
  std::vector<Step>& steps_;
  std::vector<Sweep> passes_;
};

}  // namespace

void fuse(Graph& graph, std::optional<std::int64_t> most, std::vector<Step>& steps) {
  graph.sweeps = Fusing(graph, most, steps).run();
  for (const Sweep& pass : graph.sweeps) forward(graph, pass);
  drop_unused(graph, steps);
}

}  // namespace rhopsi::schedule
