// Values of the reference evaluator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/onf/primitive.hpp"

namespace rhopsi::reference {

// A total index, a component per axis.
using Index = std::vector<std::int64_t>;

// Elements in row-major order. Truth values are held as bytes, 0 or 1.
using Elements = std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

// An array with the logical elements [0, shape). Elements are never changed once they
// are shared, so copying an array is cheap. `fresh` tells whether its padding holds the
// circular values; the padding itself is not stored. Of an array that has a shape axiom and no
// element axiom `missing` says so; it has no elements, and may be asked for its shape only.
struct Array {
  onf::Scalar element = onf::Scalar::float64;
  std::vector<std::int64_t> shape;
  std::shared_ptr<const Elements> elements;
  bool fresh = true;
  std::shared_ptr<const std::string> missing = nullptr;

  // Equal shapes and equal elements, as numbers: the language's `==`.
  friend bool operator==(const Array& left, const Array& right) {
    return left.shape == right.shape && *left.elements == *right.elements;
  }
};

using Value = std::variant<bool, std::int32_t, std::int64_t, float, double, Index, Array>;

// The array of these elements. The caller guarantees as many of them as `shape` says.
Array make_array(std::vector<std::int64_t> shape, Elements elements);
// One that can only be asked for its shape.
Array make_shape_only(std::vector<std::int64_t> shape, onf::Scalar element, std::string why);

// Bytes of the elements of all arrays of the process that are held by anybody.
struct MemoryUse {
  std::size_t live = 0;
  std::size_t peak = 0;  // the most since the process or forget_peak() began
};
MemoryUse memory_use();
void forget_peak();

// Elements of the type `scalar`, all zero.
Elements make_elements(onf::Scalar scalar, std::size_t count);
onf::Scalar scalar_of(const Elements& elements);

// The element at a position in row-major order, as a scalar value.
Value element_at(const Elements& elements, std::size_t position);
// `value` has the type of the elements.
void set_element(Elements& elements, std::size_t position, const Value& value);

// What a value is: "int64", "index of 3 components", "array of float32 with shape (2, 3)".
std::string describe(const Value& value);
std::string describe(const onf::Representation& representation);
std::string shape_text(const std::vector<std::int64_t>& shape);

// Is the value one of this representation?
bool has_representation(const Value& value, const onf::Representation& representation);

// The same type and the same bits, arrays by the elements that they share: equal values
// may differ here, different ones never agree.
bool identical(const Value& left, const Value& right);

}  // namespace rhopsi::reference
