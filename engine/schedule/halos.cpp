#include "engine/schedule/halos.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/positions.hpp"
#include "engine/schedule/interior.hpp"

namespace rhopsi::schedule {

namespace {

// What of pads a sweep reads, as offsets beyond the ends: 0 where it stays in the domain, by its
// offset or by the conditions that hold where it reads.
class PadReads {
 public:
  PadReads(const Graph& graph, const Pass& pass, const Beyond& pads,
           const std::set<ValueId>& ringed)
      : graph_(graph), first_padded_(pass.first_padded()), pads_(pads), ringed_(ringed) {}

  Reads of(const Sweep& sweep) {
    const std::vector<onf::Margin> nothing(static_cast<std::size_t>(graph_.rank()));
    for (const ValueId value : sweep.defines) visit(graph_[value].definition, nothing);
    return std::move(reads_);
  }

 private:
  // Of an element with very many conditions no more is looked at than whether it reads.
  static constexpr std::size_t most_visits = 100000;

  void visit(NodeId id, std::vector<onf::Margin> inside) {
    if (visits_.size() > most_visits) inside.assign(inside.size(), {});
    if (!visits_.emplace(id, inside).second) return;
    const Node& node = graph_[id];
    if (node.kind == Node::Kind::load) {
      Offset offset = node.offset;
      for (std::size_t axis = 0; axis < offset.size(); ++axis)
        offset[axis] = beyond(offset[axis], axis, inside[axis], ringed_.contains(node.value));
      reads_[node.value].push_back(std::move(offset));
    }
    const bool choice = node.kind == Node::Kind::scalar && node.shell.kind == onf::Expr::Kind::if_;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      std::vector<onf::Margin> there = inside;
      if (choice && k > 0) onf::widen(there, distance(node.operands[0], k == 1));
      visit(node.operands[k], std::move(there));
    }
  }

  const std::vector<onf::Margin>& distance(NodeId condition, bool holds) {
    const auto [place, fresh] = distances_.try_emplace({condition, holds});
    if (fresh) place->second = distance_from_ends(graph_, condition, holds);
    return place->second;
  }

  std::int64_t beyond(std::int64_t offset, std::size_t axis, const onf::Margin& inside,
                      bool ringed) const {
    // Planes are no pads, nor are rows of tiles; and what is further than pads goes around.
    const std::int64_t pad = pads_.of(ringed && static_cast<int>(axis) + 1 == graph_.rank());
    if (axis < first_padded_ || offset < -pad || offset > pad) return 0;
    return offset < 0 ? std::min<std::int64_t>(0, offset + inside.low)
                      : std::max<std::int64_t>(0, offset - inside.high);
  }

  const Graph& graph_;
  std::size_t first_padded_;
  const Beyond& pads_;
  const std::set<ValueId>& ringed_;
  std::set<std::pair<NodeId, std::vector<onf::Margin>>> visits_;
  std::map<std::pair<NodeId, bool>, std::vector<onf::Margin>> distances_;
  Reads reads_;
};

onf::Halo whole(const Graph& graph, const Pass& pass, const Beyond& pads, bool ringed) {
  onf::Halo halo;
  halo.axes.assign(static_cast<std::size_t>(graph.rank()), {pads.read, pads.read});
  halo.axes.back() = {pads.of(ringed), pads.of(ringed)};
  std::fill_n(halo.axes.begin(), pass.first_padded(), onf::Margin{});
  halo.corners = true;
  return halo;
}

}  // namespace

std::set<ValueId> defined_in(const Graph& graph, const Pass& pass) {
  std::set<ValueId> defined;
  for (std::size_t k = pass.first; k < pass.end; ++k) {
    defined.insert(graph.sweeps[k].defines.begin(), graph.sweeps[k].defines.end());
  }
  return defined;
}

Halos halos_of(const Graph& graph, const Beyond& pads, bool narrow) {
  Halos found;
  for (const Pass& pass : graph.passes) {
    const std::set<ValueId> defined = defined_in(graph, pass);
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const auto& [value, offsets] :
           PadReads(graph, pass, pads, defined).of(graph.sweeps[k])) {
        if (at_own_point(offsets)) continue;
        const bool ringed = defined.contains(value);
        onf::Halo& halo = ringed ? found.ringed[value] : found.stored[value];
        halo =
            both(halo, narrow ? halo_of(offsets, graph.rank()) : whole(graph, pass, pads, ringed));
      }
    }
  }
  return found;
}

std::optional<onf::Halo> filled_behind(const Graph& graph, const Halos& halos, ValueId value) {
  auto needed = halos.stored.find(value);
  for (const Result& result : graph.results) {
    if (needed != halos.stored.end()) break;
    if (result.value != value) continue;
    for (auto read = halos.stored.begin(); read != halos.stored.end(); ++read) {
      if (graph[read->first].argument == result.argument) needed = read;
    }
  }
  if (needed == halos.stored.end() || needed->second.axes[0] != onf::Margin{}) return std::nullopt;
  return needed->second;
}

}  // namespace rhopsi::schedule
