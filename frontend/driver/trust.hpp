// What a program rests on.
#pragma once

#include <optional>
#include <string>

#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/driver/verify.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct TrustRequest {
  bool prove = false;  // try to prove the axioms; otherwise each is only named
  verify::ProofLimits limits;
  std::chrono::milliseconds time{110'000};  // for all proofs together
};

// The axioms that led to the theory, of a session that records steps, each with the number of its
// uses and, with `prove`, what `verify` has to say of it; the conditions that rest on an entry
// check, are assumed, or were decided by the solver; and the operations that C++ headers bring. As
// text.
std::optional<std::string> trust(Session& session, const term::Theory& theory,
                                 const TrustRequest& request, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
