// What nests that go line by line write and loops behind them write again before it is read.
//
//   nest d[i, j] := u[i, j] for i in [1, n);  for z in 1 .. n { d[z, j] := f(u[z, j], d[z - 1, j])
//   }
//
// As arrays begin with some values where others are to come, so loops begin. Internal to the
// engine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

// The indices low <= i < high of an axis.
struct Overwritten {
  std::size_t axis = 0;
  Expr low;
  Expr high;
};

// Where the elements that the nest at that place of the group writes need not be written, of all of
// its arrays: a loop behind it writes an index of the axis in each round, one after the other, and
// what it reads there of these arrays it has written, or lies outside of the nest's box. Nothing
// reads it in between. `ranges` knows what holds in front of the group. Linear, but for questions.
std::optional<Overwritten> overwritten_in_lines(const Ranges& ranges,
                                                std::span<const Statement> group, std::size_t at,
                                                const std::vector<std::size_t>& line_axes);

// Is all of the nest's box there?
bool is_within(const Ranges& ranges, const Nest& nest, const Overwritten& part);

}  // namespace rhopsi::onf
