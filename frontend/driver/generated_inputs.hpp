// Inputs of a run that are told instead of named: NAME=iota:SHAPE:START, as in array_inputs.hpp.
#pragma once

#include <filesystem>
#include <vector>

#include "frontend/driver/request.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Both backends read files: such inputs become some, which last as long as this object.
class GeneratedInputs {
 public:
  GeneratedInputs() = default;
  GeneratedInputs(const GeneratedInputs&) = delete;
  GeneratedInputs& operator=(const GeneratedInputs&) = delete;
  ~GeneratedInputs();

  // Puts the path of its file in place of each that is generated (E0810, E0832).
  void write(std::vector<Pair>& inputs, syntax::Diagnostics& diagnostics);

 private:
  std::filesystem::path folder_;
};

}  // namespace rhopsi::driver
