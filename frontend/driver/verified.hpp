// What `verify` has found out, kept for who asks later. A record is bound to what it was found
// from: to the command, its solver, and the text of every file that was read. With any of them
// changed there is none.
#pragma once

#include <map>
#include <string>

#include "frontend/driver/session.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::driver {

// By name and line of the axiom.
using Findings = std::map<std::pair<std::string, std::uint32_t>, AxiomReport>;

// Of the axioms that were asked for, in any run of this command over these files. Empty where
// nothing is known, or the cache cannot be read. Reports have no location.
Findings recall(Session& session);

// Adds the report's axioms that were asked for to what is known of the session's files; what is
// unknown because a limit on time was reached is not kept. Without a cache that can be written
// nothing is.
void remember(Session& session, const VerifyReport& report);

}  // namespace rhopsi::driver
