// Numbers are of the narrowest type that holds them in single expressions, and reals in programs.
#pragma once

#include <vector>

#include "engine/moa/library.hpp"

namespace rhopsi::verify {

// The operations of the terms, and those of what these are defined by, each once. Linear in the
// definitions that are reached, times the number of operations.
std::vector<term::SymbolId> operations_behind(const moa::Library::Contents& library,
                                              const std::vector<term::TermId>& terms);

// Whether what the terms come to has integers or truth values as numbers, by a literal or by an
// operation: 7 / 2 is 3 where numbers promote, as `library` has them, and 3.5 where they are reals.
// False: what is proved of numbers that promote is true of reals, which are some of them.
bool has_numbers_that_promote(const moa::Library::Contents& library,
                              const std::vector<term::TermId>& terms);

}  // namespace rhopsi::verify
