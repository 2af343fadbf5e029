// Definitions of arrays: do they stay within the arrays that they read?
#pragma once

#include <chrono>

#include "engine/moa/reduce.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::driver {

struct DefinitionCheck {
  Session& session;
  Tables tables;
  const VerifyRequest& request;
  std::chrono::steady_clock::time_point end;  // what is open then is unknown
};

// Proves of the definition, one of those that `library` holds, that wherever its guard holds, and
// at every index within its shape, all that it reads is within its array and all that it calls may
// be called; or refutes that by values. The report is `within` then, or refuted, or unknown; it
// stays as it is where the axiom defines no array, or nothing says which shape that has.
void check_definition(const DefinitionCheck& check, const verify::Knowledge& knowledge,
                      const moa::Library& library, const term::Axiom& axiom, AxiomReport& report);

}  // namespace rhopsi::driver
