#include "engine/schedule/cost.hpp"

#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

// Operations of expressions, without those of which no index is in: these are done once.
class Operations {
 public:
  explicit Operations(const Graph& graph) : graph_(graph) {}

  std::uint64_t as_trees(const Sweep& sweep) {
    std::uint64_t sum = 0;
    for (const ValueId value : sweep.defines) sum = plus(sum, count(graph_[value].definition).tree);
    return sum;
  }
  std::uint64_t distinct(const Sweep& sweep) {
    std::unordered_set<NodeId> seen;
    std::uint64_t sum = 0;
    for (const ValueId value : sweep.defines) visit(graph_[value].definition, seen, sum);
    return sum;
  }

 private:
  struct Count {
    std::uint64_t tree = 0;
    bool varies = false;
  };

  // An expression that is shared throughout has more nodes as a tree than there are numbers.
  static std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() - b
               ? std::numeric_limits<std::uint64_t>::max()
               : a + b;
  }

  Count count(NodeId id) {
    if (const auto found = counts_.find(id); found != counts_.end()) return found->second;
    const Node& node = graph_[id];
    Count made{0, node.kind != Node::Kind::scalar};
    for (const NodeId operand : node.operands) {
      const Count part = count(operand);
      made.tree = plus(made.tree, part.tree);
      made.varies = made.varies || part.varies;
    }
    if (!made.varies) made.tree = 0;
    if (made.varies && !node.operands.empty()) made.tree = plus(made.tree, 1);
    counts_.emplace(id, made);
    return made;
  }

  void visit(NodeId id, std::unordered_set<NodeId>& seen, std::uint64_t& sum) {
    if (!count(id).varies || !seen.insert(id).second) return;
    if (!graph_[id].operands.empty()) ++sum;
    for (const NodeId operand : graph_[id].operands) visit(operand, seen, sum);
  }

  const Graph& graph_;
  std::unordered_map<NodeId, Count> counts_;
};

// Of the sweeps [first, end) as one; `stored` says what goes to memory.
template <class Stored>
PassCost pass_of(const Graph& graph, std::size_t first, std::size_t end, bool share,
                 Operations& operations, const Stored& stored) {
  PassCost cost;
  std::set<ValueId> defined, read;
  for (std::size_t k = first; k < end; ++k) {
    const Sweep& sweep = graph.sweeps[k];
    if (!sweep.fetch) cost.label += (cost.label.empty() ? "" : "; ") + names_of(graph, sweep);
    cost.operations += share ? operations.distinct(sweep) : operations.as_trees(sweep);
    defined.insert(sweep.defines.begin(), sweep.defines.end());
    for (const auto& [value, offsets] : reads_of(graph, sweep)) read.insert(value);
  }
  for (const ValueId value : read) {
    if (defined.contains(value)) continue;
    ++cost.reads;
    cost.bytes += onf::bytes_of(graph[value].element);
  }
  for (const ValueId value : defined) {
    if (!stored(value)) continue;
    ++cost.writes;
    cost.bytes += onf::bytes_of(graph[value].element);
  }
  return cost;
}

std::string counted(std::uint64_t number, const std::string& what) {
  return std::to_string(number) + " " + what +
         (number == 1              ? ""
          : what.ends_with("pass") ? "es"
                                   : "s");
}

void add_halo(const onf::Halo& halo, Cost& cost) {
  std::int64_t layers = 0;
  for (const onf::Margin& margin : halo.axes) layers += margin.low + margin.high;
  cost.layers += layers;
  if (layers > 0) ++cost.refills;
}

}  // namespace

Cost cost_of(const Graph& graph) {
  Cost cost;
  Operations operations(graph);
  for (std::size_t k = 0; k < graph.sweeps.size(); ++k) {
    cost.passes.push_back(
        pass_of(graph, k, k + 1, false, operations, [](ValueId) { return true; }));
    cost.blocks += graph.sweeps[k].defines.size();
  }
  return cost;
}

Cost cost_of(const Graph& graph, const Storage& storage, bool share) {
  Cost cost;
  Operations operations(graph);
  for (const Pass& pass : graph.passes) {
    cost.passes.push_back(pass_of(graph, pass.first, pass.end, share, operations,
                                  [&](ValueId value) { return storage.of.contains(value); }));
  }
  for (const Slot& slot : storage.slots) cost.blocks += slot.argument ? 0 : 1;
  return cost;
}

namespace {

// What a pipeline fills of an array that it overwrites is fresh when the function is called again.
std::set<onf::ViewId> filled_behind(const onf::Statements& body) {
  std::set<onf::ViewId> filled;
  for (const onf::Statement& statement : body) {
    const auto* pipeline = std::get_if<onf::Pipeline>(&statement.form);
    if (pipeline == nullptr) continue;
    for (const onf::Pipeline::Fill& fill : pipeline->fills) filled.insert(fill.view);
  }
  return filled;
}

void add_planes(const onf::Pipeline& pipeline, Cost& cost) {
  for (const onf::Pipeline::Fill& fill : pipeline.fills) add_halo(fill.halo, cost);
  for (const onf::Pipeline::Ring& ring : pipeline.rings) {
    add_halo(ring.halo, cost);
    cost.planes += ring.planes;
  }
}

}  // namespace

void count_refills(const onf::Module& module, const onf::Statements& body, Cost& cost) {
  const auto whole = [&] {
    if (module.pad == 0) return;
    ++cost.refills;
    cost.layers += 2 * module.pad * module.rank;
  };
  const std::set<onf::ViewId> filled = filled_behind(body);
  for (const onf::Statement& statement : body) {
    if (const auto* refill = std::get_if<onf::Refill>(&statement.form)) {
      if (!refill->halo) whole();
      if (refill->halo && !filled.contains(refill->view)) add_halo(*refill->halo, cost);
    } else if (const auto* mutate = std::get_if<onf::Mutate>(&statement.form)) {
      if (mutate->refills) whole();
    } else if (const auto* scope = std::get_if<onf::Scope>(&statement.form)) {
      count_refills(module, scope->body, cost);
    } else if (const auto* call = std::get_if<onf::Call>(&statement.form)) {
      if (call->call.kind == onf::Expr::Kind::call) {
        count_refills(module, module.functions[onf::number(call->call.callee)].body, cost);
      }
    } else if (const auto* pipeline = std::get_if<onf::Pipeline>(&statement.form)) {
      add_planes(*pipeline, cost);
    }
  }
}

std::int64_t Cost::bytes() const {
  std::int64_t sum = 0;
  for (const PassCost& pass : passes) sum += pass.bytes;
  return sum;
}
std::uint64_t Cost::operations() const {
  std::uint64_t sum = 0;
  for (const PassCost& pass : passes) sum += pass.operations;
  return sum;
}

bool waits_for_memory(const Cost& cost) {
  return 2 * cost.operations() < 5 * static_cast<std::uint64_t>(cost.bytes());
}

std::string to_string(const Cost& cost) {
  std::string text = counted(cost.passes.size(), "pass") + " over memory, " +
                     counted(std::uint64_t(cost.bytes()), "byte") + " and " +
                     counted(cost.operations(), "operation") + " per element, " +
                     counted(cost.refills, "refill");
  if (cost.refills > 0) text += " of " + counted(std::uint64_t(cost.layers), "layer") + " of pads";
  text += ", " + counted(cost.blocks, "block") + " besides the arguments";
  if (cost.planes > 0) text += ", " + counted(std::uint64_t(cost.planes), "plane") + " in rings";
  text += "\n";
  for (const PassCost& pass : cost.passes) {
    text += "  " + pass.label + ": reads " + counted(pass.reads, "array") + ", writes " +
            std::to_string(pass.writes) + ", " + counted(std::uint64_t(pass.bytes), "byte") + ", " +
            counted(pass.operations, "operation") + "\n";
  }
  return text;
}

}  // namespace rhopsi::schedule
