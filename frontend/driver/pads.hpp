// The pads of each array of a program, where their width was found.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Was the width of the program's pads found (`padding.auto`), and not stated?
bool has_found_pads(const term::Theory& program);

// Of such a program, gives each array the least pads at both ends of each axis for which every
// access that the rules have left is within them (onf::narrow_pads), and verifies the module again.
// What became of them, for people; nothing where the width was stated, which then is the width of
// all arrays:
//
//   pads of each array and axis, the least that is read (padding() = 2)
//     step: a: [2+0, 0+1]
//       axis 0, below: 2, read at wide.mg:6
//       axis 1, above: 1, read at wide.mg:7
//     none: step: b
std::vector<std::string> narrow_pads(Session& session, const term::Theory& program,
                                     onf::Module& module, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
