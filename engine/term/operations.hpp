// What can be done with any term: substitution, renaming, equality, traversal.
// All of these are iterative: nesting 10^6 deep does not overflow the stack.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::term {

// Variable -> term.
using Substitution = std::unordered_map<SymbolId, TermId>;

// The term with every free occurrence of a variable in the domain replaced. Binders
// inside `term` get fresh bound variables when they would otherwise capture or be
// shared (every binder that is copied is freshened). Returns the same handle when
// nothing changed. A variable that is replaced on the left of an assignment,
// declaration or `upd`/`out` argument must be replaced by a variable.
TermId substitute(Store& store, TermId term, const Substitution& substitution);

// Like substitute, but every binder of `term` gets fresh bound variables, whether the
// substitution reaches it or not: one use of a rule's right side or of a body. What is
// copied stands at `place` if that is known, else where it stood.
TermId instantiate(Store& store, TermId term, const Substitution& substitution,
                   LocationId place = {});

// A copy whose binders all have fresh bound variables.
TermId freshen(Store& store, TermId term);

// Equal up to the names of bound variables (and places).
bool alpha_equal(const Store& store, TermId left, TermId right);

// Equal up to bound variables and up to the given pairing of free variables
// (parameters of two callables with the same body).
bool alpha_equal(const Store& store, TermId left, TermId right,
                 std::span<const SymbolId> left_parameters,
                 std::span<const SymbolId> right_parameters);

// Free variables, each once, in order of first occurrence.
std::vector<SymbolId> free_variables(const Store& store, TermId term);
bool occurs(const Store& store, SymbolId symbol, TermId term);

// All operation symbols (functions, predicates, procedures; a fold's operation too)
// in order of first occurrence.
std::vector<SymbolId> operations_in(const Store& store, TermId term);

// Number of nodes.
std::size_t size(const Store& store, TermId term);

// Calls `visit` on every subterm in pre-order; descends where it returns true.
void for_each_subterm(const Store& store, TermId term, const std::function<bool(TermId)>& visit);

// A position is the path of child numbers from the root.
using Position = std::vector<std::uint32_t>;
TermId at(const Store& store, TermId term, const Position& position);
TermId replace_at(Store& store, TermId term, const Position& position, TermId replacement);

// One line for traces and debugging: operators infix, controls in the language's
// spelling; not meant to be parsed again (frontend prints programs).
std::string to_string(const Store& store, TermId term);
// The same, cut where it gets longer than `most` bytes: then "..." follows. Linear in `most` and in
// the number of children of what is printed.
std::string to_string(const Store& store, TermId term, std::size_t most);
// `name(Sort, Sort): Sort`; procedures without a result.
std::string to_string(const Store& store, SymbolId symbol);

}  // namespace rhopsi::term
