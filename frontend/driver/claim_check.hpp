// One assertion of an axiom: proved, refuted by values, tested by them, or none of it.
#pragma once

#include <chrono>
#include <optional>

#include "engine/moa/library.hpp"
#include "engine/verify/agreement.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::driver {

// What claims of one theory are proved from, each made where it is wanted first. All that it is
// made of must outlive it.
class ClaimLibraries {
 public:
  ClaimLibraries(Session& session, const term::Theory& theory,
                 const onf::PrimitiveTable& real_table)
      : session_(session), theory_(theory), real_table_(real_table) {}

  const moa::Library& promoting();  // numbers are of the narrowest type
  const moa::Library& real();       // they are reals

 private:
  Session& session_;
  const term::Theory& theory_;
  const onf::PrimitiveTable& real_table_;
  std::optional<moa::Library> promoting_;
  std::optional<moa::Library> real_;
};

struct ClaimContext {
  Session& session;
  const onf::PrimitiveTable& real;  // in which numbers do not promote
  const VerifyRequest& request;
  std::chrono::steady_clock::time_point begin;  // of the run
  const verify::Knowledge& knowledge;
  ClaimLibraries& libraries;
};

// Says in `report` what has become of a claim of the axiom, and takes away from `theories` those in
// which it was not proved.
void check_claim(const ClaimContext& context, const term::Axiom& axiom, const term::Claim& claim,
                 verify::Theories& theories, AxiomReport& report);

// Do two definitions by cases say the same where both speak? Where they do not, or it is not known,
// `report`, which is of the second, says so.
bool agree(const ClaimContext& context, const verify::Agreement& both, AxiomReport& report);

}  // namespace rhopsi::driver
