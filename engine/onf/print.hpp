// The operational form as text: for people and for golden files, not read back yet.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Deterministic; linear in the size of the module. Places are shown as `file:line`,
// the file without its folder.
std::string to_string(const term::Store& store, const Module& module);
// One expression of a function.
std::string to_string(const Module& module, const Function& function, const Expr& expression);

// `file:line` of a place, the file without its folder; empty for generated code.
std::string place(const term::Store& store, term::LocationId location);
// Of several, file by file as they come, the lines of each once and ascending, those that follow
// one another as their first and last: `file:1, 5-7, other:2`.
std::string places(const term::Store& store, term::LocationId first,
                   const std::vector<term::LocationId>& others);
// The statements that stages compute, in their order.
std::vector<term::LocationId> locations_of(std::span<const Pipeline::Stage> stages);
// "float32", "index", "array float32", or the user's type.
std::string to_string(const Representation& type);
// Per axis what lies below 0 and from n on: "[1+1, 0+2] with corners".
std::string to_string(const Halo& halo);
// The mathematical name of a scalar function: "add", "minimum", ...
std::string name_of(ScalarFunction function);

}  // namespace rhopsi::onf
