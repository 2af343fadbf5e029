// Blocks for the arrays that tiles read along their lanes. Internal to this folder.
#pragma once

#include <map>
#include <string>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// Lets each array that lay_out() has made for a nest (own_layout.hpp), and that tiles alone read,
// whole vectors at a time, lie in blocks as wide as these: so that the steps of a fold find what
// they read together, and a last block that is not full wastes little. What is told of it, by the
// label of the nest. What onf::verify accepts of the function it accepts behind it. Linear in the
// function for each array.
std::map<std::string, std::string> store_in_blocks(onf::Function& function);

}  // namespace rhopsi::schedule
