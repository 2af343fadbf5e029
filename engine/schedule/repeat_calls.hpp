// Several calls in a row of a function that computes numbers around one call, and several rounds
// of such a loop: several calls of what it calls. Internal to this folder.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "engine/schedule/each_call.hpp"

namespace rhopsi::schedule {

// What each call of the function calls once, of a procedure that is no part of another.
std::optional<EachCall> called_each_time(const onf::Module& module, onf::FunctionId id);

// What the function does in as many calls as `several` is of what called_each_time says that it
// calls.
onf::Function calls_in_a_row(const onf::Module& module, onf::FunctionId id,
                             onf::FunctionId several);

// How a function that was outlined calls others.
struct CallSite {
  onf::FunctionId callee{};
  // Calls of it in one call of the function: the product of the counts of the loops around it,
  // where a count is no literal `usual_rounds`, and of a branch what is in it.
  double times = 1;
  std::int64_t in_a_row = 1;               // with nothing but numbers between them; 0: many
  std::vector<std::size_t> changing = {};  // of those in a row
};
inline constexpr double usual_rounds = 16;

// The calls that the function makes as statements.
std::vector<CallSite> call_sites(const onf::Module& module, onf::FunctionId id);

// Has `several` arguments for all numbers that differ from call to call?
bool gives_all(const onf::Module& module, const EachCall& each, onf::FunctionId several);

// Loops of a function that compute numbers and call one other function in each round call what is
// several calls (onf::Function::repeats) where there is such a one, and do the rounds that are left
// one by one. `repeated`: by function. Returns how many loops.
std::size_t repeat_in_loops(onf::Module& module, onf::FunctionId id,
                            const std::map<onf::FunctionId, onf::FunctionId>& repeated);

}  // namespace rhopsi::schedule
