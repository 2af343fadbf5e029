# How the folders of the project declare their targets.
#
#   rhopsi_add_library(<name> SOURCES <file>... [PUBLIC_LINKS <target>...] [PRIVATE_LINKS <target>...] [BRIEF])
#     static library rhopsi_<name> with the alias rhopsi::<name>; without sources, a header-only one; it is installed
#   rhopsi_add_executable(<name> SOURCES <file>... [LINKS <target>...] [BRIEF])
#     executable <name> in <build>/bin
#   BRIEF: what takes long it calls others for; under sanitizers its files are compiled without optimisation, in half of
#   the time.
#   rhopsi_add_test_executable(<name> SOURCES <file>... [LINKS <target>...] [LABELS <label>...] [TIMEOUT <seconds>]
#                              [COST <number>] [UNINSTRUMENTED] [UNSANITIZED] [OPTIMISED])
#     GoogleTest executable <name> with its main; each of its tests is a test of ctest, named <name>/<Suite>.<Test>.
#     Where the build puts files together (CMAKE_UNITY_BUILD) its files are too, so their local names differ.
#     UNINSTRUMENTED: what its tests look at runs in processes of its own; its own files are compiled without
#     the sanitizers (RHOPSI_SANITIZE), in a third of the time.
#     UNSANITIZED: its tests mostly compile, or run what others run: under sanitizers they are no tests, and it is built
#     only where it is asked for.
#     OPTIMISED: what its tests look at, or most of their time, is in its own files or in headers; the files of others
#     are compiled without optimisation, in half of the time.
#     TIMEOUT: 120 without it; five times that under sanitizers.
#     COST: tests that cost more begin earlier, where no run has measured them yet; without it, 0.
#     Label `long` keeps its tests out of the ordinary run. RHOPSI_SOURCE_DIR is the repository root, as a string.
#
# Headers are included from the repository root: #include "engine/term/term.hpp".

function(_rhopsi_check_arguments function prefix)
  if(${prefix}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown arguments ${${prefix}_UNPARSED_ARGUMENTS}")
  endif()
  if(${prefix}_KEYWORDS_MISSING_VALUES AND "SOURCES" IN_LIST ${prefix}_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${function}: SOURCES is empty")
  endif()
endfunction()

# Behind the options of the build, and so in their place.
function(_rhopsi_compile_brief target)
  if(RHOPSI_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

function(rhopsi_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BRIEF" "" "SOURCES;PUBLIC_LINKS;PRIVATE_LINKS")
  _rhopsi_check_arguments("rhopsi_add_library(${name})" arg)
  set(target rhopsi_${name})
  if(NOT arg_SOURCES)
    if(arg_PRIVATE_LINKS)
      message(FATAL_ERROR "rhopsi_add_library(${name}): no sources, so PRIVATE_LINKS has no meaning")
    endif()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/rhopsi>")
    target_compile_features(${target} INTERFACE cxx_std_20)
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC_LINKS})
  else()
    add_library(${target} STATIC ${arg_SOURCES})
    target_include_directories(${target} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/rhopsi>")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target}
      PUBLIC ${arg_PUBLIC_LINKS}
      PRIVATE ${arg_PRIVATE_LINKS} "$<BUILD_INTERFACE:rhopsi::build_options>")
    if(arg_BRIEF)
      _rhopsi_compile_brief(${target})
    endif()
  endif()
  add_library(rhopsi::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY RHOPSI_LIBRARIES ${target})  # for RhopsiInstall
endfunction()

function(rhopsi_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BRIEF" "" "SOURCES;LINKS")
  _rhopsi_check_arguments("rhopsi_add_executable(${name})" arg)
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} rhopsi::build_options)
  if(arg_BRIEF)
    _rhopsi_compile_brief(${name})
  endif()
endfunction()

function(rhopsi_add_test_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNINSTRUMENTED;UNSANITIZED;OPTIMISED" "TIMEOUT;COST"
    "SOURCES;LINKS;LABELS")
  _rhopsi_check_arguments("rhopsi_add_test_executable(${name})" arg)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(RHOPSI_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()
  if(NOT arg_COST)
    set(arg_COST 0)
  endif()
  rhopsi_add_executable(${name} SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} GTest::gtest_main)
  if(NOT arg_OPTIMISED)
    # Behind the options of the build, and so in their place.
    target_compile_options(${name} PRIVATE -O0)
  endif()
  # Asked by rhopsi::build_options. Not an option of the files: files that have some are compiled one by one.
  set_target_properties(${name} PROPERTIES RHOPSI_UNINSTRUMENTED ${arg_UNINSTRUMENTED})
  target_compile_definitions(${name} PRIVATE RHOPSI_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(arg_UNSANITIZED AND RHOPSI_SANITIZE)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  gtest_discover_tests(${name}
    TEST_PREFIX "${name}/"
    TEST_LIST ${name}_TESTS
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${arg_COST})
  if(arg_LABELS)
    # gtest_discover_tests flattens a list of labels, so they are attached after the discovery.
    set(labelling "${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake")
    file(CONFIGURE OUTPUT "${labelling}" @ONLY CONTENT
[=[if(@name@_TESTS)
  set_tests_properties(${@name@_TESTS} PROPERTIES LABELS "@arg_LABELS@")
endif()
]=])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labelling}")
  endif()
endfunction()
