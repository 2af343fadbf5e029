// Confluence of a module's rules together with the arithmetic that the backend computes.
#pragma once

#include "engine/analysis/system.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/analysis_rules.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// What is to be said where terms that are written alike are not enough for YES, and what it then is
// about.
struct ModuloVerdict {
  analysis::Verdict verdict;
  bool modulo = false;  // of rules and arithmetic together; otherwise the verdict is `plain`
};

// YES if rules and arithmetic together are confluent (analysis/modulo.hpp). NO only where the two
// sides of a critical pair have different values, or are normal, different up to arithmetic too,
// and about operations of which no values are known, with nothing computed in them but what the
// canonical forms of arithmetic know. `plain` is the answer about terms, which stays where it is
// YES, and where nothing in the rules is computed from numbers or truth values (a sum as well as
// a minimum, a quotient or `if`), nor has one a condition. `library` says what operations mean
// that the theory only declares; it may be null.
ModuloVerdict confluence_modulo(Session& session, const term::Theory& theory,
                                const term::Theory* library, AnalysisRules& system,
                                analysis::Verdict plain, const analysis::Deadline& deadline);

// What operations mean to a decider: by the theory, or by the library if the theory only declares
// them.
term::Interpretation meanings_of(Session& session, const term::Theory& theory,
                                 const term::Theory* library);

}  // namespace rhopsi::driver
