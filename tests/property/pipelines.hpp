// The derived programs of a random Base, as text: the pipelines of specs/burgers/burgers.mg
// for any number of functions that are made index-wise.
#pragma once

#include <string>
#include <vector>

namespace rhopsi::property {

// `kernels` are names of functions of Base with arrays as results.
std::string moa_and_dnf(const std::vector<std::string>& kernels);
std::string padded(const std::vector<std::string>& kernels, int padding);
// Programs Nested and NestedPadded, for 1 to 3 axes; `padded` must stand before.
// `made_first`: rotations of rotations are reduced too, before indices are taken apart.
std::string nested(const std::vector<std::string>& kernels, int rank, bool made_first);

}  // namespace rhopsi::property
