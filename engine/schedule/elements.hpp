// The elements that sweeps compute, as expressions of the form. Internal to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "engine/schedule/graph.hpp"
#include "engine/schedule/halos.hpp"

namespace rhopsi::schedule {

// What the function that is written calls what it reads.
struct Names {
  std::vector<onf::Expr> indices;                      // the variable of each axis
  std::map<onf::VariableId, onf::VariableId> scalars;  // arguments, by what they were called
  std::function<onf::ViewId(ValueId)> source;          // where the nest that is written reads it
  std::function<bool(ValueId)> ringed;                 // is that a ring?
};

// Writes the elements of one nest after the other.
class Elements {
 public:
  // `names` stays where it is and is complete before the first nest. What is read so far beyond an
  // axis as `pads` says is read of pads, and by an index modulo its length where it is further.
  Elements(const Graph& graph, const Names& names, const Beyond& pads)
      : graph_(graph), names_(names), pads_(pads) {}

  // A nest begins, in which no node has a name. The index of an axis before `first_padded` may be
  // beyond its ends: what is read is at that index plus the offset, and only the position is taken
  // modulo.
  void begin(std::size_t first_padded);
  // From here on the node is that variable, in this nest.
  void name(NodeId node, onf::Expr variable) { named_[node] = std::move(variable); }

  // Linear in what is written, in which nodes are written as often as they are used. Of a nest no
  // more than a million are; then it is incomplete, and too_large().
  onf::Expr of(NodeId node);

  bool wraps() const { return wraps_; }          // does this nest read at an index taken modulo?
  bool too_large() const { return too_large_; }  // was any nest?

 private:
  onf::Expr load(const Node& node);
  // `read`: from pads at most.
  onf::Expr component(std::size_t axis, std::int64_t offset, std::int64_t read);

  const Graph& graph_;
  const Names& names_;
  Beyond pads_;
  std::size_t first_padded_ = 0;
  std::map<NodeId, onf::Expr> named_;
  std::size_t budget_ = 0;
  bool wraps_ = false;
  bool too_large_ = false;
};

// A node that is computed in any case, more than once, and differs from index to index; or one side
// of a choice of which both sides are computed, maybe once.
struct SharedNode {
  NodeId node{};
  int uses = 0;
};
// Of what is computed, which may name a node several times; operands stand before what they are of.
std::vector<SharedNode> shared_in(const Graph& graph, const std::vector<NodeId>& computed);

}  // namespace rhopsi::schedule
