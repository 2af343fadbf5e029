// Matching the pattern of a row against the sorts or the representations of an operation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/primitives/rows.hpp"

namespace rhopsi::primitives {

// What an operation looks like, whatever its arguments are described by.
// fits(letter, position): does the argument at `position` (the result at `arguments`) fit?
struct Subject {
  std::size_t arguments = 0;
  bool has_result = true;
  std::function<bool(char letter, std::size_t position)> fits;
};

struct Misfit {
  enum class Kind { count, argument, result } kind;
  std::size_t position = 0;
  char letter = 0;  // what was expected there
};

// Why `pattern` does not fit, or nothing if it does.
std::optional<Misfit> misfit(std::string_view pattern, const Subject& subject);

// `name(Array, Axis, Offset): Array`.
std::string form_text(const OperationRow& row);
// What a letter stands for, in a message.
std::string letter_text(char letter);

}  // namespace rhopsi::primitives
