// Functions with loops, branches and checks around their arrays: what can be scheduled of them
// becomes functions of its own. Internal to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/build.hpp"
#include "engine/schedule/row_folds.hpp"

namespace rhopsi::schedule {

// What `build` can follow of a function over arrays.
enum class Followed : std::uint8_t { nothing, parts, whole };

struct Outlined {
  std::vector<onf::FunctionId> parts;  // new functions of the module, callees before the function
  // Why a statement over arrays stays where it is, of the first one that does.
  std::optional<Obstacle> left = std::nullopt;
};

// Makes functions (onf::Function::part_of) of the longest rows of statements that `build` can
// follow, wherever they stand in a function that it cannot follow as a whole, and calls them there.
// What is left computes numbers, decides what runs, names arrays, and calls functions. A row that
// only calls one function stays such a call. `followed` says what of other functions is or will be
// scheduled. Nothing, and the module as it was, where there is neither a part nor a call of such a
// function. The function has not been scheduled before. Linear in its size, but for what `build`
// takes.
//
// Folds over all elements of arrays, of those that `folds` says, stand in such rows, too: the part
// folds the rows of what it makes, and behind its call stands a fold of these. Where a later
// statement needs the number, what the folds do not need may come behind them (behind_folds.hpp).
std::optional<Outlined> outline(onf::Module& module, onf::FunctionId id,
                                const std::function<Followed(onf::FunctionId)>& followed,
                                FoldsByRows folds);

// What is left of a function that was outlined, where pads are as wide as `pad`: refills in front
// of statements that may read pads of an array and are no calls of functions that refill what they
// read. Pads of arguments may be stale then, and are left so.
void refill_what_is_read(onf::Module& module, onf::FunctionId id, std::int64_t pad);

}  // namespace rhopsi::schedule
