// Where a definition has to have a value: what an operation means is asked for wherever its guard
// holds, and of an element at every index within the shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/moa/reduce.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::verify {

struct Domain {
  enum class Part : std::uint8_t { shape, element, array };
  Part part = Part::element;
  term::SymbolId operation{};
  std::optional<term::TermId> guard;     // of the operation, for the definition's own variables
  std::vector<term::TermId> conditions;  // of the definition, and of its shape
  std::optional<term::SymbolId> index;   // of an element: lies within
  std::optional<term::TermId> shape;     // this
  term::TermId right{};                  // what is to stay within the arrays that it reads
};

// Of a definition that says what an array is: its shape, its elements, or other arrays that it is
// made of. Nothing for other claims: a function of numbers may have no value where its guard holds,
// and what it reads is looked at wherever a definition of an array, or a law, asks for it. Several
// where the shape is given by cases; an element of what has no shape axiom gives none.
std::vector<Domain> domains_of(const moa::Library& library, const term::Claim& claim);

}  // namespace rhopsi::verify
