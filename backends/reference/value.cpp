#include "backends/reference/value.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rhopsi::reference {

using onf::Representation;
using onf::Scalar;

namespace {

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

// Elements that are counted for as long as an array holds them.
class Counted {
 public:
  explicit Counted(Elements held) : elements(std::move(held)), bytes_(bytes_of(elements)) {
    const std::size_t live = live_bytes += bytes_;
    std::size_t peak = peak_bytes;
    while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
    }
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { live_bytes -= bytes_; }

  const Elements elements;

 private:
  static std::size_t bytes_of(const Elements& elements) {
    return std::visit([](const auto& data) { return data.size() * sizeof data[0]; }, elements);
  }
  std::size_t bytes_;
};

}  // namespace

MemoryUse memory_use() { return {live_bytes, peak_bytes}; }

void forget_peak() { peak_bytes = live_bytes.load(); }

Array make_array(std::vector<std::int64_t> shape, Elements elements) {
  Array array;
  array.element = scalar_of(elements);
  array.shape = std::move(shape);
  const auto counted = std::make_shared<const Counted>(std::move(elements));
  array.elements = {counted, &counted->elements};
  return array;
}

Array make_shape_only(std::vector<std::int64_t> shape, Scalar element, std::string why) {
  Array array = make_array(std::move(shape), make_elements(element, 0));
  array.missing = std::make_shared<const std::string>(std::move(why));
  return array;
}

Elements make_elements(Scalar scalar, std::size_t count) {
  switch (scalar) {
    case Scalar::boolean:
      return std::vector<std::uint8_t>(count);
    case Scalar::int32:
      return std::vector<std::int32_t>(count);
    case Scalar::int64:
      return std::vector<std::int64_t>(count);
    case Scalar::float32:
      return std::vector<float>(count);
    case Scalar::float64:
      break;
  }
  return std::vector<double>(count);
}

Scalar scalar_of(const Elements& elements) {
  constexpr Scalar scalars[] = {Scalar::boolean, Scalar::int32, Scalar::int64, Scalar::float32,
                                Scalar::float64};
  return scalars[elements.index()];
}

Value element_at(const Elements& elements, std::size_t position) {
  return std::visit(
      [&](const auto& data) -> Value {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, std::uint8_t>) return data[position] != 0;
        return static_cast<T>(data[position]);
      },
      elements);
}

void set_element(Elements& elements, std::size_t position, const Value& value) {
  std::visit(
      [&](auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, std::uint8_t>) {
          data[position] = std::get<bool>(value) ? 1 : 0;
        } else {
          data[position] = std::get<T>(value);
        }
      },
      elements);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

namespace {

std::optional<Scalar> scalar_type(const Value& value) {
  constexpr Scalar scalars[] = {Scalar::boolean, Scalar::int32, Scalar::int64, Scalar::float32,
                                Scalar::float64};
  if (value.index() < std::size(scalars)) return scalars[value.index()];
  return std::nullopt;
}

}  // namespace

std::string describe(const Value& value) {
  if (const auto scalar = scalar_type(value)) return to_string(*scalar);
  if (const Index* index = std::get_if<Index>(&value)) {
    return fmt::format("an index of {} components", index->size());
  }
  const Array& array = std::get<Array>(value);
  return fmt::format("an array of {} with shape {}", to_string(array.element),
                     shape_text(array.shape));
}

std::string describe(const Representation& representation) {
  switch (representation.kind) {
    case Representation::Kind::scalar:
      return to_string(representation.scalar);
    case Representation::Kind::index:
      return "an index";
    case Representation::Kind::array:
      return "an array of " + to_string(representation.scalar);
    case Representation::Kind::opaque:
      return "the external type " + representation.opaque;
  }
  return "";
}

bool has_representation(const Value& value, const Representation& representation) {
  switch (representation.kind) {
    case Representation::Kind::scalar:
      return scalar_type(value) == representation.scalar;
    case Representation::Kind::index:
      return std::holds_alternative<Index>(value);
    case Representation::Kind::array:
      return std::holds_alternative<Array>(value) &&
             std::get<Array>(value).element == representation.scalar;
    case Representation::Kind::opaque:
      return false;
  }
  return false;
}

bool identical(const Value& left, const Value& right) {
  if (left.index() != right.index()) return false;
  return std::visit(
      [&](const auto& a) {
        using T = std::decay_t<decltype(a)>;
        const T& b = std::get<T>(right);
        if constexpr (std::is_same_v<T, Array>) {
          return a.elements == b.elements && a.fresh == b.fresh && a.shape == b.shape;
        } else if constexpr (std::is_same_v<T, Index>) {
          return a == b;
        } else {
          return std::memcmp(&a, &b, sizeof a) == 0;
        }
      },
      left);
}

}  // namespace rhopsi::reference
