# The sources of emission, for the library of the folder above.
set(RHOPSI_KOKKOS_EMIT_SOURCES
  emit/emit.cpp
  emit/expression.cpp
  emit/fold.cpp
  emit/names.cpp
  emit/nest.cpp
  emit/pipeline.cpp
  emit/statement.cpp)
