// What a specification states of its operations, for conditions that are instances of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/term/rule.hpp"

namespace rhopsi::term {

// A predicate that is stated of all values of its variables where the condition (absent:
// everywhere) holds: what a theory states and is not a rule of it, and its theorems. Nothing says
// that it has been proved. All variables occur in the statement.
struct Lemma {
  std::string name;  // as that of a claim
  std::vector<SymbolId> variables;
  TermId statement;
  std::optional<TermId> condition;
  LocationId location{};
};

// In the order of the axioms; what is joined by `&&` is a lemma each.
std::vector<Lemma> lemmas_of(Store& store, const Theory& theory);

}  // namespace rhopsi::term
