// Axioms that rewrote what a program has given a body of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "engine/term/theory.hpp"

namespace rhopsi::driver {

using LinePlace = std::pair<std::string, std::uint32_t>;  // file, line

// The operation on the left side of an axiom that was used, where the program had a body for it
// that this axiom has not given.
struct OwnBody {
  std::string operation;
  std::string module;    // that declared it
  std::string concept_;  // whose axiom was used
  LinePlace place;       // of the operation
};

// By the place of the axiom; one operation of each. Of an axiom about an array (its shape, or an
// element) the operation is the one that makes the array. A body that `implement` took from the
// same axiom is none of the program's own, also where the module was renamed since. Only of
// derivations that keep their records. Linear in their steps.
std::map<LinePlace, OwnBody> own_bodies(term::Store& store, const term::Theory& theory);

}  // namespace rhopsi::driver
