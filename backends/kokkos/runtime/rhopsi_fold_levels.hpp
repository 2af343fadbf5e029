// Folds one within the other, as what is emitted of them: how many steps each has, and its term.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "rhopsi_lanes.hpp"

namespace rhopsi {

// One level of folds: combines by By what `term` is at the nest's indices and those of this and
// the outer folds; but for the innermost one `term` also takes the value of the next fold.
// `Joined`: it is that value, of the same type and operation, and the next fold's length does not
// depend on this one's index, so that both have their steps in one sequence.
// The innermost one may have a range of its index, at the nest's indices and those of the outer
// folds, in which `within` is the term: between the ends of arrays, without a choice.
struct FoldRange {
  std::int64_t from = 0, until = 0;
};
struct NoRange {};
template <class T, class By, bool Joined, class Count, class Term, class Range = NoRange,
          class Within = Term>
struct FoldLevel {
  using Value = T;
  using Combine = By;
  static constexpr bool joined = Joined;
  static constexpr bool ranges = !std::is_same_v<Range, NoRange>;
  Count count;
  Term term;
  Range range;
  Within within;
};
template <class T, class By, bool Joined, class Count, class Term>
FoldLevel<T, By, Joined, Count, Term> fold_level(Count count, Term term) {
  return {count, term, NoRange{}, term};
}
template <class T, class By, bool Joined, class Count, class Term, class Range, class Within>
FoldLevel<T, By, Joined, Count, Term, Range, Within> fold_level(Count count, Term term, Range range,
                                                                Within within) {
  return {count, term, range, within};
}

namespace detail {

template <class Levels>
using first_level = std::tuple_element_t<0, Levels>;

// part(within, k, last + 1) for the steps from `begin` up to `end` that are in the range, and for
// those on both sides of it, in no order.
template <class Part>
RHOPSI_INLINED inline void each_part(const FoldRange range, std::int64_t begin, std::int64_t end,
                                     const Part& part) {
  const std::int64_t low = std::clamp(range.from, begin, end);
  const std::int64_t high = std::clamp(range.until, low, end);
  if (low < high) part(std::true_type{}, low, high);
  const std::int64_t ends[2][2] = {{begin, low}, {high, end}};
  for (const auto& side : ends) {
    if (side[0] < side[1]) part(std::false_type{}, side[0], side[1]);
  }
}

}  // namespace detail

}  // namespace rhopsi
