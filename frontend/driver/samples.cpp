#include "frontend/driver/samples.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "frontend/driver/array_text.hpp"
#include "frontend/driver/request.hpp"

namespace rhopsi::driver {

using onf::Representation;
using onf::Scalar;
using reference::Array;
using reference::Elements;
using reference::Index;
using reference::Value;

namespace {

constexpr std::size_t most_shown = 100;        // elements of an array in a message
constexpr std::int64_t most_elements = 5'000;  // of an array of lengths that are named

std::string list_text(const std::vector<std::int64_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

bool may_be_made(const Index& shape) {
  std::int64_t count = 1;
  for (std::int64_t length : shape) {
    if (length < 0 || length > most_elements) return false;
    count *= length;
    if (count > most_elements) return false;
  }
  return true;
}

Value scalar_value(std::int64_t number, Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return number != 0;
    case Scalar::int32:
      return static_cast<std::int32_t>(number);
    case Scalar::int64:
      return number;
    case Scalar::float32:
      return static_cast<float>(number) / 2;
    case Scalar::float64:
      return static_cast<double>(number) / 2;
  }
  return number;
}

}  // namespace

std::string value_text(const Value& value) {
  if (const auto* index = std::get_if<Index>(&value)) return list_text(*index);
  if (const auto* array = std::get_if<Array>(&value)) {
    if (element_count(array->shape) > most_shown) {
      Elements first = reference::make_elements(array->element, most_shown);
      for (std::size_t k = 0; k < most_shown; ++k) {
        reference::set_element(first, k, reference::element_at(*array->elements, k));
      }
      return elements_line(first) + " ... of shape " + list_text(array->shape);
    }
    const std::string elements = elements_line(*array->elements);
    if (array->shape.empty()) return elements;
    return fmt::format("{} of shape {}", elements.empty() ? "nothing" : elements,
                       list_text(array->shape));
  }
  return std::visit(
      [](const auto& each) -> std::string {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_arithmetic_v<T>) {
          // A nan has no sign that matters.
          if constexpr (std::is_floating_point_v<T>)
            return each == each ? fmt::format("{}", each) : "nan";
          return fmt::format("{}", each);
        } else {
          return {};
        }
      },
      value);
}

void Samples::begin(const std::optional<Index>& domain) {
  shapes_.clear();
  fixed_ = domain.has_value();
  if (domain) shapes_.push_back(*domain);
}

std::int64_t Samples::between(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
}

template <class Container>
const typename Container::value_type& Samples::one_of(const Container& some) {
  return some[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(some.size()) - 1))];
}

Index Samples::domain() {
  static const std::vector<Index> domains{{3},    {1},    {2},    {4},       {2, 3},    {3, 2},
                                          {1, 3}, {4, 2}, {2, 2}, {2, 3, 4}, {3, 1, 2}, {2, 2, 3}};
  return one_of(domains);
}

// The number, or one that is not far from it.
std::int64_t Samples::near(std::int64_t number) {
  constexpr std::int64_t far = 20;
  const bool possible = number > INT64_MIN + far && number < INT64_MAX - far;
  return possible && between(0, 2) == 0 ? number + between(-far, far) : number;
}

std::int64_t Samples::integer() {
  if (!options_.numbers.empty() && between(0, 3) == 0) return near(one_of(options_.numbers));
  const std::int64_t which = between(0, 7);
  if (which == 0) return between(-7, 9);
  if (which == 1 && !shapes_.empty()) {
    const Index& shape = one_of(shapes_);
    if (!shape.empty()) return one_of(shape) + between(-1, 0);
  }
  return between(-1, 2);
}

std::optional<Value> Samples::of(const Representation& representation) {
  switch (representation.kind) {
    case Representation::Kind::index:
      return index();
    case Representation::Kind::array:
      return array(representation.scalar, representation.promotes);
    case Representation::Kind::opaque:
      return std::nullopt;
    case Representation::Kind::scalar:
      break;
  }
  if (representation.scalar == Scalar::boolean) return between(0, 1) == 1;
  if (representation.promotes) return wrapping(integer());
  return drawn(integer(), representation.scalar);
}

Index Samples::inside(const Index& shape) {
  Index index;
  for (std::int64_t length : shape) index.push_back(length > 0 ? between(0, length - 1) : 0);
  return index;
}

Index Samples::index() {
  static const std::vector<Index> some{
      {},           {0},       {1},       {2},      {6},       {0, 1},    {1, 0},
      {2, 3},       {3, 2},    {0, 0},    {1, 2},   {2, 0, 1}, {1, 2, 0}, {0, 2, 1},
      {2, 3, 2},    {2, 2, 3}, {1, 0, 1}, {12},     {0, 1, 0}, {3},       {4},
      {2, 2},       {1, 1},    {0, 3},    {1, 3},   {2, 1},    {3, 1, 2}, {1, 2, 3, 0},
      {2, 0, 3, 1}, {-1},      {-1, 2},   {-2, -3}, {-1, -1},  {2, -1}};
  if (shapes_.empty() || (!fixed_ && between(0, 1) == 0)) {
    Index made = options_.beyond ? long_index() : one_of(some);
    if (!options_.numbers.empty() && !made.empty() && between(0, 3) == 0) {
      const auto last = static_cast<std::int64_t>(made.size()) - 1;
      made[static_cast<std::size_t>(between(0, last))] = one_of(options_.numbers);
    }
    return made;
  }
  Index made = inside(one_of(shapes_));
  // Now and then a step beyond the ends, or a part of an index.
  const std::int64_t which = between(0, 5);
  if (which == 0) {
    for (std::int64_t& component : made) component += between(-1, 1);
  } else if (which == 1 && !fixed_ && !made.empty()) {
    made.resize(static_cast<std::size_t>(between(0, static_cast<std::int64_t>(made.size()) - 1)));
  }
  return made;
}

Index Samples::long_shape() {
  Index made(static_cast<std::size_t>(between(5, 6)));
  for (std::int64_t& length : made) length = between(1, 2);
  return made;
}

// Small numbers, or a permutation.
Index Samples::long_index() {
  Index made(static_cast<std::size_t>(between(5, 6)));
  std::iota(made.begin(), made.end(), 0);
  if (between(0, 1) == 0) {
    std::shuffle(made.begin(), made.end(), random_);
  } else {
    for (std::int64_t& component : made) component = between(0, 2);
  }
  return made;
}

// Of a few axes, at least one of a length that is named; nothing where that would be too long.
std::optional<Index> Samples::named_shape() {
  Index made(static_cast<std::size_t>(between(0, 2) == 0 ? between(2, 4) : 1));
  for (std::int64_t& length : made) {
    length = between(0, 2) == 0 ? between(1, 3) : one_of(options_.numbers);
  }
  if (!may_be_made(made)) return std::nullopt;
  return made;
}

Index Samples::shape() {
  static const std::vector<Index> some{{},     {2},       {3},       {2},    {3},    {2, 3},
                                       {3, 2}, {2, 2},    {2, 3},    {1, 3}, {1, 1}, {2, 3, 2},
                                       {1},    {2, 2, 3}, {0},       {4},    {0, 2}, {2, 3, 1, 2},
                                       {3, 3}, {4, 2},    {2, 0, 2}, {2, 0}, {3, 0}};
  if (fixed_) return shapes_.front();
  const std::int64_t which = between(0, 5);
  if (which <= 1 && !shapes_.empty()) return one_of(shapes_);
  if (options_.beyond) return long_shape();
  if (!options_.numbers.empty() && between(0, 3) == 0) {
    if (auto named = named_shape()) return std::move(*named);
  }
  if (which == 2) {
    Index made(static_cast<std::size_t>(between(0, 4)));
    for (std::int64_t& length : made) length = between(0, 4);
    if (element_count(made) <= 60) return made;
  }
  return one_of(some);
}

// A vector of zeros, ones and twos now and then, which may say places.
Array Samples::array(Scalar element, bool promotes) {
  const Index chosen = shape();
  shapes_.push_back(chosen);
  return of_shape(chosen, promotes ? Scalar::int64 : element);
}

Value Samples::drawn(std::int64_t number, Scalar type) {
  using Limits = std::numeric_limits<double>;
  static const std::vector<double> extreme{Limits::quiet_NaN(),
                                           Limits::infinity(),
                                           -Limits::infinity(),
                                           0.0,
                                           -0.0,
                                           1e30,
                                           -1e30,
                                           9007199254740993.0,
                                           0.1,
                                           -0.1,
                                           0.3,
                                           1.0 / 3,
                                           0.7,
                                           1e-30,
                                           Limits::denorm_min(),
                                           Limits::max(),
                                           1e160};
  const bool other = options_.extreme && type == Scalar::float64 && between(0, 1) == 0;
  return other ? Value(one_of(extreme)) : scalar_value(number, type);
}

// The ends of the integers, and those whose sums, differences, squares or negation pass them.
std::int64_t Samples::wrapping(std::int64_t otherwise) {
  constexpr std::int64_t root = 3'037'000'500;  // the least whose square has more than 63 bits
  static const std::vector<std::int64_t> large{INT64_MIN,
                                               INT64_MAX,
                                               INT64_MIN + 1,
                                               INT64_MAX - 1,
                                               std::int64_t{1} << 62,
                                               root,
                                               -root,
                                               root - 1,
                                               1 - root,
                                               -(std::int64_t{1} << 62),
                                               INT64_MAX / 3,
                                               INT64_MIN / 3 - 1,
                                               5'000'000'000,
                                               (std::int64_t{1} << 53) + 1};
  return options_.wrapping && between(0, 1) == 0 ? one_of(large) : otherwise;
}

Array Samples::of_shape(const Index& chosen, Scalar type) {
  const std::size_t count = element_count(chosen);
  const std::int64_t largest = between(0, 2) == 0 ? 1 : 9;
  const std::int64_t least = largest > 1 && between(0, 2) == 0 ? -4 : 0;
  const bool named = !options_.numbers.empty() && between(0, 5) == 0;
  Elements elements = reference::make_elements(type, count);
  for (std::size_t k = 0; k < count; ++k) {
    std::int64_t number = named ? one_of(options_.numbers) : between(least, largest);
    if (type == Scalar::int64) number = wrapping(number);
    reference::set_element(elements, k, drawn(number, type));
  }
  return reference::make_array(chosen, std::move(elements));
}

Value Samples::redrawn(const Value& value, Scalar type, Range range) {
  static const std::map<Range, std::pair<std::int64_t, std::int64_t>> bounds{
      {Range::truths, {0, 1}},
      {Range::natural, {1, 9}},
      {Range::whole, {-4, 9}},
      {Range::negative, {-6, -1}}};
  const auto [low, high] = type == Scalar::boolean ? bounds.at(Range::truths) : bounds.at(range);
  const auto* array = std::get_if<Array>(&value);
  if (array == nullptr) return scalar_value(between(low, high), type);
  Elements elements = reference::make_elements(type, element_count(array->shape));
  for (std::size_t k = 0; k < element_count(array->shape); ++k) {
    reference::set_element(elements, k, scalar_value(between(low, high), type));
  }
  return reference::make_array(array->shape, std::move(elements));
}

bool Samples::take(const std::vector<std::int64_t>& numbers, Value& value) {
  if (const auto* array = std::get_if<Array>(&value)) {
    if (!may_be_made(numbers)) return false;
    value = of_shape(numbers, array->element);
  } else if (std::holds_alternative<Index>(value)) {
    value = numbers;
  } else if (std::holds_alternative<std::int64_t>(value) && numbers.size() == 1) {
    value = numbers[0];
  }
  return true;
}

Value converted(const Value& value, Scalar type) {
  const auto element = [type](const Value& each) -> Value {
    const double real = std::visit(
        [](const auto& number) {
          using T = std::decay_t<decltype(number)>;
          if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(number);
          return 0.0;
        },
        each);
    if (type == Scalar::boolean) return real != 0;
    if (type == Scalar::float64) return real;
    return each;
  };
  const auto* array = std::get_if<Array>(&value);
  if (array == nullptr) return element(value);
  if (array->element == type) return value;
  Elements elements = reference::make_elements(type, element_count(array->shape));
  for (std::size_t k = 0; k < element_count(array->shape); ++k) {
    reference::set_element(elements, k, element(reference::element_at(*array->elements, k)));
  }
  return reference::make_array(array->shape, std::move(elements));
}

void put(const std::vector<std::int64_t>& index, const smt::Number& number, Value& value) {
  const bool integer = number.type == Scalar::int64;
  const Value made = integer ? Value(number.integer) : Value(number.real);
  auto* array = std::get_if<Array>(&value);
  if (array == nullptr) {
    if (index.empty() && value.index() == made.index()) value = made;
    return;
  }
  if (array->element != number.type || array->shape.size() != index.size()) return;
  std::size_t position = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= array->shape[axis]) return;
    position = position * static_cast<std::size_t>(array->shape[axis]) +
               static_cast<std::size_t>(index[axis]);
  }
  reference::Elements elements = *array->elements;
  reference::set_element(elements, position, made);
  value = reference::make_array(array->shape, std::move(elements));
}

Sample with_reals(const Sample& sample) {
  Sample made = sample;
  for (auto& [symbol, value] : made.values) {
    const auto* array = std::get_if<Array>(&value);
    if (array == nullptr || array->element != Scalar::int64) continue;
    value = converted(value, Scalar::float64);
  }
  return made;
}

}  // namespace rhopsi::driver
