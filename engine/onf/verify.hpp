// Checks any operational form, whoever made it.
#pragma once

#include <set>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// E0520  a nest reads beyond the pad of its schedule
// E0521  a nest reads a halo that an earlier statement left stale
// E0522  a view or variable is read before it is set, or when another array has taken its block, or
//        a row of a ring when it is not there
// E0523  an index is outside its axis for every point
// E0524  remark: an access could not be decided (the emitted checks test it)
// E0525  a malformed nest: wrong number of indices, an array of another element type; a nest that
//        is joined to another one of other arrays; an array in place of one of another shape; a
//        tile or a regrouping of folds that are none or that differ; a malformed pipeline; arrays
//        that may be one and have different pads; an order of axes that is none, or in which
//        something named them as the program has them (axes.hpp)
// E0526  the nests of an array with a shape of its own do not write each element once
// E0527  a nest reads the array that it writes (over the domain, and of an array in place of
//        another one: at another index than its own; in a pipeline: after it may have been written;
//        of teams: with no barrier between)
// E0528  remark: that the 32 bits of a nest's indices suffice could not be decided
//
// Arrays that have a shape of their own: indices and boxes are compared as sums of variables,
// with the bounds of loops and the conditions tested before; boxes of constants are counted.
// All nests of such an array follow its allocation, and it is used after the last of them.
//
// Accesses are decided by interval analysis of i + c, i - c and (i + c) mod n, through
// calls of device functions; halos by a forward analysis of statements with a summary per
// function. Arguments are assumed fresh on entry, but for those of functions that refill what they
// read (Function::refills), which leave theirs stale. Time is linear in the size of the
// module, calls of device functions in nests counted once per nest.
std::vector<Problem> verify(const Module& module);

// What could not be decided (E0524) of these functions, told to who runs them: of each function one
// remark, at the first place, with the number of the others. What several of them have in common,
// because they call it, is told once. Linear.
std::vector<Problem> undecided(const Module& module, const std::set<FunctionId>& functions);

}  // namespace rhopsi::onf
