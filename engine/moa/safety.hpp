// What can go wrong when the elements of a form are computed. Internal to this folder.
//
// Where nothing can, it does not matter when, and whether, an element is computed.
#pragma once

#include <map>
#include <vector>

#include "engine/moa/normal_form.hpp"

namespace rhopsi::moa {

// The shapes of leaves that are stored.
using StoredShapes = std::map<LeafId, Vector>;

// Certainly no element is an error, nor is a length: no division of integers by what may be 0, no
// conversion of a real to an integer, no fold that may lack a value, and no access that may be
// outside. `assumed` has been tested. False: it does not follow.
bool cannot_fail(const NormalForm& form, const std::vector<Assumption>& assumed,
                 const StoredShapes& stored);

// Certainly each access to a leaf that is stored is within it.
bool stays_within(const NormalForm& form, const std::vector<Assumption>& assumed,
                  const StoredShapes& stored);

}  // namespace rhopsi::moa
