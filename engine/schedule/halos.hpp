// What of the pads of each value the passes read. Internal to this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/schedule/graph.hpp"

namespace rhopsi::schedule {

// How passes read what is beyond the ends of an axis.
struct Beyond {
  std::int64_t read = 0;  // so much at most from pads; what is further goes around
  onf::Circular circular = onf::Circular::modulo;
  std::int64_t of_rings = 0;  // so much, if that is more, along the rows of a pass's own rings
  std::int64_t of(bool ring) const { return ring ? std::max(read, of_rings) : read; }
};

// What the sweeps of the pass define.
std::set<ValueId> defined_in(const Graph& graph, const Pass& pass);

// Calls `visit` with each sweep of the pass that reads, the value and the offsets.
template <class Visit>
void each_read(const Graph& graph, const Pass& pass, const Visit& visit) {
  for (std::size_t k = pass.first; k < pass.end; ++k) {
    for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
      visit(k, value, offsets);
    }
  }
}

struct Halos {
  std::map<ValueId, onf::Halo> stored;  // of values that are stored whole
  std::map<ValueId, onf::Halo> ringed;  // of what is read in the pass that defines it
};

// Of arrays and rings with such pads; reads that go further do not read them. With `narrow` as far
// as is read, otherwise whole pads; planes have none of axis 0, and tiles none of axis 1.
Halos halos_of(const Graph& graph, const Beyond& beyond, bool narrow);

// What the stage that defines the value, which is stored whole, fills of its pads: what a later
// pass reads, or the next call of the function, if it gets this for its argument. Nothing where
// that is of axis 0, or not read.
std::optional<onf::Halo> filled_behind(const Graph& graph, const Halos& halos, ValueId value);

}  // namespace rhopsi::schedule
