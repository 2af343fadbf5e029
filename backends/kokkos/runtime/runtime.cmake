# The files that every emitted folder carries, and a source that holds them:
#
#   include(runtime/runtime.cmake)   # sets RHOPSI_RUNTIME_FILES, RHOPSI_RUNTIME_SOURCE

set(RHOPSI_RUNTIME_FILES)
foreach(name IN ITEMS
    rhopsi_arrays.hpp rhopsi_block.hpp rhopsi_driver.cpp rhopsi_driver.hpp
    rhopsi_driver_diagnostics.hpp rhopsi_driver_options.hpp rhopsi_driver_program.hpp
    rhopsi_driver_report.hpp rhopsi_driver_values.hpp rhopsi_error.hpp rhopsi_field.hpp
    rhopsi_index.hpp rhopsi_kernels.hpp rhopsi_platform.hpp rhopsi_pool.hpp rhopsi_program.cmake
    rhopsi_scalar.hpp rhopsi_shim.hpp)
  list(APPEND RHOPSI_RUNTIME_FILES "${PROJECT_SOURCE_DIR}/backends/kokkos/runtime/${name}")
endforeach()
foreach(name IN ITEMS atomic_file.hpp checkpoint_file.hpp element_type.hpp error.hpp npy.hpp
    npy_header.hpp vti.hpp)
  list(APPEND RHOPSI_RUNTIME_FILES "${PROJECT_SOURCE_DIR}/backends/io/${name}")
endforeach()

set(RHOPSI_RUNTIME_SOURCE "${CMAKE_CURRENT_BINARY_DIR}/runtime_files.cpp")
set(embed "${PROJECT_SOURCE_DIR}/backends/kokkos/build/embed.cmake")
add_custom_command(
  OUTPUT "${RHOPSI_RUNTIME_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${RHOPSI_RUNTIME_SOURCE}" "-DFILES=${RHOPSI_RUNTIME_FILES}"
          -P "${embed}"
  DEPENDS ${RHOPSI_RUNTIME_FILES} "${embed}"
  COMMENT "Embedding the runtime of emitted programs"
  VERBATIM)
