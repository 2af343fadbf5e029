// The arrays that an expression is computed from, as a user gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/reference/value.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct ArrayInput {
  std::string name;
  reference::Array array;  // of bool, int64 or float64: what is narrower is widened
};

// Each input is NAME=FILE.npy, or NAME=iota:SHAPE:START: consecutive numbers from START (0 if
// it is left out) in row-major order, integers unless START has a decimal point or an exponent.
// SHAPE is `2,3`; without a length it is that of a single number. `option` is what the inputs
// are called in messages, `places` is as for read_pairs. Every mistake is reported (E0810, E0811,
// E0820).
std::optional<std::vector<ArrayInput>> read_inputs(const std::string& option,
                                                   const std::vector<std::string>& texts,
                                                   syntax::Diagnostics& diagnostics,
                                                   const std::vector<syntax::Span>& places = {});

// One of them.
std::optional<ArrayInput> read_input(const std::string& option, const Pair& given,
                                     syntax::Diagnostics& diagnostics);

// Is it `iota:...` and no file?
bool is_generated(const std::string& value);

}  // namespace rhopsi::driver
