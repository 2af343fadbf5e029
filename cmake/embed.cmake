# Turns text files into a C++ source that holds them:
#
#   cmake -DOUTPUT=<file.cpp> -DHEADER=<file.hpp> -DTYPE=<namespace>::<struct> -DFUNCTION=<name>
#         "-DFILES=<file>;..." -P embed.cmake
#
# The header declares the struct, whose first members are the file's name and its text.
# Raw strings in chunks, since compilers bound the length of one literal.

string(REGEX MATCH "^(.*)::([^:]+)$" matched "${TYPE}")
set(namespace "${CMAKE_MATCH_1}")
set(struct "${CMAKE_MATCH_2}")
set(text "#include <vector>\n\n#include \"${HEADER}\"\n\nnamespace ${namespace} {\n\n")
string(APPEND text "const std::vector<${struct}>& ${FUNCTION}();\n\n")
string(APPEND text "const std::vector<${struct}>& ${FUNCTION}() {\n")
string(APPEND text "  static const std::vector<${struct}> files{\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" contents)
  string(LENGTH "${contents}" length)
  string(APPEND text "      {\"${name}\",")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${contents}" ${at} 8000 chunk)
    string(APPEND text "\nR\"rhopsi(${chunk})rhopsi\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND text "},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace ${namespace}\n")
file(WRITE "${OUTPUT}" "${text}")
