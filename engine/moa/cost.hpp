// What it costs to compute the elements of a normal form. Internal to this folder.
//
// An estimate in scalar operations. Counted is each node of an element's graph, once in the
// innermost loop that it depends on - the box, or a fold - times the rounds of the loops:
//
//   [0, n): fold _+_ (k < m) (A[i, k] * sqrt(v[i]))     n * (m * (2 operations) + 1 operation)
//
// since what is used twice is computed once and what a loop does not change before it. A branch
// that may be taken counts half. Sums and multiples of indices are free where they are an index
// themselves: they are part of the address.
//
// A fold that is not alone in its element has no tile (schedule::tile_folds): its steps wait for
// one another and go through memory line by line, and weigh more for it.
#pragma once

#include "engine/moa/reduce.hpp"

namespace rhopsi::moa {

struct Cost {
  double operations = 0;
  double loads = 0;
  double stores = 0;
  double allocations = 0;
  double nests = 0;      // loops over boxes
  double in_chains = 0;  // of the operations and loads, those of folds that have no tile

  Cost& operator+=(const Cost& other);
  Cost scaled(double factor) const;
  // An allocation weighs what Limits say: about a microsecond.
  double weighted(const Limits& limits) const;
};

// The weights. A load is mostly found in a cache, next to the one before; a store reads its line
// and writes it back later.
inline constexpr double operation_weight = 1;
inline constexpr double load_weight = 1;
inline constexpr double store_weight = 2;
inline constexpr double nest_weight = 500;  // to start its threads and wait for them
inline constexpr double chain_weight = 3;   // besides what it weighs in any case

// A length that is not known counts as this.
inline constexpr double nominal_length = 1000;

// To the nearest integer, at most most_counted.
std::int64_t rounded(double count);

// The number of elements.
double volume_of(const NormalForm& form);
// That of the largest of its leaves and itself.
double largest_of(const NormalForm& form);
// May the form's array be stored: beside one of `largest` elements it is no larger, or it is known
// to be small, and it has not too many axes.
bool may_be_stored(const NormalForm& form, double largest, const Limits& limits);
// Of computing all elements, wherever they go to.
Cost cost_of(const NormalForm& form);
// With an array of `volume` elements that they go to.
Cost with_stores(Cost cost, double volume);
Cost stored_cost(const NormalForm& form);

}  // namespace rhopsi::moa
