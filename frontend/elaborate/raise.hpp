// Theory back to syntax: what `rewrite` prints.
#pragma once

#include "engine/term/theory.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

// One self-contained package `package_name` with one module of the theory's kind and
// name that elaborates to the same theory: types, callables with bodies and guards,
// axioms, and the external blocks re-stated under their original names with the
// renamings that lead back. Bound variables get legal names that are unique in their
// scope (no shadowing); casts are added exactly where overloads would otherwise be
// ambiguous.
syntax::Package raise(const term::Store& store, const term::Theory& theory,
                      const std::string& package_name);

// A single callable, as a declaration.
syntax::CallableDecl raise_callable(const term::Store& store, const term::Theory& theory,
                                    const term::Callable& callable);

// The same of an axiom of the theory.
syntax::CallableDecl raise_axiom(const term::Store& store, const term::Theory& theory,
                                 const term::Axiom& axiom);

}  // namespace rhopsi::elaborate
