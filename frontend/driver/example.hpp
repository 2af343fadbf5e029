// An instance of a claim with its value: what a reader sees of a rule beside its statement.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/term/rule.hpp"
#include "frontend/driver/refutation.hpp"

namespace rhopsi::driver {

struct Example {
  std::vector<std::pair<std::string, std::string>> values;  // of the claim's unknowns
  std::string result;                                       // of its left side
};

// Small values for which the claim holds and shows something: of those that were tried, the one
// whose arrays are neither empty nor long, and whose result is none of them. The same ones in every
// run. Parameters as for `refute`. Nothing where the evaluators know no such values.
std::optional<Example> find_example(term::Store& store, const term::Theory& theory,
                                    const Tables& tables,
                                    const std::vector<term::SymbolId>& parameters,
                                    const term::Claim& claim,
                                    const std::vector<const term::Axiom*>& invariants);

}  // namespace rhopsi::driver
