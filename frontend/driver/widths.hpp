// Why the pads of a program are as wide as they are.
#pragma once

#include <string>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// Of pads whose width was found: one line for each, and below it for each array and axis the least
// width that lets every rule fire, with a step that asks for it:
//
//   padding() = 2, the least that lets every rule fire
//     a, axis 0: 2 for psi((i + -2) % shape0(), a) at wide.mg:6, by eliminateModuloPaddingRule
std::vector<std::string> width_reasons(Session& session, const term::Theory& theory);

}  // namespace rhopsi::driver
