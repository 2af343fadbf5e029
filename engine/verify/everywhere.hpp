// Definitions by cases, proved to agree for every type of numbers.
#pragma once

#include <vector>

#include "engine/verify/claim_proof.hpp"

namespace rhopsi::verify {

// Some of a claim's unknowns that promote: integers, the others being reals. The order is that of
// Verdict::promoting; each mixture with an integer in it once, integers alone first. Of more than
// seven unknowns those in which at most three differ from the rest.
std::vector<std::vector<term::SymbolId>> integer_mixtures(
    const std::vector<term::SymbolId>& promoting);

// A claim about which rules fire. It is asked as prove() does, and more:
//  - of integers, in each mixture with reals;
//  - with its conditions as they are decided, in floating point: where it is proved of real numbers
//    and not of doubles, it has to hold without its condition too, since more than the reals for
//    which it holds may meet that.
// The verdict is of the first that fails, or of the reals; says_nothing where the first says
// nothing and no other fails. `integers` are those of what failed.
struct AgreementVerdict {
  Verdict verdict;
  std::vector<term::SymbolId> integers;
  bool in_floating_point = false;  // it failed there alone

  bool holds() const { return verdict.outcome == Outcome::proved || verdict.says_nothing; }
};
AgreementVerdict prove_everywhere(const moa::Library& library,
                                  const std::vector<term::SymbolId>& parameters,
                                  const term::Claim& claim,
                                  const std::vector<const term::Axiom*>& invariants,
                                  const ProofLimits& limits);

}  // namespace rhopsi::verify
