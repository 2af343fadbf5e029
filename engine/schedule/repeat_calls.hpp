// Several calls in a row of a function that tests or counts numbers around a part of it that is
// scheduled: several calls of that part, and the same tests and counts. Internal to this folder.
//
//   step: test 0 < dt; part(u, dt); n = n + 1
//   =>  step_4_times: test 0 < dt; part_4_times(u, dt); n = n + 1; 3 times: n = n + 1
#pragma once

#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// What each call of the function calls once, with the same arguments: arrays that are arguments of
// the function itself, and numbers that it does not change. What else it does is of numbers alone.
// So calls in a row may call that several times in a row. Nothing: it is no such function. Linear.
std::optional<onf::FunctionId> called_each_time(const onf::Module& module, onf::FunctionId id);

// What the function does in as many calls as `several` is (onf::Function::repeats) of what
// called_each_time says that it calls. What does not hold in a later call is told all the same, but
// behind what more calls have done to arrays.
onf::Function calls_in_a_row(const onf::Module& module, onf::FunctionId id,
                             onf::FunctionId several);

}  // namespace rhopsi::schedule
