#include <algorithm>
#include <set>
#include <utility>

#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

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
    for (const Pass& pass : graph_.passes) write(pass);
    return std::move(made_);
  }

 private:
  static constexpr const char* own_block = "a block of its own";

  std::size_t hold(ValueId value, Slot slot) {
    made_.slots.push_back(std::move(slot));
    holds_.push_back(value);
    made_.of[value] = made_.slots.size() - 1;
    return made_.slots.size() - 1;
  }

  void write(const Pass& pass) {
    pass_ = &pass;
    reads_.clear();
    taken_.clear();
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      reads_.push_back(reads_of(graph_, graph_.sweeps[k]));
    }
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const ValueId value : graph_.sweeps[k].defines) {
        const auto last = last_.find(value);
        if (pass.pipelined() && last != last_.end() && last->second < pass.end) continue;
        const std::size_t slot = slot_for(value, k);
        taken_.insert(slot);
        made_.of[value] = slot;
        holds_[slot] = value;
      }
    }
  }

  struct Obstacle {
    std::string reason;
    std::string counterexample;
  };
  // Why the block cannot be written in sweep `k` of the pass; empty where it can.
  Obstacle obstacle(std::size_t slot, std::size_t k) const {
    const Value& held = graph_[holds_[slot]];
    if (taken_.contains(slot)) return {"another value of the pass is put there", {}};
    const auto last = last_.find(holds_[slot]);
    if (last == last_.end() || last->second < pass_->first) return {};
    if (last->second >= pass_->end) return {held.name + " is needed after this pass", {}};
    bool read = false;
    for (std::size_t reader = pass_->first; reader < pass_->end; ++reader) {
      const Reads& reads = reads_[reader - pass_->first];
      const auto found = reads.find(holds_[slot]);
      if (found == reads.end()) continue;
      read = true;
      for (const Offset& offset : found->second) {
        if (read_before(reader, offset, k)) continue;
        const char* teams = pass_->teams ? ", and no team waits for another" : "";
        return {held.name + " is read at " + to_string(offset) + " in this pass" + teams,
                counterexample(held.name, graph_.sweeps[reader], offset)};
      }
    }
    if (!read || in_place_) return {};
    return {"the recipe has no in_place step", {}};
  }

  // Of a pass over all indices in any order; planes come in theirs.
  std::string counterexample(const std::string& name, const Sweep& sweep,
                             const Offset& offset) const {
    if (pass_->pipelined() || at_own_point({offset})) return {};
    const auto example = least_example(graph_, sweep, offset);
    if (!example) {
      return name + " at " + to_string(offset) +
             " from an element may be overwritten before that has read it";
    }
    return "on " + example->first + " " + name + " at " + to_string(example->second) +
           " may be overwritten before element " + to_string(Offset(offset.size(), 0)) +
           " has read it";
  }

  // Does sweep `reader` read with this offset before sweep `k` of the same pass writes there?
  bool read_before(std::size_t reader, const Offset& offset, std::size_t k) const {
    if (pass_->teams) return false;
    const bool planes = pass_->pipelined() && graph_.rank() > 1;
    if (reader == k) return at_own_point({offset}) || (planes && offset[0] > 0);
    if (reader > k && !planes) return false;
    const std::int64_t read = pass_->lags[reader - pass_->first] - offset[0];
    const std::int64_t written = pass_->lags[k - pass_->first];
    return reader < k ? read <= written : read < written;
  }

  std::size_t slot_for(ValueId value, std::size_t k) {
    if (const auto found = wanted_.find(value); found != wanted_.end()) {
      if (const auto slot = block_of_argument(value, found->second, k)) return *slot;
    }
    const onf::Scalar element = graph_[value].element;
    for (std::size_t slot = 0; slot < made_.slots.size(); ++slot) {
      if (made_.slots[slot].argument || made_.slots[slot].element != element) continue;
      if (obstacle(slot, k).reason.empty()) return slot;
    }
    return hold(value, {element, std::nullopt, graph_[value].name});
  }

  // A result in the block of the argument that it becomes, or else in that of another argument. One
  // step in either case, which tells why where it is neither.
  std::optional<std::size_t> block_of_argument(ValueId value, std::size_t argument, std::size_t k) {
    const auto own = own_slot(argument);
    const Obstacle here = own ? obstacle(*own, k) : Obstacle{};
    if (own && here.reason.empty()) {
      if (in_place_) record_taken(value, "the block of its argument", condition());
      return own;
    }
    // Where it is not asked for nothing is said; a block that is free is taken all the same.
    if (!in_place_) return std::nullopt;
    std::vector<Obstacle> obstacles;  // of its own block, and of those of other arguments
    if (own) obstacles.push_back(here);
    std::vector<std::string> unsettled;
    for (std::size_t slot = 0; slot < made_.slots.size(); ++slot) {
      if (!may_change_places(slot, value, argument)) continue;
      const std::string& name = made_.slots[slot].name;
      if (!settled(*made_.slots[slot].argument)) {
        unsettled.push_back(name);
        continue;
      }
      Obstacle other = obstacle_to_change(slot, k);
      if (other.reason.empty()) {
        record_taken(
            value, "the block of " + name + ", and the names change places",
            "what lies there is not needed later, and what " + name + " becomes is there already");
        return slot;
      }
      obstacles.push_back(std::move(other));
    }
    if (!unsettled.empty()) obstacles.push_back({coming_later(unsettled), {}});
    if (own) record_refused(value, obstacles);
    return std::nullopt;
  }

  static std::string coming_later(const std::vector<std::string>& names) {
    const std::size_t more = names.size() - 1;
    if (more == 0) return "what " + names.front() + " becomes comes later";
    return "what " + names.front() + " and " + std::to_string(more) +
           (more == 1 ? " other become comes later" : " others become comes later");
  }

  std::string condition() const {
    return pass_->pipelined()
               ? "what lies there is not needed later, and every plane is read before it is written"
               : "what lies there is not needed later, and this pass reads it at its own index "
                 "alone";
  }
  void record_taken(ValueId value, std::string after, std::string condition) {
    steps_.push_back(taken("in_place", site_of(graph_, value),
                           {.before = own_block,
                            .after = std::move(after),
                            .condition = std::move(condition),
                            .decider = "live ranges"}));
    made_.in_place.insert(value);
  }
  void record_refused(ValueId value, const std::vector<Obstacle>& obstacles) {
    Step step = refused("in_place", site_of(graph_, value),
                        {.before = own_block, .condition = condition(), .decider = "live ranges"});
    if (obstacles.size() > 1)
      step.condition += ", or is so in another block and the names change places";
    for (const auto& [reason, counterexample] : obstacles) {
      step.condition += (&reason == &obstacles.front().reason ? ", but " : ", and ") + reason;
      if (counterexample.empty()) continue;
      step.counterexample += (step.counterexample.empty() ? "" : "; ") + counterexample;
    }
    steps_.push_back(std::move(step));
  }

  // Where the argument is; nothing where what it is at first is not given, or may not be changed.
  std::optional<std::size_t> own_slot(std::size_t argument) const {
    if (function_.arguments[argument].mode != term::Mode::upd) return std::nullopt;
    const auto slot = std::ranges::find_if(
        made_.slots, [&](const Slot& one) { return one.argument == argument; });
    if (slot == made_.slots.end()) return std::nullopt;
    return static_cast<std::size_t>(slot - made_.slots.begin());
  }

  // Of two time levels the new one is written over the old one, and the names change places: the
  // other argument becomes something that is there already.
  bool may_change_places(std::size_t slot, ValueId value, std::size_t argument) const {
    const auto other = made_.slots[slot].argument;
    return other && *other != argument && made_.slots[slot].element == graph_[value].element &&
           function_.arguments[*other].mode == term::Mode::upd;
  }
  // Why it may not be done; empty where it may.
  Obstacle obstacle_to_change(std::size_t slot, std::size_t k) const {
    const std::string& name = made_.slots[slot].name;
    if (taken_.contains(slot))
      return {"another value of the pass is put where " + name + " is", {}};
    return obstacle(slot, k);
  }

  // Nothing that this pass or a later one computes wants the argument's block.
  bool settled(std::size_t argument) const {
    std::set<ValueId> coming;
    for (std::size_t k = pass_->first; k < graph_.sweeps.size(); ++k) {
      coming.insert(graph_.sweeps[k].defines.begin(), graph_.sweeps[k].defines.end());
    }
    return std::ranges::none_of(graph_.results, [&](const Result& result) {
      return result.argument == argument && coming.contains(result.value);
    });
  }

  const Graph& graph_;
  const onf::Function& function_;
  bool in_place_;
  std::vector<Step>& steps_;
  std::map<ValueId, std::size_t> last_;
  std::map<ValueId, std::size_t> wanted_;
  const Pass* pass_ = nullptr;   // that is written
  std::vector<Reads> reads_;     // of each of its sweeps
  std::set<std::size_t> taken_;  // slots that it has written
  Storage made_;
  std::vector<ValueId> holds_;  // by slot: the value that was put there last
};

}  // namespace

Storage place(const Graph& graph, const onf::Function& function, bool in_place,
              std::vector<Step>& steps) {
  return Placing(graph, function, in_place, steps).run();
}

}  // namespace rhopsi::schedule
