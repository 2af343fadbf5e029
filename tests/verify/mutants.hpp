// Claims with one token replaced, in a fixed order.
#pragma once

#include <string>
#include <vector>

#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::verify {

struct Mutant {
  std::string text;  // "takeTake#1: min => max at 1.2"
  const term::Axiom* axiom = nullptr;
  term::Claim claim;
};

// Of every claim of these axioms: each variable by another one of its type, each literal by its
// neighbours, each operation by others of its arguments and result.
std::vector<Mutant> mutants_of(term::Store& store, const term::Theory& theory,
                               const std::vector<const term::Axiom*>& axioms);

}  // namespace rhopsi::verify
