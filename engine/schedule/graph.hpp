// A procedure over domain arrays as values: what the steps of a schedule look at and change.
//
// Each array that is computed is a value, defined once. Variables, handles, copies, calls and pads
// are gone: `v0 = u0` is another name, and what lies beyond the end of an axis is the circular
// value, however the form reads it. So a program that takes indices modulo, one that is padded, and
// one that refills its pads too often have one graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/schedule/origin.hpp"

namespace rhopsi::schedule {

enum class ValueId : std::uint32_t {};
enum class NodeId : std::uint32_t {};

using Offset = std::vector<std::int64_t>;  // one per axis

// A scalar at an index. Equal nodes are one, so that what is computed twice is seen.
struct Node {
  enum class Kind : std::uint8_t {
    load,      // `value` at the index plus `offset`, circular
    position,  // component `shell.axis` of the index
    scalar,  // `shell` of the operands: a literal, parameter, scalar argument, function, if_, call
  };
  Kind kind = Kind::scalar;
  onf::Expr shell;  // without operands; of a load and a position: type and place
  std::vector<NodeId> operands;
  ValueId value{};
  Offset offset;
};

struct Value {
  std::string name;
  onf::Scalar element = onf::Scalar::float64;
  std::optional<std::size_t> argument;  // it comes in; otherwise a sweep defines it:
  NodeId definition{};
  onf::ViewId view{};  // the variable of the form that had it first
  Origin origin = {};
  std::vector<bool> broadcast = {};  // as onf::Block::broadcast
  // Has it one element along each row?
  bool same_along_rows() const { return !broadcast.empty() && broadcast.back(); }
};

// One pass over all indices. A value that it defines may be read in it at its own index alone, and
// there its definition stands instead.
struct Sweep {
  std::vector<ValueId> defines;
  term::LocationId location{};
  std::vector<std::string> made_by = {};         // made_by.hpp
  std::vector<term::LocationId> also_from = {};  // statements that are computed in it besides
  bool fetch = false;  // of a pass of teams: it copies the arrays that these read
};

// Sweeps that run one after the other; or as one, plane by plane of axis 0, where there is more
// than one: each at the plane that is `lag` behind. What is computed for a range of planes is
// computed for `beyond` more on both sides, because later sweeps read it there. In tiles what is
// computed for a range of indices of axis 1 is so for `rows` more; a sweep alone may go through its
// planes tile by tile, too, and computes nothing more. For teams of threads it is so of
// every axis, by `around`, and where one has to wait for another there is a barrier behind a sweep.
struct Pass {
  std::size_t first = 0, end = 0;  // sweeps
  std::vector<std::int64_t> lags;  // of each
  std::vector<onf::Margin> beyond;
  std::vector<onf::Margin> rows = {};  // empty: not in tiles
  std::optional<std::int64_t> most_rows = std::nullopt;
  std::optional<onf::TeamTile> teams = std::nullopt;
  std::vector<std::vector<onf::Margin>> around = {};  // of each sweep, on axes 1, 2, ...
  std::vector<bool> barriers = {};                    // of each sweep
  bool alone_in_planes = false;                       // one sweep, plane by plane all the same
  bool pipelined() const { return end - first > 1 || teams || alone_in_planes; }
  bool tiled() const { return !rows.empty(); }
  // The axes before it are read where they are, and not in pads.
  std::size_t first_padded() const {
    if (teams) return 1 + teams->sides.size();
    if (!pipelined()) return 0;
    return tiled() ? 2 : 1;
  }
};

// What an argument that can be changed is at the end.
struct Result {
  std::size_t argument = 0;
  ValueId value{};
};

// An argument that has, at the end, the fold of each row of a value (onf::RowFold). The value is
// computed, and no sweep reads it.
struct RowsFolded {
  ValueId value{};
  onf::ScalarFunction function{};
  std::size_t argument = 0;
  bool begins_anew = false;  // as onf::RowFold's
};

class Graph {
 public:
  Graph(std::string name, int rank) : name_(std::move(name)), rank_(rank) {}

  const std::string& name() const { return name_; }
  int rank() const { return rank_; }

  std::vector<Value> values;
  std::vector<Sweep> sweeps;  // in order: a value is read after it is defined
  std::vector<Pass> passes;   // all sweeps in order, once these are what they will be
  std::vector<Result> results;
  std::vector<RowsFolded> folds;
  std::optional<ValueId> returned;

  // A load of an array that is broadcast has no offset along those axes.
  NodeId make(Node node);
  // The value at the index plus the offset.
  NodeId load(ValueId value, Offset offset);
  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  Value& operator[](ValueId id) { return values[static_cast<std::size_t>(id)]; }
  const Value& operator[](ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  std::size_t nodes() const { return nodes_.size(); }

  // The node with loads of these values at their own index replaced.
  NodeId forwarded(NodeId node, const std::map<ValueId, NodeId>& by);
  // The node with those in it replaced for which `by` gives another, from the root down; within
  // what is replaced nothing is.
  NodeId replaced(NodeId node, const std::function<std::optional<NodeId>(NodeId)>& by);
  // What the node is at the index plus `by`. Nothing where it has the index itself in it, along an
  // axis of that move, or an offset would be no number of 64 bits.
  std::optional<NodeId> shifted(NodeId node, const Offset& by);
  // As that; `known` is what calls with the same `by` have found for nodes, which stays true.
  struct Moved {
    NodeId node;
    bool fits;
  };
  using KnownMoves = std::unordered_map<NodeId, Moved>;
  std::optional<NodeId> shifted(NodeId node, const Offset& by, KnownMoves& known);

 private:
  template <class Become>
  NodeId of_operands(NodeId id, const Become& become);
  Moved moved(NodeId id, const Offset& by, KnownMoves& known);

  std::string name_;
  int rank_;
  std::vector<Node> nodes_;
  struct KeyHash {
    std::size_t operator()(const std::vector<std::int64_t>& key) const;
  };
  std::unordered_map<std::vector<std::int64_t>, NodeId, KeyHash> known_;
};

// --- facts

// Is it a number of a type of reals?
bool is_real(const Node& node);

// Operands that are evaluated whenever the node is; they are the first.
std::size_t certain_operands(const Node& node);

// Per value, at which offsets the node reads it; `seen` is shared by calls for one sweep.
using Reads = std::map<ValueId, std::vector<Offset>>;
Reads reads_of(const Graph& graph, const Sweep& sweep);
// Does the node depend on where along that axis it is computed, but by what it reads there?
bool has_position(const Graph& graph, NodeId id, int axis);

// Of an axis the least and the greatest: {-least, greatest}.
onf::Margin distances_of(const std::vector<Offset>& offsets, std::size_t axis);
onf::Margin planes_of(const std::vector<Offset>& offsets);  // of axis 0
// Those along axis 0, each once; of no axes none.
std::set<std::int64_t> planes_read(const std::vector<Offset>& offsets);
// The most that one of them is on both sides together.
std::int64_t widest_of(const std::vector<onf::Margin>& margins);

bool at_own_point(const std::vector<Offset>& offsets);
// "v0, v1, v2": what the sweep defines.
std::string names_of(const Graph& graph, const Sweep& sweep);
// Of the first value that the sweep defines.
const Origin& origin_of(const Graph& graph, const Sweep& sweep);
// "(0, -1, 2)"
std::string to_string(const Offset& offset);

// The least shape in which the element at 0 reads another one with this offset, "1x1x2", and which
// one that is. The offset is not 0. Nothing where elements of the sweep differ by their place: that
// one may be none of those that read it.
std::optional<std::pair<std::string, Offset>> least_example(const Graph& graph, const Sweep& sweep,
                                                            const Offset& offset);

// What of a pad these offsets read.
onf::Halo halo_of(const std::vector<Offset>& offsets, int rank);
onf::Halo both(const onf::Halo& a, const onf::Halo& b);  // the least that covers both

// The sweep behind which a value is not needed: its last reader, or `sweeps.size()` for what is
// a result. Nothing for what is never read.
std::map<ValueId, std::size_t> last_uses(const Graph& graph);

// One line per value and sweep, for people; `...` for what is beyond 20000 nodes of an element.
std::string to_string(const onf::Module& module, const onf::Function& function, const Graph& graph);

}  // namespace rhopsi::schedule
