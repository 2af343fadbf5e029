// Steps that replace statements in a row within a block.
#pragma once

#include <optional>
#include <string>

#include "engine/check/comparison.hpp"

namespace rhopsi::check {

// Is the axiom about statements in a row, rather than about a whole term?
bool is_sequence(const term::Store& store, const Axiom& axiom);

// What is wrong with a step of such an axiom: its statements are not those of the left side, or
// what stands in their place is not the right side; the rest of the block is another one, or has
// lost a variable; or the values of the variables that are changed are not variables of their own.
std::optional<std::string> problem_with_sequence(const term::Store& store, const Axiom& axiom,
                                                 const Values& values, const Step& step);

}  // namespace rhopsi::check
