// Criteria on critical pairs that give confluence without termination. Each answers with the
// certificate, or with nothing.
#pragma once

#include <optional>

#include "engine/analysis/critical_pairs.hpp"

namespace rhopsi::analysis {

// Whether some disjoint, possibly nested, redexes of `from` contracted at once give `to`.
bool multi_step(const TermBank& bank, const RuleIndex& index, Term from, Term to);

// Left-linear; no critical pairs, or equal ones only (orthogonal, weakly orthogonal).
std::optional<Proof> orthogonal(const TermBank& bank, const Rules& rules,
                                const std::vector<CriticalPair>& pairs);

// Left-linear, and every pair is closed by a multi-step from the inner to the outer reduct; for
// overlays to a reduct of the other one. Parallel closed pairs are so. (van Oostrom 1997.)
std::optional<Proof> development_closed(TermBank& bank, const Rules& rules,
                                        const std::vector<CriticalPair>& pairs);

// Linear, and every pair (s, t) has s ->* u <-= t and s ->= v <-* t. (Huet 1980.)
std::optional<Proof> strongly_closed(TermBank& bank, const Rules& rules,
                                     const std::vector<CriticalPair>& pairs);

// Left-linear, and labels of rules make every pair decreasing; rules whose right sides are not
// linear end relative to all. (van Oostrom 1994, 2008; Zankl, Felgenhauer, Middeldorp 2011.)
std::optional<Proof> decreasing(TermBank& bank, const Rules& rules,
                                const std::vector<CriticalPair>& pairs, const Deadline& deadline);

// Left-linear, and every pair is joinable; the steps from peaks to their pairs, but for pairs that
// a multi-step closes, end relative to the rules. (Hirokawa, Middeldorp 2011.)
std::optional<Proof> ending_peaks(TermBank& bank, const Rules& rules,
                                  const std::vector<CriticalPair>& pairs, const Deadline& deadline);

}  // namespace rhopsi::analysis
