# Sources of building and running emitted programs, and what they link to.

set(RHOPSI_KOKKOS_BUILD_SOURCES)
foreach(name IN ITEMS build.cpp cache.cpp digest.cpp kokkos.cpp process.cpp runtime_object.cpp
             tools.cpp)
  list(APPEND RHOPSI_KOKKOS_BUILD_SOURCES "${PROJECT_SOURCE_DIR}/backends/kokkos/build/${name}")
endforeach()
