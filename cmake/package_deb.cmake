# Before a Debian package is made: Debian's zsh looks for what packages bring in another folder than
# that of other systems and of /usr/local.
set(zsh "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/zsh")
if(CPACK_GENERATOR STREQUAL "DEB" AND EXISTS "${zsh}/site-functions")
  file(RENAME "${zsh}/site-functions" "${zsh}/vendor-completions")
endif()
