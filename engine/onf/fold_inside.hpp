// Folds of elements that are chosen by where they are, between the ends of arrays and at them: what
// they are between, without the choice.
//
//   fold (k < n) (if 1 <= k then A[k - 1] else 0) + A[k]
//     =>  at 1 <= k < n:  A[k - 1] + A[k]
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/onf/ravel.hpp"

namespace rhopsi::onf {

struct FoldInside {
  // Of the index of one fold: from <= index, and index < each of `until`, which are sums of lengths
  // and numbers.
  struct Range {
    std::int64_t from = 0;
    std::vector<Expr> until = {};
  };
  std::vector<Range> ranges;  // one for each fold, from the outermost on
  TileForm form;              // where all indices are in them, of the same value
};

// Nothing where no choice depends on places of indices alone. A place that is a number is one near
// the low end, any other one near the high end. `lengths` are those of the fold that `form` is of;
// a form over its axes will do. Linear but for conditions, in which names are written out.
std::optional<FoldInside> fold_inside(const TileForm& form, const LengthProducts& lengths);

}  // namespace rhopsi::onf
