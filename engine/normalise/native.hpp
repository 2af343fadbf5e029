// A program that was emitted (emit.hpp), compiled and loaded.
#pragma once

#include <memory>
#include <vector>

#include "engine/normalise/emit.hpp"
#include "engine/normalise/native_state.hpp"

namespace rhopsi::normalise {

// Never changed after it was loaded; any number of machines may run it at once.
struct Native {
  native::Rules rules{};
  std::vector<Emission::Site> sites;
  std::uint32_t largest_block = 0;
  std::shared_ptr<void> library;  // holds the code
};

}  // namespace rhopsi::normalise
