// Nests whose loops may be one along memory, whatever rows their elements are in.
#pragma once

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Are indices of the nest in nothing but components of loads, one in each component, in their
// order, and with nothing but a sum or difference around it that is the same for all elements? So
// where all arrays have the same lengths but on axis 0 and the box is as long on these axes, what
// the element at position k of the box reads is k elements from what the first one reads.
// Of a nest over a box with two axes or more, the last one from 0 on, that computes in any order:
// without a tile, a strip, or other statements than names in its body. Linear.
bool reads_along_memory(const Nest& nest);

}  // namespace rhopsi::onf
