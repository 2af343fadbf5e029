// Which modules of the rule library declare an operation: for advice.
#pragma once

#include <string>

namespace rhopsi::driver {

// "`Indices` of package backend.kokkos": the modules whose text declares an operation of that name;
// of the operations of array expressions the one module that has them all. Empty: none. Reads the
// texts of the library.
std::string declared_in_library(const std::string& operation);

}  // namespace rhopsi::driver
