# How an emitted folder builds its program:
#
#   rhopsi_program(<name> <file>...)
#
# finds Kokkos, repairs the installations known to be broken, and sets the flags. Results are
# those of the program as written, bit for bit, unless RHOPSI_FAST_MATH says otherwise.

option(RHOPSI_CHECKED "Check bounds, pads and NaN in every kernel" OFF)
option(RHOPSI_FAST_MATH "Let the compiler reassociate: for programs that say reassociate" OFF)
option(RHOPSI_NATIVE "Compile for the processor of this machine" ON)
option(RHOPSI_NARROW_ONLY "For arrays whose indices 32 bits hold: half of the time to compile" OFF)

# The sources of the runtime know nothing of the program: whoever builds many of them compiles these once.
set(RHOPSI_RUNTIME_OBJECTS "" CACHE PATH "A folder with rhopsi_driver.o, rhopsi_kokkos.o and rhopsi_pool.o, or with some of\
 them: what it lacks is compiled here")

set(RHOPSI_RUNTIME_DIR "${CMAKE_CURRENT_LIST_DIR}")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

# The installations that scripts/setup has settled on, as `rhopsi run` looks for them: in the cache that is named, and
# in the user's own.
function(rhopsi_settled_kokkos result)
  set(usual "$ENV{HOME}/.cache/rhopsi")
  if(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(usual "$ENV{XDG_CACHE_HOME}/rhopsi")
  endif()
  set(prefixes)
  foreach(cache IN ITEMS "$ENV{RHOPSI_CACHE}" "${usual}")
    if(NOT cache STREQUAL "" AND EXISTS "${cache}/kokkos/current")
      file(STRINGS "${cache}/kokkos/current" prefix LIMIT_COUNT 1)
      list(APPEND prefixes ${prefix})
    endif()
  endforeach()
  set(${result} ${prefixes} PARENT_SCOPE)
endfunction()

# Hints come behind what is named by Kokkos_DIR, Kokkos_ROOT and CMAKE_PREFIX_PATH, and before the folders of the system.
rhopsi_settled_kokkos(rhopsi_settled)
find_package(Kokkos QUIET CONFIG HINTS ${rhopsi_settled})
if(NOT Kokkos_FOUND)
  set(rhopsi_refused "")
  if(Kokkos_CONSIDERED_CONFIGS)
    set(rhopsi_refused "\nNot usable: ${Kokkos_CONSIDERED_CONFIGS}. ${Kokkos_NOT_FOUND_MESSAGE}")
  endif()
  message(FATAL_ERROR "no Kokkos installation was found. Run scripts/setup of rhopsi, or name an installation by"
                      " -DKokkos_ROOT=<prefix>, the folder that holds lib/cmake/Kokkos.${rhopsi_refused}")
endif()

# Where kernels run: the target of the folder, SERIAL, OPENMP or CUDA, which it sets as RHOPSI_TARGET. Where none is
# set, or Kokkos was not built for it, they run where Kokkos runs things by default.
function(rhopsi_device result)
  set(${result} "" PARENT_SCOPE)
  foreach(device IN ITEMS ${RHOPSI_TARGET} CUDA HIP SYCL OPENMP THREADS SERIAL)
    if("${device}" IN_LIST Kokkos_DEVICES)
      set(${result} "${device}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

rhopsi_device(rhopsi_runs_on)
if(RHOPSI_TARGET AND NOT "${RHOPSI_TARGET}" STREQUAL "${rhopsi_runs_on}")
  message(WARNING "This Kokkos has no ${RHOPSI_TARGET} backend: the program runs on ${rhopsi_runs_on}")
endif()

# Debian 12's libtrilinos-kokkos-dev names an include folder that does not exist.
foreach(rhopsi_target IN ITEMS Kokkos::kokkos Kokkos::kokkoscore Kokkos::kokkoscontainers
                               Kokkos::kokkosalgorithms)
  if(TARGET ${rhopsi_target} AND NOT EXISTS /usr/lib/include)
    get_target_property(rhopsi_aliased ${rhopsi_target} ALIASED_TARGET)
    if(rhopsi_aliased)
      set(rhopsi_target ${rhopsi_aliased})
    endif()
    get_target_property(rhopsi_includes ${rhopsi_target} INTERFACE_INCLUDE_DIRECTORIES)
    if(rhopsi_includes MATCHES "/usr/lib/include")
      list(TRANSFORM rhopsi_includes REPLACE "^/usr/lib/include$" "/usr/include/trilinos")
      set_target_properties(${rhopsi_target} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${rhopsi_includes}")
    endif()
  endif()
endforeach()

# Value-preserving: they only stop the compiler from caring about errno and floating-point traps.
set(rhopsi_host_flags -fno-math-errno -fno-trapping-math -fopenmp-simd)
if(RHOPSI_FAST_MATH)
  list(APPEND rhopsi_host_flags -ffast-math)
else()
  list(APPEND rhopsi_host_flags -ffp-contract=off)
endif()

# A GCC that does not know the processor tunes for an older one, or for none: GCC 12 for Zen 3 where there is a Zen 4.
# What wide registers cost is not told there, and in a loop over many rows neighbours are loaded again for each use, and
# registers kept on the stack. So where there are registers of 64 bytes it tunes for a processor that has them, with
# vectors of the width that it takes in any case. Instructions stay those of this machine, and results the same.
function(rhopsi_tuned_for_width result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR "CUDA" IN_LIST Kokkos_DEVICES OR NOT EXISTS /dev/null
     OR CMAKE_CXX_FLAGS MATCHES "-m(tune|prefer-vector-width)=")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -march=native -dM -E -x c++ /dev/null
                  OUTPUT_VARIABLE macros ERROR_QUIET)
  if(NOT macros MATCHES "#define __AVX512F__ ")
    return()
  endif()
  if(NOT macros MATCHES "#define __tune_" OR macros MATCHES "#define __tune_znver[123]__ ")
    set(${result} -mtune=skylake-avx512 -mprefer-vector-width=512 PARENT_SCOPE)
  endif()
endfunction()

# Vectors of 64 bytes that begin within a line of the cache take two reads. Where a processor shifts vectors beside its
# sums and products it is faster to read whole lines (rhopsi_along_row.hpp): measured on Zen 5. Others keep to plain
# loops, unless RHOPSI_SHIFTS is set.
if(NOT DEFINED RHOPSI_SHIFTS)
  set(RHOPSI_SHIFTS OFF)
  if(RHOPSI_NATIVE AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo rhopsi_vendor REGEX "^vendor_id" LIMIT_COUNT 1)
    if(rhopsi_vendor MATCHES "AuthenticAMD")
      set(RHOPSI_SHIFTS ON)
    endif()
  endif()
endif()

if(RHOPSI_NATIVE)
  rhopsi_tuned_for_width(rhopsi_tuned)
  list(APPEND rhopsi_host_flags -march=native ${rhopsi_tuned})
endif()

# What is compiled, and with PUBLIC also who calls it, has to know where kernels run.
function(rhopsi_runs_there name scope)
  set(space_SERIAL Kokkos::Serial)
  set(space_OPENMP Kokkos::OpenMP)
  set(space_CUDA Kokkos::Cuda)
  rhopsi_device(device)
  if(RHOPSI_TARGET AND "${device}" STREQUAL "${RHOPSI_TARGET}")
    target_compile_definitions(${name} ${scope} RHOPSI_EXEC=${space_${device}})
  endif()
endfunction()

# Flags and libraries of what includes headers of Kokkos.
function(rhopsi_with_kokkos name)
  rhopsi_runs_there(${name} PRIVATE)
  rhopsi_device(device)
  if("${device}" MATCHES "^(SERIAL|OPENMP|THREADS)$")
    target_compile_definitions(${name} PRIVATE RHOPSI_HOST)
  endif()
  target_include_directories(${name} PRIVATE "${RHOPSI_RUNTIME_DIR}")
  target_link_libraries(${name} PRIVATE Kokkos::kokkos)
  # Kokkos states the least standard it needs; the emitted text itself needs C++17.
  if(Kokkos_VERSION VERSION_GREATER_EQUAL 5)
    target_compile_features(${name} PRIVATE cxx_std_20)
  else()
    target_compile_features(${name} PRIVATE cxx_std_17)
  endif()
endfunction()

# Sources of the runtime: compiled once for all targets of a project that run in the same place. What -O3 would gain is
# not worth its compile time.
function(rhopsi_add_sources name)
  rhopsi_device(device)
  foreach(source IN LISTS ARGN)
    if(RHOPSI_RUNTIME_OBJECTS AND EXISTS "${RHOPSI_RUNTIME_OBJECTS}/${source}.o")
      target_sources(${name} PRIVATE "${RHOPSI_RUNTIME_OBJECTS}/${source}.o")
      continue()
    endif()
    set(objects ${source}_${device})
    if(NOT TARGET ${objects})
      add_library(${objects} OBJECT EXCLUDE_FROM_ALL "${RHOPSI_RUNTIME_DIR}/${source}.cpp")
      # Where the folder is emitted when the project is built, by that target.
      if(RHOPSI_EMITTED_BY)
        set_source_files_properties("${RHOPSI_RUNTIME_DIR}/${source}.cpp" PROPERTIES GENERATED ON)
        add_dependencies(${objects} ${RHOPSI_EMITTED_BY})
      endif()
      rhopsi_with_kokkos(${objects})
      target_compile_options(${objects} PRIVATE -O1)
      set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()

# For C++ and C. Functions of the runtime are the same for all libraries of a program, and would be taken from any: so
# CMake refuses to link those that run in different places.
function(rhopsi_callable name folder)
  target_include_directories(${name} PUBLIC ${folder})
  target_link_libraries(${name} PUBLIC Kokkos::kokkos)
  rhopsi_runs_there(${name} PUBLIC)
  rhopsi_device(device)
  set_property(TARGET ${name} PROPERTY INTERFACE_RHOPSI_RUNS_ON "${device}")
  set_property(TARGET ${name} APPEND PROPERTY COMPATIBLE_INTERFACE_STRING RHOPSI_RUNS_ON)
endfunction()

# What includes rhopsi_shim.hpp, and what it is linked with.
function(rhopsi_target name)
  rhopsi_with_kokkos(${name})
  rhopsi_add_sources(${name} rhopsi_kokkos rhopsi_pool)
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE RHOPSI_OPENMP_SIMD
    $<$<BOOL:${RHOPSI_CHECKED}>:RHOPSI_CHECKED>
    $<$<BOOL:${RHOPSI_SHIFTS}>:RHOPSI_SHIFTS>
    $<$<BOOL:${RHOPSI_NARROW_ONLY}>:RHOPSI_NARROW_ONLY>
    $<$<BOOL:${RHOPSI_FAST_MATH}>:RHOPSI_REASSOCIATES>)
  # Set by the folder where its schedule says so: elements below which one thread does a pass.
  if(DEFINED RHOPSI_SERIAL_BELOW)
    target_compile_definitions(${name} PRIVATE RHOPSI_SERIAL_BELOW=${RHOPSI_SERIAL_BELOW})
  endif()
  target_compile_options(${name} PRIVATE ${rhopsi_host_flags})
  if("CUDA" IN_LIST Kokkos_DEVICES)
    # Kernels call std::numeric_limits.
    target_compile_options(${name} PRIVATE --expt-relaxed-constexpr
      $<IF:$<BOOL:${RHOPSI_FAST_MATH}>,--use_fast_math,-fmad=false>)
  endif()
endfunction()

function(rhopsi_program name)
  add_executable(${name} ${ARGN})
  # Whoever adds the folder to a project of their own wants its functions.
  if(NOT CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  rhopsi_target(${name})
  rhopsi_add_sources(${name} rhopsi_driver)
endfunction()

# The functions of a program as a library for C++ and C. It is built where something asks for it.
function(rhopsi_kernels name)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  rhopsi_callable(${name} "${CMAKE_CURRENT_SOURCE_DIR};${RHOPSI_RUNTIME_DIR}")
  rhopsi_target(${name})
endfunction()

# The same as a shared library lib<file>.so, which the program's Python module loads.
function(rhopsi_python name file)
  add_library(${name} SHARED EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME "${file}" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  rhopsi_target(${name})
endfunction()

# Many functions, each called once: the runtime is read once for all files, and little optimised.
function(rhopsi_batch name)
  add_executable(${name} "${RHOPSI_RUNTIME_DIR}/rhopsi_batch.cpp" ${ARGN})
  rhopsi_target(${name})
  target_compile_options(${name} PRIVATE -O1)
  if(NOT "CUDA" IN_LIST Kokkos_DEVICES)
    target_precompile_headers(${name} PRIVATE "${RHOPSI_RUNTIME_DIR}/rhopsi_batch.hpp")
  endif()
endfunction()
