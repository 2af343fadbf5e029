// Termination of a first-order rewriting system: YES with orders, NO with a loop, or MAYBE.
#pragma once

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

struct TerminationProblem {
  Rules rules;
  Strategy strategy = Strategy::full;
  // The rules rewrite more than the system in question does (conditions were dropped): a loop of
  // theirs says nothing.
  bool over_approximation = false;
};

Verdict termination(TermBank& bank, const TerminationProblem& problem, const Deadline& deadline);

}  // namespace rhopsi::analysis
