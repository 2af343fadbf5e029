# Kernels of specifications in a project of one's own, by find_package(rhopsi) or add_subdirectory:
#
#   rhopsi_add_kernels(<target> FROM <spec.mg> PROGRAM <p>
#                      [ENTRY <name>] [RANK <axes> | SHAPE <n,...> [<array>=<n,...>]...] [DTYPE double|float]
#                      [TARGET serial|openmp|cuda]
#                      [RECIPE auto|full|off|<schedule>] [CHECKED] [RULE_PATH <folder>...])
#     library <target> with the functions of the program, as <p>_kernels.hpp and <p>_kernels.h declare them. They are
#     generated when the project is built, and again when the specification, a rule file or a header that it imports,
#     or rhopsi itself changes. What is left out is as `rhopsi emit` has it; TARGET is what Kokkos has by default, and
#     RULE_PATH are folders of rules before those of the library. Kokkos is the one that
#     Kokkos_ROOT or CMAKE_PREFIX_PATH names, else the one that scripts/setup has settled on.

# Flags of emitted code: beside this file where it is installed.
set(_RHOPSI_PROGRAM "${CMAKE_CURRENT_LIST_DIR}/rhopsi_program.cmake")
if(NOT EXISTS "${_RHOPSI_PROGRAM}")
  get_filename_component(_RHOPSI_PROGRAM
    "${CMAKE_CURRENT_LIST_DIR}/../backends/kokkos/runtime/rhopsi_program.cmake" ABSOLUTE)
endif()
set_property(GLOBAL PROPERTY RHOPSI_PROGRAM "${_RHOPSI_PROGRAM}")

# The name of a program as C++ has it.
function(_rhopsi_program_name program result)
  string(REGEX REPLACE "^([0-9])" "n\\1" name "${program}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

function(_rhopsi_emit_command target folder result)
  set(command rhopsi::rhopsi emit "${arg_FROM}" -p "${arg_PROGRAM}" -o "${folder}" --depfile "${folder}.stamp.d")
  foreach(option IN ITEMS ENTRY RANK DTYPE TARGET)
    if(arg_${option})
      string(TOLOWER "${option}" name)
      list(APPEND command --${name} "${arg_${option}}")
    endif()
  endforeach()
  foreach(shape IN LISTS arg_SHAPE)
    list(APPEND command --shape "${shape}")
  endforeach()
  if(arg_RECIPE)
    list(APPEND command --schedule "${arg_RECIPE}")
  endif()
  if(arg_CHECKED)
    list(APPEND command --checked)
  endif()
  foreach(path IN LISTS arg_RULE_PATH)
    get_filename_component(path "${path}" ABSOLUTE)
    list(APPEND command -I "${path}")
  endforeach()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

function(rhopsi_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECKED" "FROM;PROGRAM;ENTRY;RANK;DTYPE;TARGET;RECIPE" "SHAPE;RULE_PATH")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "rhopsi_add_kernels(${target}): cannot read ${arg_UNPARSED_ARGUMENTS}"
                        " ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_FROM OR NOT arg_PROGRAM)
    message(FATAL_ERROR "rhopsi_add_kernels(${target}): needs FROM <spec.mg> and PROGRAM <p>")
  endif()
  get_filename_component(arg_FROM "${arg_FROM}" ABSOLUTE)
  if(NOT EXISTS "${arg_FROM}")
    message(FATAL_ERROR "rhopsi_add_kernels(${target}): there is no file '${arg_FROM}'")
  endif()
  if("${arg_FROM}${CMAKE_CURRENT_BINARY_DIR}" MATCHES ";")
    message(FATAL_ERROR "rhopsi_add_kernels(${target}): CMake has no paths that hold ';'")
  endif()
  string(TOUPPER "${arg_TARGET}" RHOPSI_TARGET)
  get_property(flags GLOBAL PROPERTY RHOPSI_PROGRAM)
  include("${flags}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/rhopsi/${target}")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/rhopsi")
  _rhopsi_program_name("${arg_PROGRAM}" name)
  set(generated "${folder}/${name}_kernels.cpp")
  _rhopsi_emit_command(${target} "${folder}" command)
  # What has not changed keeps its time, and is not compiled again: so the stamp is what make looks at.
  add_custom_command(
    OUTPUT "${folder}.stamp"
    BYPRODUCTS "${generated}" "${folder}/rhopsi_kokkos.cpp" "${folder}/rhopsi_pool.cpp"
    COMMAND ${command}
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}.stamp"
    DEPENDS "${arg_FROM}" rhopsi::rhopsi
    DEPFILE "${folder}.stamp.d"
    COMMENT "Rewriting ${arg_PROGRAM}"
    VERBATIM)
  add_custom_target(${target}_generated DEPENDS "${folder}.stamp")
  set_source_files_properties("${generated}" PROPERTIES GENERATED ON)
  add_library(${target} STATIC "${generated}")
  add_dependencies(${target} ${target}_generated)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  rhopsi_callable(${target} "${folder}")
  set(RHOPSI_RUNTIME_DIR "${folder}")
  set(RHOPSI_EMITTED_BY ${target}_generated)
  if(arg_CHECKED)
    set(RHOPSI_CHECKED ON)
  endif()
  rhopsi_target(${target})
endfunction()
