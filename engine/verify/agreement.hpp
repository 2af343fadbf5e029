// Definitions by cases: what several axioms say of one operation where more than one speaks.
#pragma once

#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/verify/knowledge.hpp"

namespace rhopsi::verify {

// Two conditional definitions of the shape, the element or the value of one operation. The claim
// is that their right sides are equal where both conditions hold; its unknowns are `parameters`.
// Where that is nowhere, it says nothing (Verdict::says_nothing).
struct Agreement {
  const term::Axiom* first;   // as the theory of the knowledge has it
  const term::Axiom* second;  // the same; it was given later
  term::LocationId second_location{};
  term::LocationId first_location{};
  term::TermId left{};  // of the second
  std::vector<term::SymbolId> parameters;
  term::Claim claim;
};

// Of all pairs of definitions by cases whose right sides are not written alike. `knowledge` has to
// outlive the result.
std::vector<Agreement> agreements(term::Store& store, const Knowledge& knowledge,
                                  const onf::PrimitiveTable& table);

}  // namespace rhopsi::verify
