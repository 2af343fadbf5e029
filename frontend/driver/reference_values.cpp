#include "frontend/driver/reference_values.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "backends/io/npy.hpp"
#include "frontend/driver/request.hpp"

namespace rhopsi::driver {
namespace {

template <class T>
reference::Value read_array(const std::string& path) {
  io::NpyArray<T> file = io::read_npy<T>(path);
  return reference::make_array(std::move(file.shape), std::move(file.data));
}

}  // namespace

reference::Value read_array(const std::string& path, onf::Scalar type) {
  switch (type) {
    case onf::Scalar::boolean:
      return read_array<std::uint8_t>(path);
    case onf::Scalar::int32:
      return read_array<std::int32_t>(path);
    case onf::Scalar::int64:
      return read_array<std::int64_t>(path);
    case onf::Scalar::float32:
      return read_array<float>(path);
    case onf::Scalar::float64:
      return read_array<double>(path);
  }
  return {};
}

std::int64_t whole_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  syntax::Diagnostics ignored;
  return std::int64_t(read_number("", text, ignored).value_or(0));
}

double real_of(const std::string& text) {
  double value = 0;  // a checkpoint may hold nan and inf
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  syntax::Diagnostics ignored;
  return read_number("", text, ignored).value_or(0);
}

reference::Value number(const std::string& text, onf::Scalar type) {
  switch (type) {
    case onf::Scalar::boolean:
      return real_of(text) != 0;
    case onf::Scalar::int32:
      return std::int32_t(whole_of(text));
    case onf::Scalar::int64:
      return whole_of(text);
    case onf::Scalar::float32:
      return float(real_of(text));
    case onf::Scalar::float64:
      return real_of(text);
  }
  return {};
}

reference::Value blank(const onf::Representation& type, const std::vector<std::int64_t>& shape) {
  if (type.kind != onf::Representation::Kind::array) return number("0", type.scalar);
  return reference::make_array(shape, reference::make_elements(type.scalar, element_count(shape)));
}

reference::Value array_of(const io::Checkpoint::Array& saved, onf::Scalar type,
                          const std::vector<std::int64_t>& shape) {
  reference::Elements elements = reference::make_elements(type, element_count(shape));
  std::visit(
      [&](auto& data) {
        if (!data.empty()) {
          std::memcpy(data.data(), saved.elements.data(), data.size() * sizeof data[0]);
        }
      },
      elements);
  return reference::make_array(shape, std::move(elements));
}

std::vector<unsigned char> bytes_of(const reference::Array& array) {
  return std::visit(
      [](const auto& data) {
        std::vector<unsigned char> bytes(data.size() * sizeof data[0]);
        if (!bytes.empty()) std::memcpy(bytes.data(), data.data(), bytes.size());
        return bytes;
      },
      *array.elements);
}

std::string text_of(const reference::Value& value) {
  const auto text = [](const auto& held) -> std::string {
    using T = std::decay_t<decltype(held)>;
    if constexpr (std::is_same_v<T, bool>) return held ? "true" : "false";
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(held)) return "nan";  // its sign says nothing
    }
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      char digits[64];
      const auto result = std::to_chars(digits, digits + sizeof digits, held);
      return std::string(digits, result.ptr);
    }
    return {};
  };
  return std::visit(text, value);
}

}  // namespace rhopsi::driver
