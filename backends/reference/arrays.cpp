#include "backends/reference/arrays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backends/reference/error.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/scalars.hpp"

namespace rhopsi::reference {

using onf::Scalar;
using onf::ScalarFunction;

std::size_t count_elements(std::span<const std::int64_t> shape) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  constexpr std::int64_t longest = std::int64_t{1} << 56;  // of arrays without elements too
  const std::vector<std::int64_t> all(shape.begin(), shape.end());
  std::int64_t count = 1;
  for (std::int64_t length : shape) {
    if (length < 0) {
      fail(codes::shapes, fmt::format("The shape {} has a negative length.", shape_text(all)));
    }
  }
  const bool long_ = std::ranges::any_of(shape, [&](std::int64_t n) { return n > longest; });
  if (long_) fail(codes::size, fmt::format("An array of shape {} is too large.", shape_text(all)));
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  for (std::int64_t length : shape) {
    if (length > most / count) {
      fail(codes::size, fmt::format("An array of shape {} is too large.", shape_text(all)));
    }
    count *= length;
  }
  return static_cast<std::size_t>(count);
}

void for_each_index(std::span<const std::int64_t> shape,
                    const std::function<void(const Index&, std::size_t)>& use) {
  const std::size_t count = count_elements(shape);
  Index index(shape.size(), 0);
  for (std::size_t position = 0; position < count; ++position) {
    use(index, position);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

void check_elements(const Array& array) {
  if (array.missing != nullptr) throw MissingElement{{codes::no_meaning, *array.missing}};
}

Value load(const Array& array, const Index& index, std::int64_t padding) {
  check_elements(array);
  if (index.size() != array.shape.size()) {
    fail(codes::shapes, fmt::format("An index of {} components is used on an array of shape {}.",
                                    index.size(), shape_text(array.shape)));
  }
  std::size_t position = 0;
  bool in_padding = false;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::int64_t length = array.shape[axis];
    const std::int64_t p = index[axis];
    if (p < -padding || p >= length + padding || length == 0) {
      fail(codes::index_range,
           fmt::format("The index {} is out of range on axis {} of an array of shape {}{}.",
                       shape_text(index), axis, shape_text(array.shape),
                       padding > 0 ? fmt::format(" with padding {}", padding) : ""));
    }
    in_padding = in_padding || p < 0 || p >= length;
    position = position * static_cast<std::size_t>(length) +
               static_cast<std::size_t>(euclidean_modulo(p, length));
  }
  if (in_padding && !array.fresh) {
    fail(codes::stale_padding,
         fmt::format("The index {} reads the padding of an array of shape {} that has been written "
                     "and not refilled since.",
                     shape_text(index), shape_text(array.shape)));
  }
  return element_at(*array.elements, position);
}

namespace {

// The array whose shape the result takes; all others must agree with it.
const Array& common_shape(std::span<const Value> arguments) {
  const Array* first = nullptr;
  for (const Value& argument : arguments) {
    const Array* array = std::get_if<Array>(&argument);
    if (array == nullptr) continue;
    if (first == nullptr) first = array;
    if (first->shape != array->shape) {
      fail(codes::shapes, fmt::format("The shapes {} and {} of two operands differ.",
                                      shape_text(first->shape), shape_text(array->shape)));
    }
  }
  if (first == nullptr) fail(codes::internal, "A pointwise operation has no array.");
  return *first;
}

}  // namespace

Array pointwise(ScalarFunction function, std::span<const Value> arguments, Scalar element) {
  const Array& like = common_shape(arguments);
  const std::size_t count = count_elements(like.shape);
  Elements elements = make_elements(element, count);
  std::vector<Value> scalars(arguments.begin(), arguments.end());
  bool fresh = true;
  for (const Value& argument : arguments) {
    const Array* array = std::get_if<Array>(&argument);
    fresh = fresh && (array == nullptr || array->fresh);
  }
  for (std::size_t position = 0; position < count; ++position) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Array* array = std::get_if<Array>(&arguments[k]);
      if (array != nullptr) scalars[k] = element_at(*array->elements, position);
    }
    set_element(elements, position, apply_scalar(function, scalars));
  }
  Array result = make_array(like.shape, std::move(elements));
  result.fresh = fresh;
  return result;
}

namespace {

void check_axis(std::int64_t axis, std::span<const std::int64_t> shape) {
  if (axis >= 0 && static_cast<std::size_t>(axis) < shape.size()) return;
  const std::vector<std::int64_t> all(shape.begin(), shape.end());
  fail(codes::index_range, fmt::format("There is no axis {} in shape {}.", axis, shape_text(all)));
}

std::int64_t shift(std::int64_t component, std::int64_t offset) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(component, offset, &result)) {
    fail(codes::integer_range,
         fmt::format("{} + {} is more than int64 can hold.", component, offset));
  }
  return result;
}

}  // namespace

Array rotate(const Array& array, std::int64_t axis, std::int64_t offset) {
  check_axis(axis, array.shape);
  Elements elements = make_elements(array.element, count_elements(array.shape));
  for_each_index(array.shape, [&](const Index& index, std::size_t position) {
    const Index from = rotate_index(index, array.shape, axis, offset, true);
    set_element(elements, position, load(array, from, 0));
  });
  return make_array(array.shape, std::move(elements));
}

Index rotate_index(const Index& index, std::span<const std::int64_t> domain, std::int64_t axis,
                   std::int64_t offset, bool wrap) {
  check_axis(axis, domain);
  if (index.size() != domain.size()) {
    fail(codes::shapes, fmt::format("An index of {} components is used on a domain of {} axes.",
                                    index.size(), domain.size()));
  }
  Index result = index;
  std::int64_t& component = result[static_cast<std::size_t>(axis)];
  component = shift(component, offset);
  if (wrap) component = euclidean_modulo(component, domain[static_cast<std::size_t>(axis)]);
  return result;
}

}  // namespace rhopsi::reference
