// Confluence of a first-order rewriting system: YES by a criterion on critical pairs, NO by two
// reducts of one term that have no reduct in common, or MAYBE.
#pragma once

#include <vector>

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

struct ConfluenceProblem {
  Rules rules;
  // One per rule, or empty: what is stated of a rule here is less than the rule. It may apply, so
  // that normal forms are normal for it too, but nothing is shown by its steps.
  std::vector<bool> opaque = {};
  // Opaque rules have conditions, which were dropped; otherwise only binders.
  bool conditional = false;
};

// What is known of termination is passed on, so that it is not searched for again.
Verdict confluence(TermBank& bank, const ConfluenceProblem& problem, const Verdict* termination,
                   const Deadline& deadline);

}  // namespace rhopsi::analysis
