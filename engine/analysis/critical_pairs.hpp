// Critical pairs, and properties of rules that confluence depends on.
#pragma once

#include <optional>
#include <vector>

#include "engine/analysis/rewrite.hpp"

namespace rhopsi::analysis {

// peak -> left by the inner rule at `position`, peak -> right by the outer rule at the root.
struct CriticalPair {
  Term peak;
  Term left;
  Term right;
  Position position;
  std::size_t inner = 0;
  std::size_t outer = 0;

  bool overlay() const { return position.empty(); }
};

// Of two different rules at the root only one of the two pairs is given. A rule with itself at the
// root is given only where its right side has variables of its own.
std::vector<CriticalPair> critical_pairs(TermBank& bank, const Rules& rules);
// Nothing if the time was over before all were found.
std::optional<std::vector<CriticalPair>> critical_pairs(TermBank& bank, const Rules& rules,
                                                        const Deadline& deadline);

bool left_linear(const TermBank& bank, const Rules& rules);
bool right_linear(const TermBank& bank, const Rules& rules);
// Whether a right side has variables that its left side has not, or a left side is a variable.
bool has_fresh_variables(const TermBank& bank, const Rule& rule);

// Whether a term to which both can be rewritten is found within so many steps on each side.
bool joinable_within(TermBank& bank, const RuleIndex& index, Term left, Term right, int depth,
                     std::size_t limit = 2000);

// Every critical pair is an overlay and joinable: termination follows from that of innermost
// rewriting (Gramlich 1995).
bool locally_confluent_overlay(TermBank& bank, const Rules& rules, const Deadline& deadline);

}  // namespace rhopsi::analysis
