// A claim at given ranks, proved. Internal to this folder.
#pragma once

#include "engine/verify/domain.hpp"
#include "engine/verify/reasoning.hpp"

namespace rhopsi::verify {

struct CaseOutcome {
  CaseResult result;
  std::optional<Split> split;  // in place of a result: the case is to be tried for each value
  std::vector<moa::VariableId> index;  // of a domain: where the element is that is asked for
  std::chrono::milliseconds spent{0};
  std::size_t queries = 0;
  std::size_t out_of_time = 0;     // of these
  bool other_of_integers = false;  // see Verdict
};

// What a proof by `known` has come to, once it has run. A stuck one may be split at a range that is
// searched.
CaseOutcome outcome_of(CaseResult result, std::optional<Split> split, Reasoning& known);

// `solver` says how much time is left, `asked` the theories that the cases before have held in.
// Invariants are conditions without parameters.
CaseOutcome prove_case(const moa::Library& library, const term::Claim& claim,
                       const std::vector<term::Claim>& invariants, Case made,
                       const smt::ProverLimits& solver, const ProofLimits& limits, Theories asked);

// Numbers for which the condition holds and the left side has a value: the counterexample of a
// refuted result. Lengths of at least 2 where there are such, else of at least 1, else any. Nothing
// is said where the solver finds none.
CaseOutcome find_case(const moa::Library& library, const term::Claim& claim,
                      const std::vector<term::Claim>& invariants, Case made,
                      const smt::ProverLimits& solver, const ProofLimits& limits);

// That the right side stays within its arrays where the definition has to have a value.
CaseOutcome prove_domain(const moa::Library& library, const Domain& domain,
                         const std::vector<term::Claim>& invariants, Case made,
                         const smt::ProverLimits& solver, const ProofLimits& limits);

}  // namespace rhopsi::verify
