#The sources of primitive.hpp, for the library of this folder.
set(RHOPSI_ONF_PRIMITIVE_SOURCES primitive.cpp)
