// Which functions of a module its emitted text needs.
#pragma once

#include <set>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

// The roots, what they call, directly or not, and what the module's externals are given as function
// objects. A schedule leaves functions that nobody calls any more: those of which every call was
// followed into its caller, and their parts. Linear in the module.
std::set<onf::FunctionId> reachable(const onf::Module& module,
                                    const std::vector<onf::FunctionId>& roots);

}  // namespace rhopsi::kokkos
