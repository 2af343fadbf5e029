# What is installed, as two components: `tool` is the command with its rules, `development` the libraries with their
# headers, and what find_package(rhopsi) reads. Included once all targets are there.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Whole parts of the project for those who link to it.
foreach(part IN ITEMS engine frontend)
  add_library(rhopsi_${part} INTERFACE)
  add_library(rhopsi::${part} ALIAS rhopsi_${part})
  set_target_properties(rhopsi_${part} PROPERTIES EXPORT_NAME ${part})
  set_property(GLOBAL APPEND PROPERTY RHOPSI_LIBRARIES rhopsi_${part})
endforeach()
target_link_libraries(rhopsi_engine INTERFACE
  rhopsi::analysis rhopsi::check rhopsi::lower rhopsi::moa rhopsi::normalise rhopsi::onf rhopsi::rewrite
  rhopsi::schedule rhopsi::smt rhopsi::term rhopsi::verify)
target_link_libraries(rhopsi_frontend INTERFACE rhopsi::elaborate rhopsi::syntax rhopsi::trs)

get_property(libraries GLOBAL PROPERTY RHOPSI_LIBRARIES)
install(TARGETS rhopsi EXPORT rhopsiCommand RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tool)
install(TARGETS ${libraries} EXPORT rhopsiTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/rhopsi" COMPONENT development)
install(DIRECTORY rules DESTINATION share/rhopsi COMPONENT tool)
install(DIRECTORY engine frontend backends DESTINATION include/rhopsi COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN runtime EXCLUDE PATTERN cli EXCLUDE)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/rhopsi")
install(EXPORT rhopsiCommand NAMESPACE rhopsi:: DESTINATION "${package}" COMPONENT development)
install(EXPORT rhopsiTargets NAMESPACE rhopsi:: DESTINATION "${package}" COMPONENT development)
configure_package_config_file(cmake/rhopsiConfig.cmake.in "${PROJECT_BINARY_DIR}/rhopsiConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rhopsiConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES
    "${PROJECT_BINARY_DIR}/rhopsiConfig.cmake"
    "${PROJECT_BINARY_DIR}/rhopsiConfigVersion.cmake"
    cmake/FindZ3.cmake
    cmake/RhopsiKernels.cmake
    backends/kokkos/runtime/rhopsi_program.cmake
  DESTINATION "${package}" COMPONENT development)
configure_file(cmake/rhopsi.pc.in "${PROJECT_BINARY_DIR}/rhopsi.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/rhopsi.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

set(CPACK_PACKAGE_CONTACT "the maintainers of ${PROJECT_NAME}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake, g++, libfmt-dev, libexpected-dev, libz3-dev, nlohmann-json3-dev")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/package_deb.cmake")
if(PROJECT_IS_TOP_LEVEL)
  include(CPack)
endif()
