#include <algorithm>
#include <set>

#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

class Placing {
 public:
  Placing(const Graph& graph, const onf::Function& function, bool in_place,
          std::vector<Step>& steps)
      : graph_(graph),
        function_(function),
        in_place_(in_place),
        steps_(steps),
        last_(last_uses(graph)) {}

  Storage run() {
    for (std::size_t k = 0; k < graph_.values.size(); ++k) {
      const Value& value = graph_.values[k];
      if (!value.argument) continue;
      const auto id = static_cast<ValueId>(k);
      hold(id, {value.element, value.argument, value.name});
    }
    for (const Result& result : graph_.results) wanted_.emplace(result.value, result.argument);
    for (std::size_t k = 0; k < graph_.sweeps.size(); ++k) {
      const Reads reads = reads_of(graph_, graph_.sweeps[k]);
      std::set<std::size_t> taken;
      for (const ValueId value : graph_.sweeps[k].defines) {
        const std::size_t slot = slot_for(value, k, reads, taken);
        taken.insert(slot);
        made_.of[value] = slot;
        holds_[slot] = value;
      }
    }
    return std::move(made_);
  }

 private:
  std::size_t hold(ValueId value, Slot slot) {
    made_.slots.push_back(std::move(slot));
    holds_.push_back(value);
    made_.of[value] = made_.slots.size() - 1;
    return made_.slots.size() - 1;
  }

  // Why the block cannot be written in sweep `k`; empty where it can.
  std::string obstacle(std::size_t slot, std::size_t k, const Reads& reads,
                       const std::set<std::size_t>& taken) const {
    const Value& held = graph_[holds_[slot]];
    if (taken.contains(slot)) return "another value of the pass is put there";
    const auto last = last_.find(holds_[slot]);
    if (last == last_.end() || last->second < k) return {};
    if (last->second > k) return held.name + " is needed after this pass";
    const auto read = reads.find(holds_[slot]);
    if (read == reads.end()) return {};
    for (const Offset& offset : read->second) {
      if (!at_own_point({offset})) {
        return held.name + " is read at " + to_string(offset) + " in this pass";
      }
    }
    return in_place_ ? "" : "the recipe has no in-place step";
  }

  std::size_t slot_for(ValueId value, std::size_t k, const Reads& reads,
                       const std::set<std::size_t>& taken) {
    if (const auto found = wanted_.find(value); found != wanted_.end()) {
      if (const auto slot = own_block(value, found->second, k, reads, taken)) return *slot;
    }
    const onf::Scalar element = graph_[value].element;
    for (std::size_t slot = 0; slot < made_.slots.size(); ++slot) {
      if (made_.slots[slot].argument || made_.slots[slot].element != element) continue;
      if (obstacle(slot, k, reads, taken).empty()) return slot;
    }
    return hold(value, {element, std::nullopt, graph_[value].name});
  }

  // A result in the block of the argument that it becomes.
  std::optional<std::size_t> own_block(ValueId value, std::size_t argument, std::size_t k,
                                       const Reads& reads, const std::set<std::size_t>& taken) {
    if (function_.arguments[argument].mode != term::Mode::upd) return std::nullopt;
    const auto slot = std::ranges::find_if(
        made_.slots, [&](const Slot& one) { return one.argument == argument; });
    if (slot == made_.slots.end()) return std::nullopt;
    const auto at = static_cast<std::size_t>(slot - made_.slots.begin());
    const std::string reason = obstacle(at, k, reads, taken);
    Step step{"in-place",
              graph_.name() + ": " + graph_[value].name,
              "a block of its own",
              reason.empty() ? "the block of its argument" : "a block of its own",
              "what lies there is not needed later, and read at its own index alone until then",
              reason.empty(),
              "live ranges"};
    if (!reason.empty()) step.condition += ", but " + reason;
    steps_.push_back(std::move(step));
    return reason.empty() ? std::optional(at) : std::nullopt;
  }

  const Graph& graph_;
  const onf::Function& function_;
  bool in_place_;
  std::vector<Step>& steps_;
  std::map<ValueId, std::size_t> last_;
  std::map<ValueId, std::size_t> wanted_;
  Storage made_;
  std::vector<ValueId> holds_;  // by slot: the value that was put there last
};

}  // namespace

Storage place(const Graph& graph, const onf::Function& function, bool in_place,
              std::vector<Step>& steps) {
  return Placing(graph, function, in_place, steps).run();
}

}  // namespace rhopsi::schedule
