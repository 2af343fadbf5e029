#include "engine/schedule/work.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/onf/scalar_size.hpp"
#include "engine/onf/weight.hpp"
#include "engine/schedule/halos.hpp"
#include "engine/schedule/interior.hpp"
#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

// Does it change from one element to the next?
bool varies_in(const Graph& graph, NodeId id, std::unordered_map<NodeId, bool>& known) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  const Node& node = graph[id];
  bool any = node.kind != Node::Kind::scalar;
  for (const NodeId operand : node.operands) any = varies_in(graph, operand, known) || any;
  known.emplace(id, any);
  return any;
}

// A function that takes many operations, and may be vectors.
bool is_many(const onf::Expr& e) { return onf::is_elementary(e) || onf::is_sine(e); }

// Is there one in what it is computed from?
bool has_elementary(const Graph& graph, NodeId id, std::unordered_map<NodeId, bool>& known) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  const bool any = std::ranges::any_of(graph[id].operands, [&](NodeId part) {
    return is_many(graph[part].shell) || has_elementary(graph, part, known);
  });
  known.emplace(id, any);
  return any;
}

// Counts the nodes of a sweep once each, as compilers compute them.
class Counting {
 public:
  // On a device a component goes around once for all loads. `by_rows`: a loop is over a row.
  Counting(const Graph& graph, const Writing& writing, bool by_rows, std::size_t first_axis,
           const std::set<ValueId>& ringed)
      : graph_(graph),
        by_rows_(by_rows || writing.device),
        beyond_(writing.beyond),
        first_axis_(writing.device ? 0 : first_axis),
        once_(writing.device),
        ringed_(ringed) {}

  // So many rows in one loop.
  StageWork count(const Sweep& sweep, std::int64_t rows) {
    for (const ValueId value : sweep.defines) {
      visit(graph_[value].definition);
      made_.bytes = std::max(made_.bytes, width(graph_[value].element));
    }
    const RowLoads read = loads_of(graph_, sweep, rows);
    const auto stores = static_cast<double>(sweep.defines.size());
    made_.loads = read.loads + stores;
    made_.streams = read.rows + stores;
    made_.peeled = static_cast<double>(ends_.low + ends_.high);
    made_.near_rows = std::max(ends_.low, ends_.high) <= onf::most_near
                          ? static_cast<double>(near_.size())
                          : std::numeric_limits<double>::infinity();
    return made_;
  }

 private:
  std::int64_t width(onf::Scalar element) {
    const auto bytes = static_cast<std::int64_t>(onf::bytes_of(element));
    if (!seen_width_) made_.bytes = bytes;
    seen_width_ = true;
    return bytes;
  }

  void visit(NodeId id) {
    if (!varies_in(graph_, id, varies_) || !seen_.insert(id).second) return;
    const Node& node = graph_[id];
    if (node.kind == Node::Kind::load) {
      made_.bytes = std::max(made_.bytes, width(graph_[node.value].element));
      count_wrapped(node.value, node.offset);
      return;
    }
    if (node.shell.kind == onf::Expr::Kind::if_ && is_place(node.operands[0])) {
      return visit_choice(node);
    }
    if (node.kind == Node::Kind::scalar) {
      const double weight = weight_of(graph_, id);
      // Processors look about as far ahead as one has operations: another one waits for its result.
      const bool vectors = onf::is_elementary(node.shell) || (by_rows_ && onf::is_sine(node.shell));
      const bool waits = vectors && has_elementary(graph_, id, elementary_);
      made_.operations += waits ? 2 * weight : weight;
      made_.scalar = made_.scalar || (weight >= onf::of_a_call && !vectors);
    }
    for (const NodeId operand : node.operands) visit(operand);
  }

  // A choice by the place in the domain is made once for a row, or at its ends. What is at the ends
  // alone is not computed between them, unless all rows compute it because that is little.
  void visit_choice(const Node& choice) {
    const bool along_rows = has_position(graph_, choice.operands[0], graph_.rank() - 1);
    made_.other_ends = made_.other_ends || along_rows;
    if (const auto holds = decided_inside(graph_, choice.operands[0])) {
      const NodeId at_ends = choice.operands[*holds ? 2 : 1];
      const double operations = operations_of(graph_, at_ends);
      if (!of_a_row(choice.operands[0]) || operations > onf::most_unasked) {
        count_at_ends(choice.operands[0], operations);
        return visit(choice.operands[*holds ? 1 : 2]);
      }
    }
    if (!along_rows) made_.operations += 1;
    visit(choice.operands[1]), visit(choice.operands[2]);
  }
  bool is_place(NodeId id) const {
    const Node& node = graph_[id];
    return node.kind != Node::Kind::load && node.shell.kind != onf::Expr::Kind::call &&
           std::ranges::all_of(node.operands, [&](NodeId part) { return is_place(part); });
  }
  void count_at_ends(NodeId condition, double operations) {
    const auto reach = static_cast<double>(reach_of(graph_, condition));
    made_.at_ends.resize(static_cast<std::size_t>(graph_.rank()));
    for (int axis = 0; axis < graph_.rank(); ++axis) {
      if (!has_position(graph_, condition, axis)) continue;
      made_.at_ends[static_cast<std::size_t>(axis)] += reach * operations;
    }
  }
  // Does it depend on which row it is?
  bool of_a_row(NodeId id) const {
    for (int axis = 0; axis + 1 < graph_.rank(); ++axis) {
      if (has_position(graph_, id, axis)) return true;
    }
    return false;
  }

  // Of the last axis for each element; of the others for each row.
  void count_wrapped(ValueId value, const Offset& offset) {
    for (std::size_t axis = first_axis_; axis < offset.size(); ++axis) {
      const std::int64_t read = beyond_.of(axis + 1 == offset.size() && ringed_.contains(value));
      if (offset[axis] >= -read && offset[axis] <= read) continue;
      if (once_) {
        made_.wrapped += components_.insert({axis, offset[axis]}).second ? 1 : 0;
      } else if (axis + 1 < offset.size()) {
        made_.turned += 1;
      } else if (beyond_.circular == onf::Circular::peel) {
        ends_.low = std::max(ends_.low, -offset[axis]);
        ends_.high = std::max(ends_.high, offset[axis]);
        near_.insert({value, Offset(offset.begin(), offset.end() - 1)});
      } else {
        made_.wrapped += 1;
      }
    }
  }

  const Graph& graph_;
  bool by_rows_;
  const Beyond& beyond_;
  std::size_t first_axis_;
  bool once_;
  const std::set<ValueId>& ringed_;
  onf::Margin ends_;
  StageWork made_;
  bool seen_width_ = false;
  std::unordered_map<NodeId, bool> varies_, elementary_;
  std::unordered_set<NodeId> seen_;
  std::set<std::pair<ValueId, Offset>> near_;
  std::set<std::pair<std::size_t, std::int64_t>> components_;  // axis and offset
};

std::int64_t bytes_of_value(const Graph& graph, ValueId value) {
  return static_cast<std::int64_t>(onf::bytes_of(graph[value].element));
}

// How many different values axis 0 has, and how many rows there are.
Stream stream_of(std::int64_t bytes, const std::vector<Offset>& offsets) {
  Stream stream{bytes};
  const std::set<std::int64_t> planes = planes_read(offsets);
  std::set<Offset> rows;
  for (const Offset& offset : offsets) {
    Offset row = offset;
    if (!row.empty()) row.pop_back();
    rows.insert(std::move(row));
  }
  stream.planes = std::max<std::int64_t>(1, std::ssize(planes));
  stream.span = planes.empty() ? 1 : *planes.rbegin() - *planes.begin() + 1;
  stream.rows = std::max<std::int64_t>(1, std::ssize(rows));
  return stream;
}

class PassCounting {
 public:
  PassCounting(const Graph& graph, const Pass& pass, const Storage& storage)
      : graph_(graph), pass_(pass), storage_(storage), defined_(defined_in(graph, pass)) {}

  PassWork count(const Writing& writing) {
    PassWork made;
    made.pipelined = pass_.pipelined();
    made.nested = !writing.rows && !made.pipelined;
    made.tiled = pass_.tiled();
    made.most_rows = pass_.most_rows;
    for (std::size_t k = pass_.first; k < pass_.end; ++k) {
      const Sweep& sweep = graph_.sweeps[k];
      if (!sweep.fetch) made.label += (made.label.empty() ? "" : "; ") + names_of(graph_, sweep);
      made.stages.push_back(Counting(graph_, writing, !made.nested, pass_.first_padded(), defined_)
                                .count(sweep, writing.rows_of(k)));
      made.stages.back().beyond = pass_.beyond[k - pass_.first];
      if (pass_.tiled()) made.stages.back().rows = pass_.rows[k - pass_.first];
      if (pass_.teams) {
        // Where elements lie is found once for all planes.
        made.stages.back().wrapped = 0;
        made.stages.back().again = share_of_tile(k, {});
      }
    }
    if (pass_.teams) {
      made.team_rows = pass_.teams->rows;
      made.overlap = read_of_tile();
    }
    add_arrays(made);
    for (std::size_t k = pass_.first; k < pass_.end; ++k) {
      made.stages[k - pass_.first].stores = stores_of(graph_.sweeps[k]);
    }
    return made;
  }

  void add_arrays(PassWork& made) {
    count_reads();
    std::map<std::size_t, Stream> by_slot;
    for (const auto& [value, offsets] : reads_) {
      // Of what is broadcast there are few elements, which a cache keeps.
      if (defined_.contains(value) || !graph_[value].broadcast.empty()) continue;
      Stream& stream = by_slot[storage_.of.at(value)];
      stream = stream_of(bytes_of_value(graph_, value), offsets);
      stream.read = true;
    }
    for (const ValueId value : defined_) {
      const auto slot = storage_.of.find(value);
      if (slot != storage_.of.end()) {
        Stream& stream = by_slot[slot->second];
        stream.bytes = bytes_of_value(graph_, value);
        stream.written = true;
        stream.span = std::max<std::int64_t>(stream.span, 1);
        if (made.pipelined && !pass_.teams && stream.read) {
          made.seams += static_cast<double>(stream.bytes * (stream.span - 1));
        }
      }
      if (const auto read = reads_.find(value); read != reads_.end()) {
        made.rings.push_back(ring_of(value, read->second));
      }
    }
    if (pass_.tiled()) {
      for (const auto& [value, rows] : ring_rows(graph_, pass_)) {
        made.kept += static_cast<double>(2 * rows * bytes_of_value(graph_, value));
      }
    }
    for (const auto& [slot, stream] : by_slot) made.streams.push_back(stream);
  }

 private:
  // Of a tile, and as many planes as it has at least: elements with what is beyond it and `more`,
  // for each of its own. Threads do what any sweep does of a plane.
  double share_of_tile(std::size_t k, const std::vector<onf::Margin>& more) const {
    double share = 1;
    const std::vector<onf::Margin> region = region_of(pass_);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(graph_.rank()); ++axis) {
      const onf::Margin own = axis == 0 ? pass_.beyond[k - pass_.first] : region[axis - 1];
      const onf::Margin read = axis < more.size() ? more[axis] : onf::Margin{};
      const auto side =
          static_cast<double>(axis == 0 ? pass_.teams->planes : pass_.teams->sides[axis - 1]);
      share *= (side + static_cast<double>(own.low + own.high + read.low + read.high)) / side;
    }
    return share;
  }
  // The most of all arrays.
  double read_of_tile() const {
    double share = 1;
    each_read(graph_, pass_, [&](std::size_t k, ValueId value, const std::vector<Offset>& offsets) {
      if (defined_.contains(value)) return;
      std::vector<onf::Margin> margins;
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(graph_.rank()); ++axis) {
        margins.push_back(distances_of(offsets, axis));
      }
      share = std::max(share, share_of_tile(k, margins));
    });
    return share;
  }
  // What is stored whole and read by the pass goes to two places.
  double stores_of(const Sweep& sweep) const {
    double stores = 0;
    for (const ValueId value : sweep.defines) {
      stores += (storage_.of.contains(value) ? 1 : 0) + (reads_.contains(value) ? 1 : 0);
    }
    return stores;
  }

  // Offsets along axis 0 count from where the first stage of the pass is.
  void count_reads() {
    for (std::size_t k = pass_.first; k < pass_.end; ++k) {
      for (const auto& [value, offsets] : reads_of(graph_, graph_.sweeps[k])) {
        for (Offset offset : offsets) {
          if (!offset.empty()) offset.front() -= pass_.lags[k - pass_.first];
          reads_[value].push_back(std::move(offset));
        }
      }
    }
  }

  RingWork ring_of(ValueId value, const std::vector<Offset>& offsets) const {
    std::int64_t lag = 0, oldest = 0;
    for (std::size_t k = pass_.first; k < pass_.end; ++k) {
      const auto& defines = graph_.sweeps[k].defines;
      if (std::ranges::find(defines, value) != defines.end()) lag = pass_.lags[k - pass_.first];
    }
    for (const Offset& offset : offsets) oldest = std::min(oldest, offset.front());
    return {bytes_of_value(graph_, value), -oldest - lag + 1, stream_of(0, offsets).planes};
  }

  const Graph& graph_;
  const Pass& pass_;
  const Storage& storage_;
  std::set<ValueId> defined_;
  Reads reads_;
};

}  // namespace

double weight_of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  const bool products = node.shell.kind == onf::Expr::Kind::apply &&
                        node.shell.function == onf::ScalarFunction::pow &&
                        onf::is_of_products(graph[node.operands[1]].shell);
  return products ? 2 : onf::weight_of(node.shell);
}

double operations_of(const Graph& graph, NodeId root) {
  std::unordered_map<NodeId, bool> varies;
  std::unordered_set<NodeId> seen;
  double operations = 0;
  const auto visit = [&](const auto& self, NodeId id) -> void {
    if (!varies_in(graph, id, varies) || !seen.insert(id).second) return;
    if (graph[id].kind == Node::Kind::scalar) operations += weight_of(graph, id);
    for (const NodeId operand : graph[id].operands) self(self, operand);
  };
  visit(visit, root);
  return operations;
}

std::int64_t PassWork::bytes_in_use() const {
  std::int64_t bytes = 0;
  for (const Stream& stream : streams) {
    bytes += std::max<std::int64_t>(1, stream.span) * stream.bytes;
  }
  for (const RingWork& ring : rings) bytes += ring.planes * ring.bytes;
  return bytes;
}

std::int64_t PassWork::bytes_of_run() const {
  std::int64_t bytes = 0;
  for (const Stream& stream : streams) bytes += stream.bytes;
  for (const RingWork& ring : rings) bytes += ring.bytes;
  return bytes;
}

std::int64_t bytes_in_use(const Graph& graph, const Pass& pass, const Storage& storage) {
  PassWork made;
  made.pipelined = pass.pipelined();
  PassCounting(graph, pass, storage).add_arrays(made);
  return graph.rank() > 1 ? made.bytes_in_use() : made.bytes_of_run();
}

Work work_of(const Graph& graph, const Storage& storage, const Writing& writing) {
  Work work;
  work.function = graph.name();
  for (const Pass& pass : graph.passes) {
    work.passes.push_back(PassCounting(graph, pass, storage).count(writing));
  }
  for (const auto& [value, halo] : halos_of(graph, writing.beyond, writing.refill).stored) {
    if (graph[value].broadcast.empty())
      work.refills.push_back({bytes_of_value(graph, value), halo});
  }
  for (const Slot& slot : storage.slots) {
    work.stored += static_cast<std::int64_t>(onf::bytes_of(slot.element));
  }
  return work;
}

}  // namespace rhopsi::schedule
