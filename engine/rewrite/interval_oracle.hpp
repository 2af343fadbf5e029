// Decides conditions over numbers by constants, intervals and known facts.
#pragma once

#include "engine/term/oracle.hpp"

namespace rhopsi::rewrite {

// Folds constants (nullary definitions included), bounds every term by intervals and
// linear facts `a <= b + c`, and compares with the facts up to renaming. Sound:
// proved and refuted are certain for mathematical integers, and of reals for the numbers
// of either type that a run may have (reals.hpp); everything else is unknown. Terminates in time
// polynomial in the sizes of condition and facts.
class IntervalOracle final : public term::ConditionOracle {
 public:
  term::Verdict decide(const term::Store& store, term::TermId condition,
                       std::span<const term::TermId> facts,
                       const term::Interpretation& interpretation) override;
};

}  // namespace rhopsi::rewrite
