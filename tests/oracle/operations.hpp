// The operations of the Mathematics of Arrays, a function each, from the catalogue's words.
//
// Nothing here is shared with the project: neither its code nor its axioms. Domain conditions
// that do not hold are Violations. An axis counts from 0, integer vectors are index vectors.
// Sources: L. Mullin, A Mathematics of Arrays (1988); T. More, Axioms and Theorems for a Theory
// of Arrays (1973).
#pragma once

#include <functional>
#include <span>

#include "tests/oracle/array.hpp"

namespace rhopsi::oracle {

using Integer = std::int64_t;

// Whole arrays and their shapes.
Array shape_of(const Array& a);
Array dim(const Array& a);
Array size(const Array& a);
Array psi(const Shape& q, const Array& a);  // the cell at an index of the first axes
Array iota(Integer n);
Array ravel(const Array& a);
Array reshape(const Array& a, const Shape& shape);
Array transpose(const Array& a);
Array transpose(const Array& a, const Shape& permutation);  // axis k goes to permutation[k]
Array diagonal(const Array& a, Integer m, Integer n);       // axis m is kept, n goes
Array trace(const Array& a);
Array contract(const Array& a, Integer m, Integer n);  // the sum over that diagonal
// From the left; an ElementViolation where 64 bits do not hold it.
Integer exact_product(std::span<const Integer> lengths);
Integer gamma(const Shape& p, const Shape& shape);
Shape gamma_inverse(Integer o, const Shape& shape);

// Along an axis.
Array take(const Array& a, Integer axis, Integer k);  // from the end where k < 0
Array drop(const Array& a, Integer axis, Integer k);
Array cat(const Array& a, const Array& b, Integer axis);
Array reverse(const Array& a, Integer axis);
Array rotate(const Array& a, Integer axis, Integer o);  // element i is what i + o was
Array pad_circular(const Array& a, Integer axis, Integer l, Integer r);
Array pad_constant(const Array& a, Integer axis, Integer l, Integer r, const Array& c);
Array pad_edge(const Array& a, Integer axis, Integer l, Integer r);
Array pad_reflect(const Array& a, Integer axis, Integer l, Integer r);  // in its end elements
Array lift(const Array& a, Integer axis, Integer q);                    // into blocks of length q
Array unlift(const Array& a, Integer axis);  // joins the axis with the next

// Selections by values.
Array gather(const Array& a, Integer axis, const Array& v);
Array grade_up(const Array& v);
Array compress(const Array& a, Integer axis, const Array& mask);
Array expand(const Array& a, Integer axis, const Array& mask);  // 0 where the mask is
Array update(const Array& a, const Shape& start, const Shape& counts, const Shape& strides,
             const Array& x);

// From the first element on, ascending; the unit of the function where there is none.
Array reduce(Binary function, const Array& a, Integer axis);
Array scan(Binary function, const Array& a, Integer axis);

Array blank_cell(const Array& a, Integer k);  // zeros in the shape of a cell at k indices

// Elements.
Array pointwise(Unary function, const Array& a);
Array pointwise(Binary function, const Array& a, const Array& b);  // a scalar is extended
Array select(const Array& condition, const Array& a, const Array& b);
Array outer(Binary function, const Array& a, const Array& b);
Array inner(Binary fold, Binary function, const Array& a, const Array& b);

// An operation on cells of a given rank, for every index of the axes before (omega). Of two
// operands the frames may differ in length: then all cells of the one that is short, for each
// index that only the other has, are taken in turn.
using UnaryOperation = std::function<Array(const Array&)>;
using BinaryOperation = std::function<Array(const Array&, const Array&)>;
Array on_cells(const UnaryOperation& operation, Integer rank, const Array& a);
Array on_cells(const BinaryOperation& operation, Integer left_rank, Integer right_rank,
               const Array& a, const Array& b);

}  // namespace rhopsi::oracle
