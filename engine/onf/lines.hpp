// Loops over rounds, and nests over boxes, that are done line by line.
//
//   for z in 1 .. n { d[z, j, k] := (u[z, j, k] + d[z - 1, j, k]) / c[z, j, k] }
//   for z in 1 .. n { d[n - 1 - z, j, k] := d[n - 1 - z, j, k] - c[n - z, j, k] * d[n - z, j, k] }
//
// Nothing that is computed for one (j, k), a line, is read for another one. So all rounds of some
// lines may be done before those of others begin, by any thread, and what one loop makes of them
// the next one finds in a cache. Statements that are said to go so (Statement::lines) still mean
// what they mean one after the other.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// The place behind the statements that go line by line with the one at `first`, which is the first
// of them. Linear.
std::size_t lines_end(const Statements& list, std::size_t first);

// The nests of the statements, those in loops too, in their order. Linear.
std::vector<const Nest*> nests_in_lines(std::span<const Statement> group);

// The arrays that have blocks of others: for each the one that has its block where the group
// begins. Linear.
std::map<ViewId, ViewId> blocks_in_lines(std::span<const Statement> group);

// Is the array, which the group allocates, named in the group alone, whatever has its block? Then
// each thread has it for the lines that it does, and no longer. Linear in the function.
bool is_of_lines_alone(const Function& function, std::span<const Statement> group, ViewId view);

// What keeps the statements from going line by line along boxes with these axes, ascending, as the
// rest of a sentence, and where; nothing: they may. They are loops over rounds whose ends no array
// tells, nests over boxes, arrays that have the blocks of others or are of lines alone, and
// integers within loops. The nests have boxes of as many axes and over the same indices of these,
// without checks and tiles. What one of them writes is read at the nest's own indices of these axes
// alone. Without axes numbers may also be computed between, and branches taken, and the nests may
// have any boxes. Linear.
struct LineObstacle {
  std::string what;
  term::LocationId location{};
};
std::optional<LineObstacle> line_obstacle(const Function& function,
                                          std::span<const Statement> group,
                                          const std::vector<std::size_t>& axes);

}  // namespace rhopsi::onf
