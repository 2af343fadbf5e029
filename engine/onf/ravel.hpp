// Folds over all elements of an array, whose index is taken apart into those of its axes: what is
// certain within them, and the same as folds over the axes.
//
//   fold (k < n0 * n1) A[(k / n1) % n0, k % n1]  =>  fold (i < n0) fold (j < n1) A[i, j]
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

// Products of lengths of arrays, as the fold that stands in `function` finds them: numbers that
// were named in front of it or in it are what they were set to.
class LengthProducts {
 public:
  LengthProducts(const Function& function, const Fold& fold);

  // Of a name what it was set to, where that is still so; any other expression is itself.
  const Expr& meant(const Expr& e) const;

  // Does the condition hold at every index of the fold, because there is one: so its count is not
  // 0, and neither is any length in it?
  bool is_certain(const Expr& condition) const;

  // The lengths of the axes, from the outermost on, if the only fold's element uses the indices of
  // axes that its index is taken apart into, in row-major order, and perhaps itself. Linear.
  std::optional<std::vector<Expr>> axes(const TileForm& form) const;
  // Folds over the axes, with these as their indices, one for each length. Their values have the
  // name of the fold's.
  TileForm over_axes(const TileForm& form, const std::vector<VariableId>& indices) const;

 private:
  using Product = std::vector<std::pair<ViewId, int>>;  // ascending
  // (index / stride) % length
  struct Digit {
    Product stride, length;
    friend bool operator==(const Digit&, const Digit&) = default;
  };
  Expr written_out(const Expr& e) const;
  std::optional<Product> product(const Expr& e) const;
  bool divides_count(const Expr& e) const;
  bool is_below(const Expr& remainder, const Expr* bound) const;
  std::optional<Digit> digit(const Expr& e, VariableId index) const;
  void find_digits(const Expr& e, VariableId index, std::set<VariableId>& seen,
                   std::vector<std::pair<Digit, Expr>>& found) const;
  std::optional<std::vector<std::pair<Digit, Expr>>> digits(const TileForm& form) const;

  std::map<VariableId, Expr> values_;
  std::set<VariableId> lengths_;  // hold a length that an array had when they were set
  std::optional<Product> count_;
};

}  // namespace rhopsi::onf
