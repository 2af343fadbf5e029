// Expressions and statements to terms: names, overloads, casts, literals, modes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/elaborate/scope.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

// The variables that a body may use.
struct Parameters {
  std::vector<term::SymbolId> variables;  // in order
  std::vector<term::Mode> modes;          // one each (obs for functions and axioms)
  // Variadic parameters: the pack's name -> its member variables, in order.
  std::map<std::string, std::vector<term::SymbolId>> packs;
};

enum class BodyKind { function, predicate, procedure, axiom };

// The body of a callable. `result` is the sort of a function's or predicate's value;
// ignored for procedures and axioms. Problems go to `diagnostics`, as many as can be
// told apart; nothing is returned then. Axiom bodies may consist of declarations and
// assertions; an expression body of an axiom is one assertion.
//
// Overloads are resolved by argument and result sorts together: the expected sort
// flows from the result, `var x: T =`, casts, parameters of the callee and the other
// branch of an `if`; an expression with no or several readings is an error that
// lists the candidates. Time is linear in the size of the body times the number of
// overloads per name.
std::optional<term::TermId> elaborate_body(const Scope& scope, const syntax::Expr& body,
                                           BodyKind kind, term::SortId result,
                                           const Parameters& parameters,
                                           syntax::Diagnostics& diagnostics);

// A guard: a predicate over the parameters, without effects.
std::optional<term::TermId> elaborate_guard(const Scope& scope, const syntax::Expr& guard,
                                            const Parameters& parameters,
                                            syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::elaborate
