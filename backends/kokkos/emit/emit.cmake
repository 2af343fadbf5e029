# The sources of emission, for the library of the folder above.
set(RHOPSI_KOKKOS_EMIT_SOURCES
  emit/boxes.cpp
  emit/emit.cpp
  emit/entries.cpp
  emit/expression.cpp
  emit/fold.cpp
  emit/interface.cpp
  emit/interface_example.cpp
  emit/interface_python.cpp
  emit/names.cpp
  emit/nest.cpp
  emit/pipeline.cpp
  emit/regrouped_fold.cpp
  emit/statement.cpp
  emit/tile.cpp)
