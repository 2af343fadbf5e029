// Two reducts of one term that have no reduct in common.
#pragma once

#include <optional>

#include "engine/analysis/critical_pairs.hpp"
#include "engine/analysis/finite_model.hpp"

namespace rhopsi::analysis {

struct Divergence {
  Term peak;                // without variables
  std::vector<Step> left;   // to the first reduct
  std::vector<Step> right;  // to the second one
  enum class Reason {
    normal_forms,  // both are normal
    tops,          // what no rule can change at their tops differs
    finite,        // all their reducts are known, and none is of both
    model,         // an algebra keeps them apart
  };
  Reason reason = Reason::normal_forms;
  std::optional<FiniteModel> model = {};  // where that is the reason
};

// Looks at what the sides of the pairs rewrite to, with constants for variables. Steps use `usable`
// rules only (all, if empty), what is normal or stays is judged by all.
std::optional<Divergence> find_divergence(TermBank& bank, const Rules& rules,
                                          const std::vector<bool>& usable,
                                          const std::vector<CriticalPair>& pairs, int depth,
                                          const Deadline& deadline);

// The same for what left sides with equal variables rewrite to when terms of the rules without
// variables are put in: such overlaps are in no critical pair.
std::optional<Divergence> find_non_linear_divergence(TermBank& bank, const Rules& rules,
                                                     const std::vector<bool>& usable,
                                                     const Deadline& deadline);

// The same for reducts of `peaks` and of terms of the rules without variables, where all rules are
// usable: they are compared by all their own reducts where those are few, and by models of up to
// three elements.
std::optional<Divergence> find_separated_divergence(TermBank& bank, const Rules& rules,
                                                    std::vector<Term> peaks,
                                                    const Deadline& deadline);

bool verify(TermBank& bank, const Rules& rules, const std::vector<bool>& usable,
            const Divergence& divergence);

Proof describe(TermBank& bank, const Rules& rules, const Divergence& divergence);

}  // namespace rhopsi::analysis
