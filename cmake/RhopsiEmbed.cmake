# Files that the command carries in itself:
#
#   rhopsi_embed(<output.cpp> HEADER <file.hpp> TYPE <namespace>::<struct> FUNCTION <name> FILES <file>...)
#     a source with `const std::vector<struct>& name()` of the files' names and texts; see embed.cmake

set(RHOPSI_EMBED "${CMAKE_CURRENT_LIST_DIR}/embed.cmake")

function(rhopsi_embed output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;TYPE;FUNCTION" "FILES")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${arg_HEADER}" "-DTYPE=${arg_TYPE}"
            "-DFUNCTION=${arg_FUNCTION}" "-DFILES=${arg_FILES}" -P "${RHOPSI_EMBED}"
    DEPENDS ${arg_FILES} "${RHOPSI_EMBED}"
    COMMENT "Embedding ${arg_FUNCTION}"
    VERBATIM)
endfunction()
