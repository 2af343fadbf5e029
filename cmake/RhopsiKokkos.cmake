# Finds Kokkos and repairs the installations known to be broken:
#
#   include(RhopsiKokkos)
#   rhopsi_find_kokkos()          # then link to Kokkos::kokkos
#
# A macro, since the variables that find_package sets (Kokkos_DEVICES, Kokkos_VERSION) belong to the caller.

macro(rhopsi_find_kokkos)
  find_package(Kokkos REQUIRED CONFIG)
  _rhopsi_repair_kokkos_includes()
endmacro()

# Debian 12's libtrilinos-kokkos-dev names the include folder /usr/lib/include, which does not exist.
function(_rhopsi_repair_kokkos_includes)
  foreach(target IN ITEMS Kokkos::kokkos Kokkos::kokkoscore Kokkos::kokkoscontainers Kokkos::kokkosalgorithms)
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(includes MATCHES "/usr/lib/include" AND NOT EXISTS /usr/lib/include)
      list(TRANSFORM includes REPLACE "^/usr/lib/include$" "/usr/include/trilinos")
      set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${includes}")
    endif()
  endforeach()
endfunction()
