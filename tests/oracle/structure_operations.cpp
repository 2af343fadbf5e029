#include <algorithm>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {

Array shape_of(const Array& a) { return vector(a.shape); }

Array dim(const Array& a) { return scalar(a.rank()); }

Array size(const Array& a) { return scalar(product(a.shape)); }

Array psi(const Shape& q, const Array& a) {
  require(std::ssize(q) <= a.rank(), "the index is longer than the rank");
  Array cell = a;
  for (const Integer i : q) {
    const Rows rows = rows_of(cell, 0);
    require(0 <= i && i < cell.length(0), "the index is outside");
    cell = {cell.type, rows.behind, rows.rows[0][static_cast<std::size_t>(i)]};
  }
  return cell;
}

Array blank_cell(const Array& a, Integer k) {
  require(0 <= k && k <= a.rank(), "the index is longer than the rank");
  const Shape shape(a.shape.begin() + k, a.shape.end());
  const auto count = static_cast<std::size_t>(product(shape));
  return make_array(Type::integer, shape, std::vector<Number>(count, false));
}

Array iota(Integer n) {
  require(n >= 0, "a length is negative");
  std::vector<Integer> elements;
  for (Integer i = 0; i < n; ++i) elements.push_back(i);
  return vector(elements);
}

Array ravel(const Array& a) { return {a.type, {product(a.shape)}, a.elements}; }

Array reshape(const Array& a, const Shape& shape) { return make_array(a.type, shape, a.elements); }

Array transpose(const Array& a) {
  Shape reversed;
  for (Integer axis = a.rank(); axis-- > 0;) reversed.push_back(axis);
  return transpose(a, reversed);
}

// Each element of `a` is carried to where it belongs.
Array transpose(const Array& a, const Shape& permutation) {
  Shape sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  require(identical(vector(sorted), iota(a.rank())), "no permutation of the axes");
  const auto moved = [&](const Shape& of_axes) {
    Shape result(of_axes.size());
    for (std::size_t k = 0; k < of_axes.size(); ++k) {
      result[static_cast<std::size_t>(permutation[k])] = of_axes[k];
    }
    return result;
  };
  Array result{a.type, moved(a.shape), a.elements};
  for (const Shape& index : indices_below(a.shape)) {
    const Integer to = position_of(moved(index), result.shape);
    result.elements[static_cast<std::size_t>(to)] = element(a, index);
  }
  return result;
}

Array diagonal(const Array& a, Integer m, Integer n) {
  require_axis(a, m);
  require_axis(a, n);
  require(m != n, "a diagonal needs two axes");
  require(a.length(m) == a.length(n), "axes of a diagonal have one length");
  const auto without = [n](Shape of_axes) {
    of_axes.erase(of_axes.begin() + n);
    return of_axes;
  };
  Array result{a.type, without(a.shape), {}};
  result.elements.resize(static_cast<std::size_t>(product(result.shape)));
  for (const Shape& index : indices_below(a.shape)) {
    if (index[static_cast<std::size_t>(m)] != index[static_cast<std::size_t>(n)]) continue;
    const Integer to = position_of(without(index), result.shape);
    result.elements[static_cast<std::size_t>(to)] = element(a, index);
  }
  return make_array(a.type, result.shape, result.elements);
}

Array trace(const Array& a) {
  require(a.rank() == 2, "a matrix is needed");
  return reduce(Binary::add, diagonal(a, 0, 1), 0);
}

Array contract(const Array& a, Integer m, Integer n) {
  return reduce(Binary::add, diagonal(a, m, n), m < n ? m : m - 1);
}

Integer exact_product(std::span<const Integer> lengths) {
  Integer result = 1;
  for (const Integer length : lengths) {
    if (__builtin_mul_overflow(result, length, &result)) throw ElementViolation("integer overflow");
  }
  return result;
}

Integer gamma(const Shape& p, const Shape& shape) {
  require(p.size() == shape.size(), "an index needs a component for each axis");
  Integer place = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    require(0 <= p[k] && p[k] < shape[k], "the index is outside");
    Integer part = exact_product(std::span(shape).subspan(k + 1));
    if (__builtin_mul_overflow(part, p[k], &part) || __builtin_add_overflow(place, part, &place)) {
      throw ElementViolation("integer overflow");
    }
  }
  return place;
}

Shape gamma_inverse(Integer o, const Shape& shape) {
  require(0 <= o && o < exact_product(shape), "the offset is outside");
  Shape index(shape.size());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    index[k] = o / exact_product(std::span(shape).subspan(k + 1)) % shape[k];
  }
  return index;
}

}  // namespace rhopsi::oracle
