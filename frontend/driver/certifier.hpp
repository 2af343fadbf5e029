// Derivations as a certificate has them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/check/certificate.hpp"
#include "engine/term/renaming.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::driver {

// One derivation, with what tells where it stands among the others.
struct CertifiedStep {
  check::Derivation derivation;
  // The callables that it rewrites or defines, and whose bodies or guards it takes for operations,
  // as they were before it; each once.
  std::vector<check::State> before;
  // Widths of pads that it asked for: what they are was found later.
  std::set<term::SymbolId> asked;
};

// The derivation, which has a record, in the names of its own time.
CertifiedStep certified(const term::Store& store, const term::Derivation& derivation);

// Puts new names in all of it. What becomes one by that is one: the same operation stands there
// once, and a step that changes nothing any more is left out.
void rename(term::Store& store, CertifiedStep& step, const term::Renaming& renaming);

// All derivations of a theory that have records, in the theory's names, with what its callables
// were before the first and after the last one, and with what else changed between them: modules
// that were joined in, and widths of pads that were found. `file` is what the theory was read from.
check::Certificate certified(term::Store& store, const term::Theory& theory,
                             const std::string& file);

}  // namespace rhopsi::driver
