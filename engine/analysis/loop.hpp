// Loops: a term that rewrites to one that contains an instance of it.
#pragma once

#include <optional>

#include "engine/analysis/rewrite.hpp"

namespace rhopsi::analysis {

struct Loop {
  Term start;
  std::vector<Step> steps;  // at least one
  Position position;        // of the instance of `start` in the last term
};

// Searches by narrowing from the rules, forwards from right sides and backwards from left sides.
std::optional<Loop> find_loop(TermBank& bank, const Rules& rules, bool innermost,
                              const Deadline& deadline, std::size_t largest_term);

// Rewrites step by step and compares. For innermost loops every step has to be innermost in
// every round, whatever has been substituted until then.
bool verify(TermBank& bank, const Rules& rules, bool innermost, const Loop& loop);

Proof describe(TermBank& bank, const Rules& rules, const Loop& loop);

}  // namespace rhopsi::analysis
