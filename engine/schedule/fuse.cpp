#include <algorithm>

#include "engine/schedule/steps.hpp"

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
    graph[value].definition = graph.forwarded(graph[value].definition, defined);
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
      steps.push_back({"drop", graph.name() + ": " + graph[value].name,
                       graph[value].name + " is stored", "it is not",
                       "no later sweep reads it and it is no result", true, "live ranges"});
      return true;
    });
    if (defines.empty()) graph.sweeps.erase(graph.sweeps.begin() + std::ptrdiff_t(k));
  }
}

void fuse(Graph& graph, std::vector<Step>& steps) {
  std::vector<Sweep> passes;
  for (const Sweep& sweep : graph.sweeps) {
    const Reads reads = reads_of(graph, sweep);
    std::size_t first = 0;
    std::optional<Reason> reason;
    for (std::size_t p = 0; p < passes.size(); ++p) {
      if (const auto found = obstacle(reads, passes[p])) {
        first = p + 1;
        reason = found;
      } else if (reads_from(reads, passes[p])) {
        first = p;
      }
    }
    Step step{"fuse", graph.name() + ": " + names_of(graph, sweep), "", "", "", true, "offsets"};
    if (first < passes.size()) {
      step.before = "a pass of its own";
      step.after = "the pass of " + names_of(graph, passes[first]);
      step.condition = "what it reads of that pass it reads at its own index";
      Sweep& pass = passes[first];
      pass.defines.insert(pass.defines.end(), sweep.defines.begin(), sweep.defines.end());
      steps.push_back(std::move(step));
      continue;
    }
    if (reason) {
      step.holds = false;
      step.before = step.after = "a pass of its own";
      step.condition = "what it reads of the pass before it reads at its own index, but " +
                       graph[reason->value].name + " is read at " + to_string(reason->offset);
      steps.push_back(std::move(step));
    }
    passes.push_back(sweep);
  }
  graph.sweeps = std::move(passes);
  for (const Sweep& pass : graph.sweeps) forward(graph, pass);
  drop_unused(graph, steps);
}

}  // namespace rhopsi::schedule
