// The element types of array files and the C++ types that hold them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace rhopsi::io {

enum class ElementType { boolean, int32, int64, float32, float64 };

inline std::string to_string(ElementType type) {
  switch (type) {
    case ElementType::boolean:
      return "bool";
    case ElementType::int32:
      return "int32";
    case ElementType::int64:
      return "int64";
    case ElementType::float32:
      return "float32";
    case ElementType::float64:
      return "float64";
  }
  return "";
}

inline std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::boolean:
      return 1;
    case ElementType::int32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::float64:
      return 8;
  }
  return 0;
}

// A truth value is held as std::uint8_t, 0 or 1.
template <class T>
constexpr ElementType element_type_of() {
  static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int32_t> ||
                    std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> ||
                    std::is_same_v<T, double>,
                "array files hold bool (as std::uint8_t), int32, int64, float32 and float64");
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::boolean;
  if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::int64;
  if constexpr (std::is_same_v<T, float>) return ElementType::float32;
  return ElementType::float64;
}

// Can `value` be held by To? A real may be rounded, but neither overflow nor lose a
// fraction; a truth value is 0 or 1.
template <class To, class From>
bool representable(From value) {
  if constexpr (std::is_same_v<To, std::uint8_t>) {
    return value == From{0} || value == From{1};
  } else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
      return !std::isfinite(value) || std::isfinite(static_cast<float>(value));
    }
    return true;
  } else if constexpr (std::is_floating_point_v<From>) {
    // The bounds are powers of two, so they are exact in any floating type.
    const From bound = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    return value >= -bound && value < bound && value == std::trunc(value);
  } else if constexpr (sizeof(From) < sizeof(To)) {
    return true;  // the types are signed, but for that of truth values, which is the shortest
  } else {
    return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
  }
}

inline bool host_is_little_endian() {
  const std::uint16_t one = 1;
  return *reinterpret_cast<const unsigned char*>(&one) == 1;
}

inline std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace rhopsi::io
