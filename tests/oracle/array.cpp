#include "tests/oracle/array.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace rhopsi::oracle {

std::int64_t product(const Shape& shape) {
  std::uint64_t result = 1;  // wraps, as the integers of expressions do
  for (const std::int64_t length : shape) result *= static_cast<std::uint64_t>(length);
  return static_cast<std::int64_t>(result);
}

Shape joined(Shape left, const Shape& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Array make_array(Type type, Shape shape, std::vector<Number> elements) {
  for (const std::int64_t length : shape) require(length >= 0, "a length is negative");
  require(std::cmp_equal(elements.size(), product(shape)), "elements do not fill the shape");
  for (Number& element : elements) element = converted(element, type);
  return {type, std::move(shape), std::move(elements)};
}

Array scalar(const Number& number) { return {type_of(number), {}, {number}}; }

Array vector(const std::vector<std::int64_t>& elements) {
  return {Type::integer, {std::ssize(elements)}, {elements.begin(), elements.end()}};
}

Array converted(const Array& array, Type type) {
  return make_array(type, array.shape, array.elements);
}

std::vector<std::int64_t> integers_of(const Array& vector) {
  require(vector.rank() == 1, "a vector is needed");
  std::vector<std::int64_t> integers;
  for (const Number& element : vector.elements) {
    integers.push_back(integer_of(converted(element, Type::integer)));
  }
  return integers;
}

void require(bool condition, const char* text) {
  if (!condition) throw Violation(text);
}

void require_axis(const Array& array, std::int64_t axis) {
  require(0 <= axis && axis < array.rank(), "there is no such axis");
}

std::vector<Shape> indices_below(const Shape& shape) {
  std::vector<Shape> indices = {{}};
  for (const std::int64_t length : shape) {
    std::vector<Shape> longer;
    for (const Shape& index : indices) {
      for (std::int64_t i = 0; i < length; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

std::int64_t position_of(const Shape& index, const Shape& shape) {
  std::uint64_t position = 0;  // wraps too
  std::uint64_t weight = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    position += static_cast<std::uint64_t>(index[axis]) * weight;
    weight *= static_cast<std::uint64_t>(shape[axis]);
  }
  return static_cast<std::int64_t>(position);
}

const Number& element(const Array& array, const Shape& index) {
  return array.elements.at(static_cast<std::size_t>(position_of(index, array.shape)));
}

Rows rows_of(const Array& array, std::int64_t axis) {
  require_axis(array, axis);
  const auto cut = array.shape.begin() + axis;
  Rows result{array.type, {array.shape.begin(), cut}, {cut + 1, array.shape.end()}, {}};
  const std::int64_t block = product(result.behind);
  auto next = array.elements.begin();
  for (std::int64_t row = 0; row < product(result.before); ++row) {
    result.rows.emplace_back();
    for (std::int64_t i = 0; i < *cut; ++i, next += block) {
      result.rows.back().emplace_back(next, next + block);
    }
  }
  return result;
}

Array from_rows(const Rows& rows, std::int64_t length) {
  Array result{rows.type, rows.before, {}};
  result.shape.push_back(length);
  result.shape.insert(result.shape.end(), rows.behind.begin(), rows.behind.end());
  for (const auto& row : rows.rows) {
    for (const Block& block : row) {
      result.elements.insert(result.elements.end(), block.begin(), block.end());
    }
  }
  return make_array(rows.type, std::move(result.shape), std::move(result.elements));
}

namespace {

// Reals on one line, neighbours one apart; 0 and -0 are neighbours too.
std::int64_t place(double real) {
  const auto bits = std::bit_cast<std::int64_t>(real);
  return bits >= 0 ? bits : -(bits & ~(std::int64_t{1} << 63)) - 1;
}

bool close(const Number& left, const Number& right, std::int64_t ulps) {
  if (left.index() != right.index()) return false;
  const double* a = std::get_if<double>(&left);
  const double* b = std::get_if<double>(&right);
  if (a == nullptr || b == nullptr) return left == right;
  if (std::isnan(*a) || std::isnan(*b)) return std::isnan(*a) && std::isnan(*b);
  const Wide distance = Wide{place(*a)} - place(*b);
  return -ulps <= distance && distance <= ulps;
}

}  // namespace

bool identical(const Array& left, const Array& right) { return close(left, right, 0); }

bool close(const Array& left, const Array& right, std::int64_t ulps) {
  if (left.type != right.type || left.shape != right.shape) return false;
  for (std::size_t i = 0; i < left.elements.size(); ++i) {
    if (!close(left.elements[i], right.elements[i], ulps)) return false;
  }
  return true;
}

std::string to_string(const Shape& shape) {
  std::string text = "<";
  for (const std::int64_t length : shape) {
    if (text.size() > 1) text += ' ';
    text += std::to_string(length);
  }
  return text + ">";
}

std::string to_string(const Array& array) {
  std::string text = to_string(array.type) + " " + to_string(array.shape) + ":";
  for (const Number& element : array.elements) text += " " + to_string(element);
  return text;
}

}  // namespace rhopsi::oracle
