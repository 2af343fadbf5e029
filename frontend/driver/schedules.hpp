// Schedules of a request: which recipe, and what it does to the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/choice.hpp"
#include "engine/schedule/schedule.hpp"
#include "frontend/driver/kept_schedule.hpp"
#include "frontend/driver/machine.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// The recipe of that name for a program that has a theory: "full", a schedule that its package
// sees, or a qualified one. An empty name is a recipe without steps. Nothing after an error.
std::optional<schedule::Recipe> recipe_of(Session& session, const std::string& file,
                                          const std::string& program, const std::string& name,
                                          syntax::Diagnostics& diagnostics);

// What a schedule is wanted for: a program in its operational form.
struct ScheduleRequest {
  std::string file;
  std::string program;
  std::optional<std::string> name;  // as of a run
  std::vector<std::string> entries;
  std::vector<std::int64_t> shape;  // empty: large arrays
  Target target = Target::serial;
  bool checked = false;
  std::int64_t calls = 0;                // in a row; 0: many
  const term::Theory* theory = nullptr;  // of the program; null: what was tuned is not looked for
  bool elsewhere = false;                // it runs on another machine
  bool given_once = false;               // arrays, by the driver, and not for each call
  bool for_callers = false;              // who have their arrays without pads
  bool device_compiler = false;          // compiles it, for threads of a host too
  bool any_order = false;                // of sums and products of reals
  bool predicted = false;                // is how long one that is named takes; has a theory
};

// What there is for steps: pipelines are for threads of a host, a checked program tells the index
// of an element as the program has it, and the shape of a run is known.
schedule::Surroundings surroundings_of(const ScheduleRequest& request);

// The recipe that a request comes to, and how.
struct Plan {
  schedule::Recipe recipe;
  std::string name;   // "auto: planes", "tuned: fused", "off", or as it is asked for
  bool asked = true;  // for this schedule: what it leaves alone is told
  std::optional<schedule::Choice> choice;  // where it was chosen, or would be
  // Where it was named, and that was asked for: what is written, and the schedule.
  std::vector<schedule::Answer> predicted = {};
  std::optional<KeptSchedule> kept;
  std::string kept_in;  // the file
  std::string machine;  // that it is for
};

// Without a name what tune has kept for this program, shape, type, target, machine and order of
// reals; else, and for `auto`, what is predicted to be fastest on arrays of this shape. A checked
// program stays as it is written, so that messages are about its own statements. Nothing after an
// error (E0860, E0862, and those of recipe_of).
std::optional<Plan> plan_of(Session& session, const onf::Module& module,
                            const ScheduleRequest& request, syntax::Diagnostics& diagnostics);

// Arrays of some 16 million elements.
std::vector<std::int64_t> large_shape(std::size_t rank);

// The question that the choice of a schedule answers.
schedule::Question question_of(const ScheduleRequest& request, std::size_t rank,
                               const schedule::Machine& machine);

// One line for people: which schedule, and why.
std::string to_string(const Plan& plan);

// The recipe, what each of its steps did where and why not, the cost of each function before and
// after, the pads of each array where they were found, and what the choice was from, or how long
// the schedule takes.
std::string explained(const Plan& plan, const schedule::Outcome& outcome);

}  // namespace rhopsi::driver
