#include "engine/schedule/halos.hpp"

#include <algorithm>

namespace rhopsi::schedule {

namespace {

// What of pads the pass reads by these offsets; elsewhere it stays at its own index.
std::vector<Offset> within_pads(std::vector<Offset> offsets, const Pass& pass, std::int64_t pad) {
  for (Offset& offset : offsets) {
    // Planes are no pads, nor are rows of tiles.
    std::fill_n(offset.begin(), pass.first_padded(), 0);
    for (std::int64_t& o : offset) o = o >= -pad && o <= pad ? o : 0;
  }
  return offsets;
}

onf::Halo whole(const Graph& graph, const Pass& pass, std::int64_t pad) {
  onf::Halo halo;
  halo.axes.assign(static_cast<std::size_t>(graph.rank()), {pad, pad});
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

Halos halos_of(const Graph& graph, std::int64_t pad, bool narrow) {
  Halos found;
  for (const Pass& pass : graph.passes) {
    const std::set<ValueId> defined = defined_in(graph, pass);
    each_read(graph, pass, [&](std::size_t, ValueId value, const std::vector<Offset>& offsets) {
      const std::vector<Offset> reached = within_pads(offsets, pass, pad);
      if (at_own_point(reached)) return;
      onf::Halo& halo = defined.contains(value) ? found.ringed[value] : found.stored[value];
      halo = both(halo, narrow ? halo_of(reached, graph.rank()) : whole(graph, pass, pad));
    });
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
