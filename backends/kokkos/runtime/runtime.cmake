# The files that every emitted folder carries, and a source that holds them:
#
#   include(runtime/runtime.cmake)   # sets RHOPSI_RUNTIME_FILES, RHOPSI_RUNTIME_SOURCE, RHOPSI_BATCH_SOURCE

set(RHOPSI_RUNTIME_FILES)
foreach(name IN ITEMS
    rhopsi_along_row.hpp rhopsi_arrays.hpp rhopsi_block.hpp rhopsi_blocked_field.hpp rhopsi_boxes.hpp rhopsi_circular.hpp rhopsi_device_folds.hpp rhopsi_device_loops.hpp rhopsi_driver.cpp rhopsi_driver.hpp
    rhopsi_driver_arrays.hpp rhopsi_driver_diagnostics.hpp rhopsi_driver_options.hpp rhopsi_driver_program.hpp
    rhopsi_driver_report.hpp rhopsi_driver_request.hpp rhopsi_driver_values.hpp rhopsi_ends.hpp rhopsi_error.hpp
    rhopsi_exec.hpp rhopsi_fetch.hpp rhopsi_field.hpp rhopsi_fold_blocks.hpp rhopsi_fold_in_order.hpp
    rhopsi_fold_levels.hpp rhopsi_fold_panels.hpp rhopsi_fold_terms.hpp rhopsi_fold_tiles.hpp rhopsi_handed_out.hpp rhopsi_index.hpp rhopsi_interface.hpp rhopsi_kernels.hpp
    rhopsi_kokkos.cpp rhopsi_kokkos.hpp rhopsi_lane_choices.hpp rhopsi_lanes.hpp rhopsi_lines.hpp
    rhopsi_one_shape.hpp rhopsi_overlap.hpp rhopsi_pipeline.hpp rhopsi_plane_tiles.hpp rhopsi_platform.hpp rhopsi_pool.cpp rhopsi_pool.hpp rhopsi_program.cmake
    rhopsi_register_tiles.hpp rhopsi_row_blocks.hpp rhopsi_row_folds.hpp rhopsi_running.hpp rhopsi_runs.hpp rhopsi_scalar.hpp rhopsi_shapes.hpp rhopsi_shim.hpp
    rhopsi_small_tiles.hpp rhopsi_strips.hpp rhopsi_team.hpp rhopsi_teams.hpp rhopsi_tile_sums.hpp rhopsi_tiles.hpp rhopsi_unroll.hpp rhopsi_views.hpp
    rhopsi_wide_tiles.hpp)
  list(APPEND RHOPSI_RUNTIME_FILES "${PROJECT_SOURCE_DIR}/backends/kokkos/runtime/${name}")
endforeach()
foreach(name IN ITEMS atomic_file.hpp checkpoint_file.hpp element_type.hpp error.hpp memory.hpp npy.hpp
    npy_header.hpp vti.hpp)
  list(APPEND RHOPSI_RUNTIME_FILES "${PROJECT_SOURCE_DIR}/backends/io/${name}")
endforeach()
list(APPEND RHOPSI_RUNTIME_FILES "${PROJECT_SOURCE_DIR}/backends/primitives/elementary.hpp"
    "${PROJECT_SOURCE_DIR}/backends/primitives/sines.hpp")

# What a batch carries besides.
set(RHOPSI_BATCH_FILES "${PROJECT_SOURCE_DIR}/backends/io/memory.hpp"
    "${PROJECT_SOURCE_DIR}/backends/primitives/elementary.hpp"
    "${PROJECT_SOURCE_DIR}/backends/primitives/sines.hpp")
foreach(name IN ITEMS rhopsi_batch.cpp rhopsi_batch.hpp rhopsi_batch_program.hpp)
  list(APPEND RHOPSI_BATCH_FILES "${PROJECT_SOURCE_DIR}/backends/kokkos/runtime/${name}")
endforeach()

function(rhopsi_embed_runtime output function)
  rhopsi_embed("${output}" HEADER backends/kokkos/build/file.hpp TYPE rhopsi::kokkos::File
    FUNCTION ${function} FILES ${ARGN})
endfunction()

set(RHOPSI_RUNTIME_SOURCE "${CMAKE_CURRENT_BINARY_DIR}/runtime_files.cpp")
rhopsi_embed_runtime("${RHOPSI_RUNTIME_SOURCE}" runtime_files ${RHOPSI_RUNTIME_FILES})
set(RHOPSI_BATCH_SOURCE "${CMAKE_CURRENT_BINARY_DIR}/batch_files.cpp")
rhopsi_embed_runtime("${RHOPSI_BATCH_SOURCE}" batch_files ${RHOPSI_BATCH_FILES})
