// Random procedures of 1 to 12 statements over arrays of 1 to 4 axes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

struct RandomForm {
  onf::Module module;
  std::vector<std::int64_t> shape;  // unequal sides, some shorter than what is read beyond them
  std::size_t over_boxes = 0;       // statements that change a part of an array
};

// Reads go up to 3 elements along an axis. The same seed gives the same form.
RandomForm random_form(unsigned seed);

// The same with statements over boxes of all sorts, two of three: interiors of different widths,
// without some sides, planes from either end. Elsewhere an array keeps what it has, or gets what
// another one has, or a number. Some boxes are empty.
RandomForm random_form_over_boxes(unsigned seed);

// The same with statements, two of three, in which elements are sums of the same function of what
// is on both sides of several of their faces; beyond the ends of an axis that is something else.
RandomForm random_form_of_faces(unsigned seed);

// The same with loops, branches, checks and numbers computed from arrays among the statements, with
// nests that no schedule takes, and with calls of a second procedure. The last two arguments are an
// integer, 0 to 5, and a number.
RandomForm random_form_with_control(unsigned seed);

}  // namespace rhopsi::schedule
