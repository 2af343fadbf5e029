// Where kernels run, and where their arrays lie, for what uses Kokkos itself.
#pragma once

#include <Kokkos_Core.hpp>

// rhopsi_program.cmake defines it for the target of the folder, in the callers of its functions
// too.
#ifndef RHOPSI_EXEC
#define RHOPSI_EXEC Kokkos::DefaultExecutionSpace
#endif

namespace rhopsi {

using Exec = RHOPSI_EXEC;
using Memory = typename Exec::memory_space;

}  // namespace rhopsi
