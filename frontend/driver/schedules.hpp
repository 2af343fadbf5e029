// Schedules of a request: which recipe, and what it does to the program.
#pragma once

#include <optional>
#include <string>

#include "engine/schedule/schedule.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// What there is for steps: pipelines are for threads of a host, and a checked program tells the
// index of an element as the program has it.
schedule::Surroundings surroundings_of(Target target, bool checked);

// The recipe of that name for a program that has a theory: "auto", a schedule that its package
// sees, or a qualified one. An empty name is a recipe without steps. Nothing after an error.
std::optional<schedule::Recipe> recipe_of(Session& session, const std::string& file,
                                          const std::string& program, const std::string& name,
                                          syntax::Diagnostics& diagnostics);

// The recipe, what each of its steps did where and why not, and the cost of each function before
// and after.
std::string explained(const schedule::Recipe& recipe, const schedule::Outcome& outcome);

}  // namespace rhopsi::driver
