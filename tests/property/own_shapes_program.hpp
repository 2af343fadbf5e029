// Random procedures over arrays that have shapes of their own, as text: assignments, branches,
// loops and calls. The same seed gives the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhopsi::property {

// `procedure <name>(upd u: Array, upd v: Array, upd n: Int, out total: Number)`, and what it is
// called with.
struct OwnShapesProcedure {
  unsigned seed = 0;
  std::string name;
  std::string text;
  std::vector<std::int64_t> u, v;  // shapes
  std::int64_t n = 0;
};

OwnShapesProcedure own_shapes_procedure(unsigned seed);
// The same of 0 to 4 axes, where all arrays have one shape and most statements read few others,
// next to their own index or at it.
OwnShapesProcedure own_shapes_sweeps(unsigned seed);
// The same, where arrays have that shape and are read at circular offsets, or as conditions at the
// ends of axes say.
OwnShapesProcedure own_shapes_circular(unsigned seed, std::vector<std::int64_t> shape);
// The same of 1 to 3 axes, where statements change a box of an array: an interior, a plane, or all
// but some indices at some ends.
OwnShapesProcedure own_shapes_boxes(unsigned seed);

// The program P with these; what they call is there too.
std::string own_shapes_program(const std::vector<OwnShapesProcedure>& procedures);

}  // namespace rhopsi::property
