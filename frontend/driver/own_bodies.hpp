// Axioms that rewrote what a program has given a body of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/term/theory.hpp"

namespace rhopsi::driver {

using LinePlace = std::pair<std::string, std::uint32_t>;  // file, line

// An operation that an axiom which was used speaks of, where the program had a body for it that
// this axiom has not given.
struct OwnBody {
  std::string operation;
  std::string module;    // that declared it
  std::string concept_;  // whose axiom was used
  LinePlace place;       // of the operation
  // Does the axiom say what this operation is, or does it only speak of it beside another one?
  bool subject = true;
  // The axiom's subject has no meaning but what the axiom says: the program leaves it abstract, or
  // has its body from there.
  bool beside_abstract = false;
};

// By the place of the axiom, each operation once, the subject first. Of an axiom about an array
// (its shape, or an element) the subject is the operation that makes the array. What counts
// besides: any operation of the left side, the right side or the condition, but those without
// arguments that stand in the condition alone and that no rule tells the value of, such as the
// width of pads: the axiom holds for every value of these. A body that `implement` took from an
// axiom, of a subject from the same one, is none of the program's own, also where the module was
// renamed since. Only of derivations that keep their records. Linear in their steps and rules.
std::map<LinePlace, std::vector<OwnBody>> own_bodies(term::Store& store,
                                                     const term::Theory& theory);

}  // namespace rhopsi::driver
