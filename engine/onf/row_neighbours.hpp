// Which rows a loop along rows reads at several places that lie side by side, where the loop is of
// sums and products alone, so that it can go from vector to vector by itself: what begins within a
// vector of memory is then shifted out of two that are read whole.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// A row of an array: the offsets of all its indices but the last from those of a nest.
struct RowPlace {
  ViewId view{};
  std::vector<std::int64_t> outer;
  friend auto operator<=>(const RowPlace&, const RowPlace&) = default;
};

// What a load of the nest reads, and how far along the row from the nest's own index. Nothing where
// an index of it is another than one of the nest with a number added, or goes around other than by
// peeled rows along the last axis. Linear in the rank.
struct PlaceInRow {
  RowPlace row;
  std::int64_t along = 0;
};
std::optional<PlaceInRow> place_in_row(const Nest& nest, const Expr& load);

// So far along a row what is shifted may be: a vector of double has 8 elements, and longer ones of
// other types more.
inline constexpr std::int64_t most_shifted = 8;

// With so many vectors less for an element a loop becomes faster. Of 7 points in three dimensions
// it are two, and nothing is gained; of 9 in the plane six, and a quarter of the time is.
inline constexpr std::int64_t least_fewer = 3;

// The rows that `nest` reads in fewer vectors where elements are shifted than where each place is
// read for itself. Empty where these are not `least_fewer` vectors less, or where an element is
// anything but sums, products, quotients and the lesser or greater of reals of one type and of what
// is the same for a row. Linear in the size of the nest, times the logarithm of the number of its
// rows.
std::set<RowPlace> shifted_rows(const Function& function, const Nest& nest);

}  // namespace rhopsi::onf
