// How deep a program is nested.
#pragma once

#include <cstddef>

#include "engine/term/theory.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Levels that a term has as text: its height, where the left operands of operators in a row
// are on one level. Linear in the term, shared parts counted once. Iterative.
std::size_t nesting(const term::Store& store, term::TermId term);

// Are the bodies and guards nested no deeper than can be printed? Else E0847.
bool check_nesting(const term::Store& store, const term::Theory& theory,
                   syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
