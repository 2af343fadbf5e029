// Elements that are read beside the index, with what lies beyond an end told by conditions:
//
//   u[if i < 1 then 0 else i - 1]                 (the nearest element)
//     => if i < 1 then u[i] else u[(i - 1) mod N]
//   if 1 <= i then u[i - 1] else c                (a number)
//     => if 1 <= i then u[(i - 1) mod N] else c
//
// A read that is done lies within its array, so an index that is i + c, or a multiple of the length
// more, is (i + c) mod N.
#pragma once

#include <functional>
#include <optional>

#include "engine/onf/positions.hpp"

namespace rhopsi::onf {

// What a condition on lengths is, if it is one; what it says is relied on.
using LengthsDecide = std::function<std::optional<bool>(const Expr& condition)>;

// Rewrites the loads of an expression of a nest over the domain until each index is `(i + c) mod N`
// of its axis. Extremes are choices, within sums too. Conditions of a choice within an index go
// around the load, but for those that the conditions around or `decided` decide; choices within
// them, as where the nearest element of the nearest element is read, go around them. A number, and
// what counts from the other end (`1 - i`), is a constant offset where the conditions around leave
// few indices, one after the other. `meaning` gives what a variable stands for, or null. Nothing,
// or the first load that reads elsewhere. An expression grows with the product of the choices
// within its indices.
std::optional<Expr> make_loads_circular(const Nest& nest, Expr& whole, Positions::Meaning meaning,
                                        LengthsDecide decided);

}  // namespace rhopsi::onf
