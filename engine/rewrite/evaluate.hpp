// The value of a condition where its unknowns have values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/term/oracle.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::rewrite {

// The meaning of an operation by the interpretation, or as a builtin predicate.
term::Arithmetic meaning_of(const term::Store& store, const term::Interpretation& interpretation,
                            term::SymbolId symbol);
std::optional<term::TermId> definition_of(const term::Interpretation& interpretation,
                                          term::SymbolId symbol);

// The value of `length` of a vector whose components are written out.
std::optional<std::int64_t> length_of_literal(const term::Store& store,
                                              const term::Interpretation& interpretation,
                                              term::TermId term);

// Values of variables and of nullary operations without a definition. Predicates have
// the values 0 and 1.
using Assignment = std::unordered_map<term::SymbolId, std::int64_t>;

// The value, or nothing where it depends on something without one: an unknown outside
// of the assignment, an operation without a meaning, a division by zero, a value beyond
// 64 bits, a term too deep or too large. Linear in the term's size as a tree.
std::optional<std::int64_t> evaluate(const term::Store& store,
                                     const term::Interpretation& interpretation, term::TermId term,
                                     const Assignment& assignment);

// The unknowns of a term, in order of first occurrence.
struct Unknowns {
  std::vector<term::SymbolId> free;     // may have any integer value
  std::vector<term::SymbolId> defined;  // nullary operations with a definition
  bool only_integers = true;            // nothing else keeps the term from having a value
};
// Looks at no more than `limit` nodes; a larger term is taken not to have a value.
Unknowns unknowns_in(const term::Store& store, const term::Interpretation& interpretation,
                     std::span<const term::TermId> terms, std::size_t limit);

// "i = 0, l = 1, pad() = 2": each free unknown, which has a value, and what the others are then.
std::string describe(const term::Store& store, const term::Interpretation& interpretation,
                     const Unknowns& unknowns, const Assignment& assignment);

// Are its arguments integers?
bool interprets_integers(term::Arithmetic operation);

// Values for the free unknowns, small ones first, under which every fact holds and the
// condition does not; or nothing where a bounded search finds none.
std::optional<Assignment> falsify(const term::Store& store,
                                  const term::Interpretation& interpretation,
                                  term::TermId condition, std::span<const term::TermId> facts);

// The same in words, as `describe` has them.
std::optional<std::string> counterexample(const term::Store& store,
                                          const term::Interpretation& interpretation,
                                          term::TermId condition,
                                          std::span<const term::TermId> facts);

}  // namespace rhopsi::rewrite
