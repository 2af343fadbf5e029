// Operations on whole arrays and single accesses. Everything throws Failure.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backends/reference/value.hpp"

namespace rhopsi::reference {

// The number of elements; shapes with negative or too many elements are errors.
std::size_t count_elements(std::span<const std::int64_t> shape);

// Calls `use` for every index in [0, shape), the last axis fastest.
void for_each_index(std::span<const std::int64_t> shape,
                    const std::function<void(const Index& index, std::size_t position)>& use);

// An error where there are no elements to be asked for (Array::missing).
void check_elements(const Array& array);

// The element at `index`. Up to `padding` outside [0, shape) the padding is read, which
// holds the circular values where the array is fresh.
Value load(const Array& array, const Index& index, std::int64_t padding);

// `function` of arrays of one shape and scalars, element by element. The result's
// padding is fresh if that of every array is.
Array pointwise(onf::ScalarFunction function, std::span<const Value> arguments,
                onf::Scalar element);

// Element p is that of p[axis := (p[axis] + offset) mod shape[axis]].
Array rotate(const Array& array, std::int64_t axis, std::int64_t offset);

// The component of `index` at `axis` plus `offset`, modulo the length where `wrap` is set.
Index rotate_index(const Index& index, std::span<const std::int64_t> domain, std::int64_t axis,
                   std::int64_t offset, bool wrap);

}  // namespace rhopsi::reference
