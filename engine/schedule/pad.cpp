// How wide the pads of the module's arrays are.
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/schedule/follow.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;

bool calls_user_code(const onf::Statements& body) {
  bool found = false;
  each_call(body, [&](const Expr& call) { found = found || call.kind != Expr::Kind::call; });
  return found;
}

// How many elements beyond the ends of axes is read, where that may be from pads: a pipeline takes
// planes from where they are.
std::set<std::int64_t> distances_beyond(const Graph& graph) {
  std::set<std::int64_t> distances;
  for (const Pass& pass : graph.passes) {
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
        for (const Offset& offset : offsets) {
          for (std::size_t axis = pass.first_padded(); axis < offset.size(); ++axis) {
            if (offset[axis] != 0)
              distances.insert(offset[axis] < 0 ? -offset[axis] : offset[axis]);
          }
        }
      }
    }
  }
  return distances;
}

// What is read on hosts.
struct ReadBeyond {
  std::set<std::int64_t> beyond;
  std::int64_t pad = 0;  // that holds all within the bounds of those that read
};
ReadBeyond read_on_hosts(const std::vector<PadReader>& readers, std::int64_t pad) {
  ReadBeyond read{{}, pad};
  for (const PadReader& reader : readers) {
    if (reader.device) continue;  // no pads are read
    std::set<std::int64_t> distances = distances_beyond(*reader.graph);
    const auto further = distances.upper_bound(reader.most);
    if (further != distances.begin()) read.pad = std::max(read.pad, *std::prev(further));
    read.beyond.merge(distances);
  }
  return read;
}

void set_pads(onf::Module& module, std::int64_t pad) {
  module.pad = pad;
  for (onf::Function& function : module.functions) {
    for (onf::Block& block : function.blocks) {
      for (onf::StoredAxis& axis : block.box) axis = {pad, pad, onf::Outside::circular};
    }
  }
}

}  // namespace

Step pad(onf::Module& module, const std::vector<PadReader>& readers,
         const std::vector<FunctionId>& kept) {
  const auto [beyond, pad] = read_on_hosts(readers, module.pad);
  const std::string before = std::to_string(module.pad) + " on each end";
  Step step =
      taken("pad", {module.name}, {.before = before, .after = before, .decider = "offsets"});
  const auto refuse = [&step](std::string why) {
    step.holds = false;
    step.condition = std::move(why);
  };
  if (std::ranges::all_of(readers, &PadReader::device)) {
    step.decider = "target";
    refuse("what lies beyond an axis is read from pads, but a thread of a device goes around");
  } else if (beyond.empty()) {
    refuse(nothing_beyond(*readers.front().graph));
  } else if (*beyond.begin() > pad) {
    refuse("something is read beyond an axis within the bound, but what is read there is " +
           elements_text(*beyond.begin()) + " away or more");
  } else {
    step.condition = "the least that holds what is read beyond an axis";
    if (*beyond.rbegin() > pad)
      step.condition += " within the bound; what is read further away goes around";
  }
  for (const FunctionId id : kept) {
    const onf::Function& function = module.functions[onf::number(id)];
    if (pad == module.pad || !calls_user_code(function.body)) continue;
    refuse("no function that keeps its form hands arrays to a user's own code, but '" +
           function.name + "' does");
  }
  if (step.holds && pad > module.pad) step.after = "up to " + std::to_string(pad) + " on each end";
  if (step.holds) set_pads(module, pad);
  return step;
}

void pad_rings(onf::Module& module, std::int64_t pad) {
  const bool user_code = std::ranges::any_of(
      module.functions, [](const onf::Function& f) { return calls_user_code(f.body); });
  if (pad > module.pad && !user_code) set_pads(module, pad);
}

}  // namespace rhopsi::schedule
