# Turns text files into a C++ source that holds them:
#
#   cmake -DOUTPUT=<file.cpp> -DFUNCTION=<name> "-DFILES=<file>;..." -P embed.cmake
#
# Raw strings in chunks, since compilers bound the length of one literal.

set(text "#include \"backends/kokkos/build/file.hpp\"\n\nnamespace rhopsi::kokkos {\n\n")
string(APPEND text "const std::vector<File>& ${FUNCTION}() {\n")
string(APPEND text "  static const std::vector<File> files{\n")
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
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace rhopsi::kokkos\n")
file(WRITE "${OUTPUT}" "${text}")
