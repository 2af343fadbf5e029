// What a proof may start from, and what is left to be proved.
//
// A definition is an axiom that says what one operation means: its shape, its element at a total
// index, or its value, for distinct variables as arguments. The first of a kind for an operation
// is one, what comes after it has to follow. A theorem is never a definition.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::verify {

struct Knowledge {
  term::Theory theory;                          // whose axioms are the definitions
  std::vector<const term::Axiom*> definitions;  // of the theory that was asked about
  std::vector<const term::Axiom*> open;         // its other axioms, in order
  // Of a model: axioms about every value of a sort, with that value as their only parameter.
  std::vector<const term::Axiom*> invariants;
};

// Of the theory's own axioms, with the definitions of `library` (may be null); what that defines is
// defined by it alone. Both must outlive the result.
Knowledge knowledge_of(term::Store& store, const term::Theory& theory, const term::Theory* library,
                       const onf::PrimitiveTable& table);
// Of a model that is to satisfy `specification`: all axioms of the model are taken for granted,
// those of the specification are open.
Knowledge knowledge_of_model(term::Store& store, const term::Theory& model,
                             const term::Theory& specification, const term::Theory* library,
                             const onf::PrimitiveTable& table);

// The operations of the claim of which nothing is known: no definition, no body, no external.
// Those without arguments are no functions, but unknown values.
std::vector<term::SymbolId> undefined_operations(term::Store& store, const Knowledge& knowledge,
                                                 const onf::PrimitiveTable& table,
                                                 const term::Claim& claim);

}  // namespace rhopsi::verify
