// Definitions in place of the calls that use them. Internal to this folder.
#pragma once

#include "engine/moa/library.hpp"

namespace rhopsi::moa {

// The same expression with the subterms of definitions among its own: an operation that has neither
// a shape nor elements of its own is what its rule or its body says. Calls whose guard is not
// certain at the place stay, as does everything below a binder; and the whole expression where it
// would grow very large.
//
//   f(f(u)), where f(x) == rotate(x, 0, 1) + x   =>   rotate(t, 0, 1) + t
//   with rotate(u, 0, 1) + u for t
term::TermId unfolded(const Library& library, term::TermId expression, const Place& place,
                      const Limits& limits);

// Are all free variables of the term arrays and numbers of the place?
bool has_only_variables_of(const term::Store& store, const Place& place, term::TermId term);

}  // namespace rhopsi::moa
