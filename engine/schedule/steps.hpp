// The steps on one graph. Internal to this folder.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/graph.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// Removes values that neither a result nor another value needs.
void drop_unused(Graph& graph, std::vector<Step>& steps);

// Puts each sweep into the first pass where all that it reads is defined before, or in the same
// pass and read at its own index alone. What only the pass itself reads is not stored any more.
void fuse(Graph& graph, std::vector<Step>& steps);

// Makes the passes: each sweep one, or with `wanted` as many in one, plane by plane, as read one
// another at most a few planes away. Later sweeps are as far behind as what they read has to be
// there, and as what they overwrite has to be read.
void pipeline(Graph& graph, const onf::Function& function, bool wanted, std::vector<Step>& steps);

// Where values are while the function runs.
struct Slot {
  onf::Scalar element = onf::Scalar::float64;
  std::optional<std::size_t> argument;  // the block of this argument
  std::string name;
};
struct Storage {
  std::vector<Slot> slots;
  std::map<ValueId, std::size_t> of;  // every value that is stored whole
};

// By live ranges. What only its own pass reads is not stored whole: it has a ring. With `in_place`
// a value may take the block of one that the same sweep reads for the last time, and at its own
// index alone. A result takes its argument's block where it can.
Storage place(const Graph& graph, const onf::Function& function, bool in_place,
              std::vector<Step>& steps);

// The function of this graph and storage; pads are `pad` wide. Nothing where an expression would
// have more than a million nodes.
std::optional<onf::Function> realise(const onf::Function& function, const Graph& graph,
                                     const Storage& storage, std::int64_t pad, bool share,
                                     std::vector<Step>& steps);

}  // namespace rhopsi::schedule
