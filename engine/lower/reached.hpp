// What of a program its operations lead to.
#pragma once

#include <unordered_set>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::lower {

// The operations that a call of one of `roots` may lead to, these among them: what bodies and
// guards call, and what external blocks require of the program. Where arrays have shapes of their
// own, axioms are followed too, once the program has all that their left sides speak of. Linear in
// the program, and in its axioms so often as one of them leads to others.
std::unordered_set<term::SymbolId> reached(term::Store& store, const term::Program& program,
                                           const onf::PrimitiveTable& table,
                                           const std::vector<term::SymbolId>& roots);

}  // namespace rhopsi::lower
