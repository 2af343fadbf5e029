// Arrays as lists of numbers with a shape.
//
// Most operations work along one axis. They are carried out on the array's rows: for each index of
// the axes before, the list of blocks along the axis, a block being the elements of the axes
// behind. What an operation does to an index is thus never written down here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/number.hpp"

namespace rhopsi::oracle {

using Shape = std::vector<std::int64_t>;  // also an index vector
using Block = std::vector<Number>;

struct Array {
  Type type = Type::integer;  // of every element
  Shape shape;
  std::vector<Number> elements;  // row-major

  std::int64_t rank() const { return static_cast<std::int64_t>(shape.size()); }
  std::int64_t length(std::int64_t axis) const { return shape.at(static_cast<std::size_t>(axis)); }
};

std::int64_t product(const Shape& shape);
// The components of the one, then those of the other.
Shape joined(Shape left, const Shape& right);

// Elements are converted to the type.
Array make_array(Type type, Shape shape, std::vector<Number> elements);
Array scalar(const Number& number);
// Of rank 1.
Array vector(const std::vector<std::int64_t>& elements);
Array converted(const Array& array, Type type);

// The components of an array of rank 1; reals count towards zero.
std::vector<std::int64_t> integers_of(const Array& vector);

// Throws a Violation of this text unless the condition holds.
void require(bool condition, const char* text);
void require_axis(const Array& array, std::int64_t axis);

// The indices below a shape in row-major order.
std::vector<Shape> indices_below(const Shape& shape);
std::int64_t position_of(const Shape& index, const Shape& shape);
const Number& element(const Array& array, const Shape& index);

// For each index of the axes before `axis`, the blocks along it.
struct Rows {
  Type type;
  Shape before;
  Shape behind;
  std::vector<std::vector<Block>> rows;
};

Rows rows_of(const Array& array, std::int64_t axis);
// The array that has these rows along the axis; `length` is that of every row.
Array from_rows(const Rows& rows, std::int64_t length);

// Same type, shape and elements to the bit; any two NaNs are the same.
bool identical(const Array& left, const Array& right);
// As `identical`, but for reals that are at most `ulps` numbers apart.
bool close(const Array& left, const Array& right, std::int64_t ulps);

// "int64 <2 3>: 1 2 3 4 5 6"
std::string to_string(const Array& array);
std::string to_string(const Shape& shape);

}  // namespace rhopsi::oracle
