// Loops along rows in rounds of a few indices, in each of which quotients and remainders of the
// index are known: f[i, j] := c[i, j / 2]  =>  f[i, 2 q] := c[i, q]; f[i, 2 q + 1] := c[i, q].
#pragma once

#include <cstdint>
#include <string>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// How many indices of the last axis a round has to have, so that all quotients and remainders of
// linear functions of the index by small numbers are known: 1 where there are none, or where it
// would be more than 8. Of a nest over a box whose body has no loops. Linear.
std::int64_t period_of(const Nest& nest);

// The nest as it is at the indices length * q + residue, where it has a period: the quotients and
// remainders are those of `round`, q, while the index itself stays. Linear.
Nest in_period(const Nest& nest, std::int64_t residue);

// What is wrong with the period of a nest that has one; empty where nothing is.
std::string wrong_with_period(const Nest& nest);

}  // namespace rhopsi::onf
