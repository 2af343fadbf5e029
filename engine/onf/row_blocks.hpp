// Nests over boxes that go through axis 0 by turns: each does some indices, its rows, then all do
// the next ones.
//
//   m[i] := sum of x[i, k]; d[i, j] := x[i, j] - m[i]; v[i] := sum of d[i, k] * d[i, k]
//
// Row by row each reads what the others have made of that row alone, so blocks of rows need nothing
// of one another, and may be done by any thread. Nests that are said to do so (Nest::row_blocks)
// still mean what they mean one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// The places of the nests that go by turns with the one at `first`, which comes first. Allocations
// in place of other arrays stand between them, and nothing else. Linear.
std::vector<std::size_t> row_blocks_at(const Statements& list, std::size_t first);

// What keeps these nests of the function from it, as the rest of a sentence, and where; nothing:
// they may. Each has a box over the same indices of axis 0, without a check in it and without
// panels. What one of them writes, and every array of two axes and more, is read at the nest's own
// index of axis 0 alone. Linear.
struct RowBlockObstacle {
  std::string what;
  term::LocationId location{};
};
std::optional<RowBlockObstacle> row_block_obstacle(const Function& function,
                                                   const std::vector<const Nest*>& nests);

// The arrays whose rows the nests go through: those of which they read or write the elements of
// their own index of axis 0, in the order in which they are met, each once. Linear.
std::vector<ViewId> arrays_in_rows(const std::vector<const Nest*>& nests);

}  // namespace rhopsi::onf
