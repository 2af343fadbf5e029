// The denotational normal form of an array expression: its shape, and its elements box by box.
//
// Mullin's psi-reduction with explicit index components: only accesses to arrays that come from
// outside, scalar operations and folds are left. Several boxes stand where an element has a
// condition or a modulo that is affine in one index. Source: L. Mullin, A Mathematics of Arrays
// (1988); Mullin and Thibault (1994) for the boxes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/moa/expression.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::moa {

// An array that comes from outside.
struct Leaf {
  std::string name;
  Scalar element = Scalar::float64;
  // The length of each axis, where it is known; otherwise it is Expressions::extent.
  std::vector<std::optional<std::int64_t>> shape;
  term::SymbolId variable{};  // of the expression that was reduced
  // What else is known of the lengths, one expression per axis; none: `shape` says all.
  Vector lengths = {};
  // Its elements in row-major order, where all of them are constants and known; or none.
  Vector elements = {};

  std::size_t rank() const { return shape.size(); }
};

// The indices from `low` up to and without `high`; empty where high <= low.
struct Interval {
  ExprId low;
  ExprId high;
};

// The elements at the indices of `box` (an interval per axis, which mention extents only) are
// `element`, in the form's index variables.
struct Piece {
  std::vector<Interval> box;
  ExprId element;
};

// What had to be taken for granted because shapes or values are not known before the run: to be
// tested on entry, in this order.
struct Assumption {
  ExprId condition;
  std::string message;  // "gather on axis 0 needs 0 <= v[m]"
  term::LocationId location{};
  const char* code = "E0608";  // of the error where it does not hold
  // Numbers, of those that the condition compares, that are not known yet, and the pieces of the
  // message around them: "take needs `abs(k) <= n`: ", " and ", "". Empty: the message says all.
  std::vector<std::string> pieces = {};
  Vector numbers = {};
  // Of a condition on all indices below a count: what has to hold at each, in order, so that it can
  // be said where it does not. None: `condition` is tested as a whole.
  struct Claim {
    ExprId condition;
    std::vector<std::string> pieces = {};
    Vector numbers = {};
  };
  VariableId index{};
  ExprId count{};
  std::vector<Claim> claims = {};
};

// How often a rule was used.
struct RuleUse {
  std::string rule;
  term::LocationId location{};
  std::size_t count = 0;
};

struct NormalForm {
  std::shared_ptr<Expressions> expressions;
  std::vector<Leaf> leaves;
  std::vector<VariableId> parameters;  // numbers that come from outside, ascending
  Scalar element = Scalar::float64;    // boolean, int64, float32 or float64
  Vector shape;                        // may hold loads and folds: shapes that depend on values
  std::vector<VariableId> indices;     // one per axis
  std::vector<Piece> pieces;           // disjoint; together they cover the shape
  std::vector<Assumption> assumptions;
  std::vector<RuleUse> uses;    // in order of first use
  std::size_t evaluations = 0;  // terms that were evaluated for it: how long it took

  std::size_t rank() const { return indices.size(); }
};

// All elements in row-major order, where they are constants, and not many (32); otherwise none.
Vector constant_elements(const NormalForm& form);

// How the index variable of an axis is called: i, j, k, ...
std::string index_name(std::size_t axis);

// Several lines:
//   shape: 5 4
//   [0, 2) x [0, 4): B[i, j]
//   [2, 5) x [0, 4): C[i - 1, j + 2]
// Expressions are printed as trees; what is shared and large is named first, `let x1 = ...`.
std::string to_string(const NormalForm& form);
std::string to_string(const NormalForm& form, ExprId expression);

// How a piece reads an array: an affine map from the box, from its first index, to the array's
// row-major order, where the array's shape and the box are known.
//   A: start 2 strides 6 1 counts 3 4
// The indices of folds come behind those of the box; a count that depends on an index is printed in
// parentheses, `(j + 1)`. "not affine" where an index is not affine. Where the element is computed
// in some cases only, the counts are those that a condition on one index leaves, and behind the
// line stands ", under a condition" if there is another one. One line per piece and access; what is
// read anyway is not told again for conditions.
std::string accesses_to_string(const NormalForm& form);

}  // namespace rhopsi::moa
