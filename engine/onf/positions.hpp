// What conditions say of where in the domain an element is: `1 <= i`, `j + 2 < N1 + 1`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// index * i + length * N + number, i a nest's index of one axis and N its length.
struct LinearPosition {
  std::int64_t index = 0, length = 0, number = 0;
};

// at <= i, or i < at; counted from the length where `from_end`.
struct PositionBound {
  std::size_t axis = 0;
  bool least = true;
  bool from_end = false;
  std::int64_t at = 0;
};

// Of a nest over the domain with an index per axis, which stays where it is.
class Positions {
 public:
  // What a variable that is no index stands for, or null.
  using Meaning = std::function<const Expr*(VariableId)>;
  Positions(const Nest& nest, Meaning meaning) : nest_(nest), meaning_(std::move(meaning)) {}
  // By what the body of the nest names.
  explicit Positions(const Nest& nest);

  // The expression that a variable stands for.
  const Expr& of(const Expr& e) const;
  // With all variables replaced that are no indices.
  Expr resolved(const Expr& e) const;
  // Is it an index modulo the length of its axis: the index itself, where that is in the domain?
  bool is_position(const Expr& e) const;
  // Is it a number with such an index in it, modulo the length of that axis? It does not trap,
  // since where there is an index there are elements.
  bool goes_around(const Expr& e) const;
  // Of such an index as of the index. Nothing for other expressions, and where two axes are in it.
  // Of a number alone, `axis` stays.
  std::optional<LinearPosition> linear(const Expr& e, std::optional<std::size_t>& axis) const;
  // Which bounds there are if the condition holds, or does not. Of a comparison of a position that
  // has any, all together say the same as it does.
  std::vector<PositionBound> bounds(const Expr& condition, bool holds) const;
  // Is there nothing but numbers, lengths and indices in it, and nothing that may trap?
  bool is_positional(const Expr& e) const;
  bool has_index(const Expr& e, std::size_t axis) const;

 private:
  void follow(const Expr& e, bool holds, std::vector<PositionBound>& found) const;
  void at_least(const Expr& left, const Expr& right, std::int64_t by,
                std::vector<PositionBound>& found) const;

  const Nest& nest_;
  Meaning meaning_;
};

// What the condition is for all elements that are `ends` or more away from both ends of every axis;
// nothing where it is not the same for all of them, as far as its comparisons tell one by one. With
// 0 it is so for every element. Linear.
std::optional<bool> decided_inside(const Positions& positions, const Expr& condition,
                                   std::int64_t ends);

// How many elements of each axis at least lie before and behind an element for which the condition
// holds, or does not; {0, 0} where it says nothing of that. Of elements of the domain. Linear.
std::vector<Margin> distance_from_ends(const Positions& positions, std::size_t rank,
                                       const Expr& condition, bool holds);
// The greater of both, at either end of each axis of `by`.
void widen(std::vector<Margin>& distances, const std::vector<Margin>& by);

// Does it divide integers by what may be 0? Of its own function, not of its operands.
bool may_trap(const Expr& e);

// Is there nothing in it that stops a program, whatever the elements are that it reads? Over a
// domain, which has elements: what goes around an axis is no division by zero. Linear.
bool always_has_value(const Expr& e);

// How many elements of a row there are at each end where conditions on the place along the row are
// not what they are between the ends. Conditions that change further inside are left out. Linear.
Margin condition_reach(const Nest& nest);

// The condition as it is between the ends of a row, which are of `reach` elements: what the place
// along the row decides there is gone from it, or all that is left is true or false.
Expr between_ends(const Positions& positions, const Nest& nest, const Margin& reach,
                  const Expr& condition);

}  // namespace rhopsi::onf
