// Widths of pads that are found and not stated (`external Kokkos padding.auto`).
#pragma once

#include <vector>

#include "frontend/elaborate/module.hpp"

namespace rhopsi::elaborate {

// The operations of the theory that are such widths.
std::vector<term::SymbolId> found_widths(const ModuleContext& context, const term::Theory& theory);

// Gives each of them the least number for which every condition holds that let a rule fire on the
// way to the program (0 if none asked), as its body. False, and an error at the program's name,
// where there is no such number.
bool state_widths(const ModuleContext& context, Module& module, const syntax::Name& program);

}  // namespace rhopsi::elaborate
