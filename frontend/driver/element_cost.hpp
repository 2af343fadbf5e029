// What a function of the operational form does for each element of its arrays.
#pragma once

#include <cstdint>

#include "engine/onf/form.hpp"

namespace rhopsi::driver {

struct ElementCost {
  std::uint64_t operations = 0;        // on elements and numbers
  std::uint64_t index_operations = 0;  // to find one: a component modulo its length, a library's
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t passes = 0;  // over arrays

  ElementCost& operator+=(const ElementCost& other);
};

// All passes of the function and of what it calls, each once: of a loop one round, of a fold as
// many as its constant count, of a branch the dearer one. Sums of an index and a number are part of
// an address and cost nothing. Linear in the function and what it calls.
ElementCost element_cost(const onf::Module& module, onf::FunctionId function);

}  // namespace rhopsi::driver
