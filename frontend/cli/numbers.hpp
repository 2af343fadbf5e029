// Numbers in options.
#pragma once

#include <charconv>
#include <string>

#include "frontend/driver/codes.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::cli {

// The number from 0 on that `text` is, into `value`; an empty text leaves it as it is. E0810
// where it is no such number.
template <class Number>
void read_number(const std::string& text, const char* option, Number& value,
                 syntax::Diagnostics& diagnostics) {
  if (text.empty()) return;
  const char* const end = text.data() + text.size();
  Number number{};
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec == std::errc{} && result.ptr == end && number >= Number{}) {
    value = number;
    return;
  }
  diagnostics.error(driver::codes::malformed_option, {},
                    std::string(option) + " " + text + ": a number from 0 on is expected",
                    std::string("for example ") + option + " 1000");
}

}  // namespace rhopsi::cli
