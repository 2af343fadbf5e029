// How long calls take with a recipe, before anything is compiled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/schedule/candidates.hpp"
#include "engine/schedule/machine.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/schedule/time.hpp"

namespace rhopsi::schedule {

// What a time is predicted of.
struct Question {
  std::vector<std::string> entries;   // functions; empty: all that can be scheduled
  std::vector<std::int64_t> extents;  // of the domain
  Machine machine;
  bool device = false;
  Surroundings around;
  std::int64_t calls = 0;   // in a row, without anything between them; 0: many
  bool given_once = false;  // arrays come in before the first call, and go out when something is
                            // written: another order of their axes costs nothing at a call
  bool copied = false;  // arrays are callers', who have none with pads: these are copied, in and
                        // out at each call
};

struct Answer {
  Candidate candidate;
  double seconds = 0;  // predicted, of one call of each entry; less than 0: nothing is known
  std::vector<std::pair<std::string, Time>> times;  // by function
  std::string same_as;  // of the candidate before it that makes the same passes; or empty
};

// What a candidate would take. Applies the recipe to a copy of the module.
Answer predict(const onf::Module& module, const Candidate& candidate, const Question& question);

}  // namespace rhopsi::schedule
