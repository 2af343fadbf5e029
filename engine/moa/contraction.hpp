// Contractions: a sum of products over several indices as one n-ary node.
//
//   fold _+_ (k < n) ((fold _+_ (l < m) (A[i, l] * B[l, k])) * C[k, j])
//     =>  fold _+_ (k < m, k2 < n) (A[i, k] * B[k, k2] * C[k2, j])
//
// The nest says an order, in which A and B are multiplied first; the node says none. Both have the
// same value where sums and products may be regrouped and products be taken into sums: for
// integers, which wrap, and so are a ring; not for reals, unless that is asked for.
// Source: Mathematics of Arrays, inner products and reductions of outer products; the node is that
// of einsum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/moa/normal_form.hpp"

namespace rhopsi::moa {

// Whether regrouping counts as the same value: always for integers.
enum class Regrouping { exact, also_reals };

struct Contraction {
  struct Index {
    VariableId variable;
    ExprId count;  // 0 <= variable < count; mentions no index of this contraction
  };
  std::vector<Index> summed;  // in the order in which the operands mention them first
  Vector operands;            // the factors, in the order of their product; at least one
};

// The contraction that `expression` is, with all sums within its product that can be taken into
// it; nothing where it is no sum, or one of reals and `regrouping` is exact. Linear in the size
// of the product, but for what has to be renamed.
std::optional<Contraction> contraction_of(Expressions& expressions, ExprId expression,
                                          Regrouping regrouping);

// Is there more than one way to compute it: is there an operand without one of the indices?
bool has_orders(const Expressions& expressions, const Contraction& contraction);

struct ContractionText {
  std::string indices;                // "fold _+_ (k < 3, k2 < 4)"
  std::vector<std::string> operands;  // "A[i, k]", "B[k, k2]"
};
ContractionText text_of(const NormalForm& form, const Contraction& contraction);

}  // namespace rhopsi::moa
