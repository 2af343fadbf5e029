// Named parts of arrays, read where they came from. Internal to this folder.
#pragma once

#include <cstddef>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Arrays that only rearrange elements of another one, and have other axes than `rank` or an axis of
// a length that is a number, as a column or a row that has a name: their elements are read of the
// other one, and they are made no more.
//
//   first[i, j] := u[i, 0]; y[i, j] := if j < 1 then first[i, j] else x[i, j - 1]
//     =>  y[i, j] := if j < 1 then u[i, 0] else x[i, j - 1]
//
// Where nothing changes the other array before the last of these reads, and nobody names the part
// as a whole. Quadratic in the number of statements of a list, at most.
void forward_copies(Function& function, std::size_t rank);

}  // namespace rhopsi::onf
