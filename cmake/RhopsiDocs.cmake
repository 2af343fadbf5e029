# Pages of the headers, where Doxygen is installed: the target `docs` writes docs/html in the build folder. There is nothing to
# warn of (docs/doxygen/Doxyfile), or it fails; a test makes them too.

find_program(RHOPSI_DOXYGEN doxygen DOC "Makes pages of the headers, where it is found")
mark_as_advanced(RHOPSI_DOXYGEN)
if(RHOPSI_DOXYGEN)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/docs")
  set(command ${CMAKE_COMMAND} -E env "RHOPSI_DOCS=${PROJECT_BINARY_DIR}/docs"
    ${RHOPSI_DOXYGEN} docs/doxygen/Doxyfile)
  add_custom_target(docs COMMAND ${command} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "Pages of the headers" VERBATIM)
  if(BUILD_TESTING)
    add_test(NAME rhopsi_docs/Headers COMMAND ${command} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(rhopsi_docs/Headers PROPERTIES TIMEOUT 120)
  endif()
endif()
