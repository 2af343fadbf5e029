// Why a rule was not applied.
#pragma once

#include <optional>
#include <string>

#include "frontend/driver/explain.hpp"

namespace rhopsi::driver {

// For explain(), where a rule is named: what became of it at one position, or wherever the term has
// the operation that the rule's left side begins with.
std::optional<std::string> why_not(Session& session, const term::Theory& theory,
                                   const ExplainRequest& request, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
