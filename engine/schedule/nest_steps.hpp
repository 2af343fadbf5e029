// Steps that put other nests in the place of one: what is tried, what is told, and what is left as
// it was where the verifier finds a new problem. Internal to this folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// What takes the place of a plain nest (plain_nests.hpp) of the function, which may get arrays and
// variables for it; nothing: the nest stays. What is told of it, a step for each thing that was
// tried, at the label of the nest, is added to `told`.
using NestStep = std::function<std::optional<onf::Statements>(
    const onf::Module& module, onf::Function& function, const onf::Nest& nest, onf::Statements body,
    term::LocationId location, std::vector<Step>& told)>;

// Takes the step in the functions that the recipe has it on, of those whose arrays have shapes of
// their own: in all nests, or, where that is a new problem to onf::check_shapes, in each nest that
// it is none in. With a reason not to, every step is refused with that reason. Quadratic in the
// statements of a nest, but for `step`.
std::vector<Step> take_in_nests(onf::Module& module, StepKind kind, const NestStep& step,
                                const Recipe& recipe, const std::string& why_not);

}  // namespace rhopsi::schedule
