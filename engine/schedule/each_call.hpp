// Statements of numbers around one call, and several rounds of them: the numbers of all rounds
// first, and then what is several calls of what they call. Internal to this folder.
//
//   s = sin(t); part(u, dt, s); t = t + dt
//   =>  s = sin(t); t = t + dt; s_2 = sin(t); t = t + dt; part_2_times(u, dt, s, s_2)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// What is done in each round: the body of a function, or that of a loop with this index, or of one
// that goes on as long as this holds.
struct Round {
  const onf::Statements& body;
  std::optional<onf::VariableId> index = std::nullopt;
  const onf::Expr* condition = nullptr;
};

// What a round calls.
struct EachCall {
  onf::FunctionId callee{};
  // Its arguments that may differ from round to round, in order: numbers.
  std::vector<std::size_t> changing = {};
};

// What each round calls once, with the same arrays. What else it does is of numbers alone, and no
// number comes from an array or from the call, so that the numbers of all rounds may be computed
// before the first call. Where the round tests such numbers, the callee tests nothing. Nothing: it
// is no such round. Linear, but for numbers that are computed from one another, squared in those.
//
// Where the call gives back what rows were folded to (onf::RowFold), or the loop has a condition,
// numbers may come from these rows, too. What the call is given comes from neither, and is computed
// for all rounds before it without anything that may trap; all other statements stand behind it,
// round by round, with the rows of each, and name no number of those that change in front of it.
std::optional<EachCall> called_each_time(const onf::Module& module, const Round& round);

// The variable, with a number behind its name where the function has one of that name: all of them
// may stand in one scope.
onf::VariableId added(onf::Function& function, onf::Variable variable);

// The head of so many calls of the function in a row (onf::Function::repeats), which has numbers
// of its own for each call where they are `changing`; its body is that of one call.
onf::Function several_calls_of(const onf::Module& module, onf::FunctionId id,
                               std::vector<std::size_t> changing, std::int64_t times);

// As many rounds as `several` is calls of what called_each_time says, in variables of their own
// that are added to the function. `first`: the index of the first round, of a loop that has one.
// What does not hold in a later round is told before any of them changes an array. `several` is
// given the numbers of each round where they are changing.
onf::Statements rounds_together(const onf::Module& module, onf::Function& function,
                                const Round& round, onf::FunctionId several,
                                const std::optional<onf::Expr>& first = std::nullopt);

// The same in parts: up to the call, and what stands behind it of each round; that is nothing where
// all of a round is done in front.
struct RoundsApart {
  onf::Statements call;
  std::vector<onf::Statements> behind;
};
RoundsApart rounds_apart(const onf::Module& module, onf::Function& function, const Round& round,
                         onf::FunctionId several, const std::optional<onf::Expr>& first);

}  // namespace rhopsi::schedule
