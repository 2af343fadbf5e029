// A claim at given ranks, proved. Internal to this folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/verify/case.hpp"
#include "engine/verify/claim_proof.hpp"

namespace rhopsi::verify {

// How one case went.
struct CaseResult {
  enum class Kind : std::uint8_t { nothing_said, proved, refuted, stuck };
  Kind kind = Kind::proved;
  Theories theories = Theories::all();
  std::string reason;
  smt::Counterexample counterexample = {};  // refuted by the solver
};

// An integer that takes few values.
struct Split {
  Open open;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct CaseOutcome {
  CaseResult result;
  std::optional<Split> split;  // in place of a result: the case is to be tried for each value
  std::chrono::milliseconds spent{0};
  std::size_t queries = 0;
};

// `solver` says how much time is left. Invariants are conditions without parameters.
CaseOutcome prove_case(const moa::Library& library, const term::Claim& claim,
                       const std::vector<term::Claim>& invariants, Case made,
                       const smt::ProverLimits& solver, const ProofLimits& limits);

}  // namespace rhopsi::verify
