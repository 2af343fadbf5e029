#include "engine/schedule/graph.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include <boost/container_hash/hash.hpp>

#include "engine/onf/positions.hpp"

namespace rhopsi::schedule {

namespace {

// What tells nodes apart, as numbers; how many offsets there are tells these from the operands
// behind them.
std::vector<std::int64_t> key_of(const Node& node) {
  const onf::Expr& e = node.shell;
  std::vector<std::int64_t> key;
  key.reserve(13 + node.offset.size() + node.operands.size());
  const auto add = [&key](auto number) { key.push_back(static_cast<std::int64_t>(number)); };
  add(node.kind);
  add(e.kind);
  add(e.type.kind);
  add(e.type.scalar);
  add(e.integer);
  add(std::bit_cast<std::int64_t>(e.real));
  add(e.variable);
  add(e.parameter);
  add(e.callee);
  add(e.function);
  add(e.axis);
  add(node.value);
  add(node.offset.size());
  for (const std::int64_t o : node.offset) add(o);
  for (const NodeId operand : node.operands) add(operand);
  return key;
}

}  // namespace

std::size_t Graph::KeyHash::operator()(const std::vector<std::int64_t>& key) const {
  return boost::hash_range(key.begin(), key.end());
}

NodeId Graph::make(Node node) {
  if (node.kind == Node::Kind::load) {
    const std::vector<bool>& broadcast = (*this)[node.value].broadcast;
    for (std::size_t axis = 0; axis < broadcast.size(); ++axis) {
      if (broadcast[axis]) node.offset[axis] = 0;
    }
  }
  const auto [place, fresh] = known_.try_emplace(key_of(node), static_cast<NodeId>(nodes_.size()));
  if (fresh) nodes_.push_back(std::move(node));
  return place->second;
}

// The node of what its operands become; itself where all stay.
template <class Become>
NodeId Graph::of_operands(NodeId id, const Become& become) {
  std::vector<NodeId> operands = (*this)[id].operands;
  for (NodeId& operand : operands) operand = become(operand);
  if (operands == (*this)[id].operands) return id;
  Node node = (*this)[id];
  node.operands = std::move(operands);
  return make(std::move(node));
}

NodeId Graph::forwarded(NodeId root, const std::map<ValueId, NodeId>& by) {
  std::unordered_map<NodeId, NodeId> done;
  const auto visit = [&](const auto& self, NodeId id) -> NodeId {
    if (const auto found = done.find(id); found != done.end()) return found->second;
    NodeId made = id;
    if (const Node& node = (*this)[id]; node.kind == Node::Kind::load) {
      const auto found = by.find(node.value);
      if (found != by.end() && at_own_point({node.offset})) made = found->second;
    } else {
      made = of_operands(id, [&](NodeId operand) { return self(self, operand); });
    }
    done.emplace(id, made);
    return made;
  };
  return visit(visit, root);
}

NodeId Graph::load(ValueId value, Offset offset) {
  Node node;
  node.kind = Node::Kind::load;
  node.shell.type.scalar = (*this)[value].element;
  node.value = value;
  node.offset = std::move(offset);
  return make(std::move(node));
}

NodeId Graph::replaced(NodeId root, const std::function<std::optional<NodeId>(NodeId)>& by) {
  std::unordered_map<NodeId, NodeId> done;
  const auto visit = [&](const auto& self, NodeId id) -> NodeId {
    if (const auto found = done.find(id); found != done.end()) return found->second;
    NodeId made = id;
    if (const auto other = by(id)) {
      made = *other;
    } else {
      made = of_operands(id, [&](NodeId operand) { return self(self, operand); });
    }
    done.emplace(id, made);
    return made;
  };
  return visit(visit, root);
}

Graph::Moved Graph::moved(NodeId id, const Offset& by, KnownMoves& known) {
  if (const auto found = known.find(id); found != known.end()) return found->second;
  Moved made{id, true};
  const Node& there = (*this)[id];
  if (there.kind == Node::Kind::position) {
    made.fits = by[static_cast<std::size_t>(there.shell.axis)] == 0;
  } else if (there.kind == Node::Kind::load) {
    Node node = there;
    for (std::size_t axis = 0; axis < by.size(); ++axis) {
      std::int64_t& o = node.offset[axis];
      made.fits = !__builtin_add_overflow(o, by[axis], &o) && made.fits;
    }
    made.node = make(std::move(node));
  } else {
    made.node = of_operands(id, [&](NodeId operand) {
      const Moved part = moved(operand, by, known);
      made.fits = part.fits && made.fits;
      return part.node;
    });
  }
  known.emplace(id, made);
  return made;
}

std::optional<NodeId> Graph::shifted(NodeId root, const Offset& by, KnownMoves& known) {
  const Moved made = moved(root, by, known);
  return made.fits ? std::optional(made.node) : std::nullopt;
}

std::optional<NodeId> Graph::shifted(NodeId root, const Offset& by) {
  KnownMoves known;
  return shifted(root, by, known);
}

bool is_real(const Node& node) {
  const onf::Representation& type = node.shell.type;
  return type.kind == onf::Representation::Kind::scalar &&
         (type.scalar == onf::Scalar::float32 || type.scalar == onf::Scalar::float64);
}

std::size_t certain_operands(const Node& node) {
  if (node.shell.kind == onf::Expr::Kind::if_) return 1;
  if (node.shell.kind != onf::Expr::Kind::apply) return node.operands.size();
  switch (node.shell.function) {
    case onf::ScalarFunction::and_:
    case onf::ScalarFunction::or_:
    case onf::ScalarFunction::implies:
      return 1;
    default:
      return node.operands.size();
  }
}

Reads reads_of(const Graph& graph, const Sweep& sweep) {
  Reads reads;
  std::vector<bool> seen(graph.nodes());
  const auto visit = [&](const auto& self, NodeId id) -> void {
    const auto place = static_cast<std::size_t>(id);
    if (seen[place]) return;
    seen[place] = true;
    const Node& node = graph[id];
    if (node.kind == Node::Kind::load) reads[node.value].push_back(node.offset);
    for (const NodeId operand : node.operands) self(self, operand);
  };
  for (const ValueId value : sweep.defines) visit(visit, graph[value].definition);
  return reads;
}

bool has_position(const Graph& graph, NodeId root, int axis) {
  std::unordered_set<NodeId> seen;
  const auto visit = [&](const auto& self, NodeId id) -> bool {
    if (!seen.insert(id).second) return false;
    const Node& node = graph[id];
    if (node.kind == Node::Kind::position) return node.shell.axis == axis;
    return std::ranges::any_of(node.operands, [&](NodeId part) { return self(self, part); });
  };
  return visit(visit, root);
}

onf::Margin distances_of(const std::vector<Offset>& offsets, std::size_t axis) {
  onf::Margin distances{-offsets.at(0).at(axis), offsets.at(0).at(axis)};
  for (const Offset& offset : offsets) {
    distances.low = std::max(distances.low, -offset[axis]);
    distances.high = std::max(distances.high, offset[axis]);
  }
  return distances;
}
onf::Margin planes_of(const std::vector<Offset>& offsets) { return distances_of(offsets, 0); }

std::set<std::int64_t> planes_read(const std::vector<Offset>& offsets) {
  std::set<std::int64_t> planes;
  for (const Offset& offset : offsets) {
    if (!offset.empty()) planes.insert(offset.front());
  }
  return planes;
}

std::int64_t widest_of(const std::vector<onf::Margin>& margins) {
  std::int64_t widest = 0;
  for (const onf::Margin& margin : margins) widest = std::max(widest, margin.low + margin.high);
  return widest;
}

bool at_own_point(const std::vector<Offset>& offsets) {
  return std::ranges::all_of(offsets, [](const Offset& offset) {
    return std::ranges::all_of(offset, [](std::int64_t o) { return o == 0; });
  });
}

std::string names_of(const Graph& graph, const Sweep& sweep) {
  std::string text;
  for (const ValueId value : sweep.defines) text += (text.empty() ? "" : ", ") + graph[value].name;
  return text;
}

const Origin& origin_of(const Graph& graph, const Sweep& sweep) {
  return graph[sweep.defines.front()].origin;
}

std::string to_string(const Offset& offset) {
  std::string text;
  for (const std::int64_t o : offset) text += (text.empty() ? "(" : ", ") + std::to_string(o);
  return text + ")";
}

std::optional<std::pair<std::string, Offset>> least_example(const Graph& graph, const Sweep& sweep,
                                                            const Offset& offset) {
  for (const ValueId value : sweep.defines) {
    for (int axis = 0; axis < graph.rank(); ++axis) {
      if (has_position(graph, graph[value].definition, axis)) return std::nullopt;
    }
  }
  std::string shape;
  Offset from = offset;
  for (std::int64_t& o : from) {
    const std::int64_t length = (o < 0 ? -o : o) + 1;
    shape += (shape.empty() ? "" : "x") + std::to_string(length);
    if (o < 0) o += length;
  }
  return std::pair(shape, from);
}

onf::Halo halo_of(const std::vector<Offset>& offsets, int rank) {
  onf::Halo halo;
  halo.axes.resize(static_cast<std::size_t>(rank));
  for (const Offset& offset : offsets) {
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      onf::Margin& margin = halo.axes[axis];
      margin.low = std::max(margin.low, -offset[axis]);
      margin.high = std::max(margin.high, offset[axis]);
    }
    halo.corners = halo.corners || std::ranges::count(offset, 0) + 1 < std::ssize(offset);
  }
  return halo;
}

onf::Halo both(const onf::Halo& a, const onf::Halo& b) {
  onf::Halo halo = a;
  halo.axes.resize(std::max(a.axes.size(), b.axes.size()));
  onf::widen(halo.axes, b.axes);
  halo.corners = a.corners || b.corners;
  return halo;
}

std::map<ValueId, std::size_t> last_uses(const Graph& graph) {
  std::map<ValueId, std::size_t> last;
  for (std::size_t k = 0; k < graph.sweeps.size(); ++k) {
    for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) last[value] = k;
  }
  for (const RowsFolded& fold : graph.folds) {
    for (std::size_t k = 0; k < graph.sweeps.size(); ++k) {
      if (std::ranges::find(graph.sweeps[k].defines, fold.value) == graph.sweeps[k].defines.end())
        continue;
      last[fold.value] = std::max(last[fold.value], k);
    }
  }
  for (const Result& result : graph.results) last[result.value] = graph.sweeps.size();
  if (graph.returned) last[*graph.returned] = graph.sweeps.size();
  return last;
}

}  // namespace rhopsi::schedule
