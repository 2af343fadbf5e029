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
// pass and read at its own index alone, and which then defines no more than `most` values. What
// only the pass itself reads is not stored any more.
void fuse(Graph& graph, std::optional<std::int64_t> most, std::vector<Step>& steps);

// Each sweep is a pass of its own.
void separate(Graph& graph);

// How sweeps may be put together plane by plane.
struct Planes {
  std::int64_t most = 8;  // that wait in a ring, or are computed again for each slab
  bool in_place = true;   // so late that a result may lie where its argument does
  std::string obstacle;   // why there are no pipelines here; empty: nothing
};
// Makes the passes: as many sweeps in one, plane by plane, as read one another at most a few planes
// away. Later sweeps are as far behind as what they read has to be there, and as what they
// overwrite has to be read. A sweep alone that reads neighbours of what it overwrites becomes two:
// what it computes waits in planes, and goes to its place behind it.
void pipeline(Graph& graph, const onf::Function& function, const Planes& planes,
              std::vector<Step>& steps);

// Every pass of planes goes through them tile by tile of rows, at most so many of them: each sweep
// does as many rows beyond a tile as later ones read there.
void tile(Graph& graph, std::optional<std::int64_t> most, std::vector<Step>& steps);

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

// How passes are written.
struct Writing {
  std::int64_t pad = 0;  // of every array
  bool refill = true;    // as far as is read; otherwise whole pads
  bool share = true;
  bool rows = true;  // bound to rows; otherwise one loop per axis
};
// The function of this graph and storage, of the same name and arguments. Nothing where an
// expression would have more than a million nodes.
std::optional<onf::Function> realise(const onf::Function& function, const Graph& graph,
                                     const Storage& storage, const Writing& writing,
                                     std::vector<Step>& steps);

// Of the graph as it was built: one sweep a pass, and every value stored.
Cost cost_of(const Graph& graph);
// Of the passes, with what they store; with `share` equal operations of a sweep count once.
Cost cost_of(const Graph& graph, const Storage& storage, bool share);
// Bytes in use for each element of a plane, of arrays and in rings.
std::int64_t bytes_in_use(const Graph& graph, const Pass& pass, const Storage& storage);
// What one call does, as it is written.
Work work_of(const Graph& graph, const Storage& storage, const Writing& writing);
// Adds what the statements, and those of what they call, fill of pads.
void count_refills(const onf::Module& module, const onf::Statements& body, Cost& cost);

}  // namespace rhopsi::schedule
