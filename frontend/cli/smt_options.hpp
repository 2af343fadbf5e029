// The options on who decides the conditions of rules, and what is said of it afterwards.
#pragma once

#include "frontend/cli/commands.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::cli {

driver::SessionOptions with_smt(driver::SessionOptions options, const SmtOptions& smt);

// Says on standard error how many conditions the limits have left undecided, if any.
void note_undecided(const driver::Session& session);

}  // namespace rhopsi::cli
