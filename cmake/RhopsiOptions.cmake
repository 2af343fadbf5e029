# Options of the build and the defaults every target starts from.

option(RHOPSI_WERROR "Treat compiler warnings as errors" OFF)
option(RHOPSI_BENCHMARKS "Build the benchmarks" ON)
option(RHOPSI_FUZZ "Build libFuzzer's programs (Clang)" OFF)
set(RHOPSI_SANITIZE "" CACHE STRING
  "Sanitizers to build with, separated by commas: address,undefined (empty: none)")

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RHOPSI_CCACHE ccache DOC "Compiler cache, used when found")
  mark_as_advanced(RHOPSI_CCACHE)
  if(RHOPSI_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${RHOPSI_CCACHE}")
  endif()
endif()

# What every target of the project is compiled with; users of the installed library do not inherit it.
add_library(rhopsi_build_options INTERFACE)
add_library(rhopsi::build_options ALIAS rhopsi_build_options)
target_compile_features(rhopsi_build_options INTERFACE cxx_std_20)
target_compile_options(rhopsi_build_options INTERFACE -Wall -Wextra -Wpedantic)
if(RHOPSI_WERROR)
  target_compile_options(rhopsi_build_options INTERFACE -Werror)
endif()

# GCC 12 reports overlapping copies inside std::string where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(rhopsi_build_options INTERFACE -Wno-restrict)
endif()

if(RHOPSI_SANITIZE)
  # All but the test executables that are UNINSTRUMENTED (cmake/RhopsiTarget.cmake).
  set(instrumented "$<NOT:$<BOOL:$<TARGET_PROPERTY:RHOPSI_UNINSTRUMENTED>>>")
  target_compile_options(rhopsi_build_options INTERFACE
    "$<${instrumented}:-fsanitize=${RHOPSI_SANITIZE};-fno-sanitize-recover=all>" -fno-omit-frame-pointer)
  target_link_options(rhopsi_build_options INTERFACE -fsanitize=${RHOPSI_SANITIZE})
  if(RHOPSI_SANITIZE MATCHES "address")
    # An access by a null pointer or outside of an object the address sanitizer tells too. One that is not aligned it
    # does not: x86 does it all the same. These checks, at each access, are a third of what files take to compile.
    target_compile_options(rhopsi_build_options INTERFACE
      "$<${instrumented}:-fno-sanitize=null,alignment,object-size>")
  endif()
  # RHOPSI_SANITIZED: what compilers call this differs.
  target_compile_definitions(rhopsi_build_options INTERFACE _GLIBCXX_ASSERTIONS RHOPSI_SANITIZED)
  # The instrumentation hides initialisations from GCC's flow analysis.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(rhopsi_build_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
