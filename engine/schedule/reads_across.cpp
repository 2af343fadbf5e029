#include "engine/schedule/reads_across.hpp"

#include <algorithm>

#include "engine/onf/tile.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::VariableId;

namespace {

// The loop that is the only one in the component, as itself and a number; null: there is none.
// Nothing: it is something else.
std::optional<const Loop*> loop_of(const Expr& component, const Loops& loops,
                                   const std::set<VariableId>& declared) {
  const Loop* found = nullptr;
  std::set<VariableId> names;
  note_names(component, names);
  for (const Loop& loop : loops) {
    if (!names.contains(loop.index)) continue;
    if (found != nullptr || !onf::counts_with(component, loop.index)) return std::nullopt;
    found = &loop;
  }
  const bool other = std::ranges::any_of(names, [&](VariableId id) {
    return declared.contains(id) && (found == nullptr || id != found->index);
  });
  return other ? std::nullopt : std::optional(found);
}

}  // namespace

bool is_before(const Expr& length, const Loops& loops, const std::set<VariableId>& declared) {
  std::set<VariableId> names;
  note_names(length, names);
  return std::ranges::none_of(names, [&](VariableId id) {
    return declared.contains(id) || std::ranges::count(loops, id, &Loop::index) > 0;
  });
}

std::optional<Loops> loops_of_part(const Expr& load, const Loops& loops, VariableId lane,
                                   const std::set<VariableId>& declared) {
  Loops over;
  std::optional<Loop> of_lanes;
  for (const Expr& component : load.operands) {
    const auto loop = loop_of(component, loops, declared);
    if (!loop) return std::nullopt;
    if (*loop == nullptr) continue;
    const bool again = std::ranges::count(over, (*loop)->index, &Loop::index) > 0;
    if (again || !(*loop)->length || !is_before(*(*loop)->length, loops, declared))
      return std::nullopt;
    if ((*loop)->index != lane) {
      over.push_back(**loop);
    } else if (of_lanes || &component == &load.operands.back()) {
      return std::nullopt;
    } else {
      of_lanes = **loop;
    }
  }
  if (!of_lanes) return std::nullopt;
  over.push_back(*of_lanes);
  return over;
}

}  // namespace rhopsi::schedule
