// Names of arrays move to where their values are made. Internal to this folder.
#pragma once

#include "engine/onf/statement.hpp"

namespace rhopsi::schedule {

// A result gets the name that it has in the end as soon as it is there, where nobody asks for what
// had that name before; who reads it then, reads it by that name:
//
//   x1 := x + a * p; s := dot(x1, x1); x = share x1  =>  x1 := x + a * p; x = share x1; s := dot(x,
//   x)
//
// So a row of statements that becomes a function (outline.hpp) changes an argument, and needs no
// array besides it. Values are as before. In loops and branches, too. Quadratic in the number of
// statements of a list, at most.
void share_early(onf::Statements& body);

}  // namespace rhopsi::schedule
