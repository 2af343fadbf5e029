#include "frontend/driver/array_text.hpp"

#include <charconv>
#include <cmath>
#include <type_traits>

namespace rhopsi::driver {
namespace {

template <class T>
void append(std::string& text, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {  // its sign says nothing
      text += "nan";
      return;
    }
  }
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

std::string shape_line(const std::vector<std::int64_t>& shape) {
  std::string text = "shape:";
  for (const std::int64_t length : shape) {
    text += ' ';
    append(text, length);
  }
  return text;
}

std::string elements_line(const reference::Elements& elements) {
  std::string text;
  const auto append_all = [&](const auto& values) {
    for (const auto value : values) {
      if (!text.empty()) text += ' ';
      append(text, value);
    }
  };
  std::visit(append_all, elements);
  return text;
}

}  // namespace rhopsi::driver
