// Arrays with an axis more than the domain, along which each of a few indices is meant: as many
// arrays.
//
//   upd w: [2, n, m]
//   nest (k, i, j) in [0, 2) x [0, n) x [0, m): w2[k, i, j] = if k == 0 then w[1, i, j] else ...
//     =>
//   upd w_0, w_1: [n, m]
//   nest (i, j) in [0, n) x [0, m): w2_0[i, j] = w_1[i, j]
//   nest (i, j) in [0, n) x [0, m): w2_1[i, j] = ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/over_domain.hpp"

namespace rhopsi::onf {

// No axis that is written out is longer.
inline constexpr std::int64_t longest_stack = 32;

// Has an array of these lengths one axis more than the domain, that one, which is short enough?
bool is_stack_over(std::vector<std::int64_t> lengths, std::size_t axis,
                   const std::vector<std::int64_t>& domain);

// Does every function test that this axis of each of these arrays, by name, is so long? Those that
// have such an argument; before anything else is done. Linear.
bool states_lengths(const Module& module, std::size_t axis,
                    const std::map<std::string, std::vector<std::int64_t>>& lengths);

// Takes the arrays of each function that have an axis more than `domain` apart, which is `axis` of
// them, wherever they are: arguments become arguments for parts of one array of the callers
// (Argument::window), named w_0, w_1 and so on. Of those that come in `lengths` says how long they
// are, by their names. Arrays have shapes of their own; the module has not been scheduled. Nothing:
// done. Otherwise what keeps one from it, "reads w at an index along axis 0 that is no number"; the
// module is of no use then. Linear in what is made.
std::optional<DomainObstacle> take_stacks_apart(
    Module& module, std::size_t axis, const std::vector<std::int64_t>& domain,
    const std::map<std::string, std::vector<std::int64_t>>& lengths);

}  // namespace rhopsi::onf
