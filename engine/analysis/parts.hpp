// Ways to take a system apart, so that it is confluent if its parts are.
#pragma once

#include <vector>

#include "engine/analysis/critical_pairs.hpp"

namespace rhopsi::analysis {

// The rules that terms of one sort can be rewritten by, for each sort, as sorts are when they are
// as different as the rules let them be; of sets of which one contains the other the larger. The
// rules are confluent if and only if each part is (persistence: Aoto, Toyama 1997). No left side is
// a variable. Rules that share no symbol are in different parts.
std::vector<Rules> persistent_parts(const TermBank& bank, const Rules& rules);

// Left-linear rules, so that rules of different parts have critical pairs of equal sides only. The
// parts commute, and so the rules are confluent if each part is (Toyama 1988; Hindley, Rosen).
std::vector<Rules> commuting_parts(const Rules& rules, const std::vector<CriticalPair>& pairs);

}  // namespace rhopsi::analysis
