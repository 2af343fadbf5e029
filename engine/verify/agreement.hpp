// What several axioms say of one operation where more than one speaks.
#pragma once

#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/verify/knowledge.hpp"

namespace rhopsi::verify {

// Two axioms about the shape, the element or the value of one operation, one of which at least has
// a condition. The claim is that their right sides are equal where the conditions hold; its
// unknowns are `parameters`. Where that is nowhere, it says nothing (Verdict::says_nothing).
struct Agreement {
  const term::Axiom* first;   // as the theory of the knowledge has it
  const term::Axiom* second;  // the same; it was given later
  term::LocationId second_location{};
  term::LocationId first_location{};
  term::TermId left{};  // of the second
  bool first_conditional = true;
  bool second_conditional = true;
  std::vector<term::SymbolId> parameters;
  term::Claim claim;
};

// Of all pairs whose right sides are not written alike: of definitions by cases; and of a
// definition and another axiom, no theorem, one with a condition and one without, unless the one
// without is an equation of the operation with itself, f(a, b) == f(b, a). `knowledge` has to
// outlive the result.
std::vector<Agreement> agreements(term::Store& store, const Knowledge& knowledge,
                                  const onf::PrimitiveTable& table);

}  // namespace rhopsi::verify
