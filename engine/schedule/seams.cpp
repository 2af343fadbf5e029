#include "engine/schedule/seams.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/schedule/halos.hpp"

namespace rhopsi::schedule {

namespace {

using Seam = onf::Pipeline::Seam;

// Which sweep of the pass writes a slot, the last one if several do.
std::map<std::size_t, std::size_t> writers_of(const Graph& graph, const Pass& pass,
                                              const Storage& storage) {
  std::map<std::size_t, std::size_t> written;
  for (std::size_t k = pass.first; k < pass.end; ++k) {
    for (const ValueId value : graph.sweeps[k].defines) {
      const auto slot = storage.of.find(value);
      if (slot != storage.of.end()) written[slot->second] = k - pass.first;
    }
  }
  return written;
}

void widen(onf::Margin& seam, const onf::Margin& own, const onf::Margin& read) {
  seam.low = std::max(seam.low, own.low + read.low);
  seam.high = std::max(seam.high, own.high + read.high);
}

}  // namespace

std::vector<Seam> seams_of(const Graph& graph, const Pass& pass, const Storage& storage,
                           const std::vector<std::optional<onf::ViewId>>& views) {
  if (pass.teams) return {};
  const std::map<std::size_t, std::size_t> written = writers_of(graph, pass, storage);
  const std::set<ValueId> defined = defined_in(graph, pass);
  std::map<std::size_t, Seam> seams;  // by slot
  each_read(graph, pass, [&](std::size_t k, ValueId value, const std::vector<Offset>& offsets) {
    if (defined.contains(value)) return;
    const std::size_t slot = storage.of.at(value), at = k - pass.first;
    const auto writer = written.find(slot);
    if (writer == written.end()) return;
    Seam& seam = seams[slot];
    widen(seam.planes, pass.beyond[at], planes_of(offsets));
    if (!pass.tiled()) return;
    const onf::Margin read = distances_of(offsets, 1);
    widen(seam.rows, pass.rows[at], read);
    const std::int64_t further = pass.rows[writer->second].high - pass.rows[at].high;
    seam.next = std::max(seam.next, further + read.low);
  });
  std::vector<Seam> made;
  for (auto& [slot, seam] : seams) {
    if (seam.planes == onf::Margin{} && seam.rows == onf::Margin{} && seam.next == 0) continue;
    seam.view = *views[slot];
    made.push_back(seam);
  }
  return made;
}

}  // namespace rhopsi::schedule
