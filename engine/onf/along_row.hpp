// Integers along the rows of a nest over a box, by the index of its last axis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// (index * j + constant + the sum of factor * term) / over, the quotient Euclid's. The terms are
// the same along a row.
struct AlongRow {
  std::int64_t index = 0, constant = 0;
  std::vector<std::pair<Expr, std::int64_t>> terms = {};
  std::int64_t over = 1;  // at least 1

  bool is_number() const { return index == 0 && terms.empty() && over == 1; }
};

// The value without what it has of the index, before it is divided. Linear.
Expr without_index(const AlongRow& value);

// left + by * right; nothing where a number is beyond 2^30, or where quotients do not add up.
std::optional<AlongRow> sum(const AlongRow& left, const AlongRow& right, std::int64_t by);

// The names of a nest's body, by what they are along a row.
class RowNames {
 public:
  // `of_rows`: the other indices count as what is known before the nest.
  explicit RowNames(const Nest& nest, bool of_rows = false);

  // The name is a constant of the body, which is that.
  void define(VariableId variable, const Expr& value) { values_.insert_or_assign(variable, value); }
  // Nothing where it is not linear in the index of the last axis, or depends on what is computed in
  // the body, or on other indices. Linear in the expression, with what it names.
  std::optional<AlongRow> along(const Expr& e) const;

 private:
  bool is_everywhere(const Expr& e) const;

  VariableId index_{};
  std::set<VariableId> own_;
  std::map<VariableId, Expr> values_;
};

// The greatest integer that is at most a / b, where b is positive.
inline std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// What a function of integers makes of two, literals folded.
Expr of_integers(ScalarFunction function, Expr left, Expr right);

}  // namespace rhopsi::onf
