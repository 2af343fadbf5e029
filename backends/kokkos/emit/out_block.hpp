// Results that may lie in the block of the `out` argument that they become.
#pragma once

#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

// The `out` argument of which `view`, which the function allocates, takes the block where it has
// one that nobody else has, which is known where the program runs. The argument is named nowhere
// else in the function, and behind the allocation nothing ends with a diagnostic, behind which a
// caller's array has to be as it was. Nothing: there is none. Linear in the function.
std::optional<onf::ViewId> out_argument_of(const onf::Function& function, onf::ViewId view);

}  // namespace rhopsi::kokkos
