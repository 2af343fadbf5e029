// What a nest of folds reads from row to row along its lanes. Internal to this folder.
#pragma once

#include <optional>
#include <set>

#include "engine/schedule/fold_statements.hpp"

namespace rhopsi::schedule {

// Does the length need nothing of the nest that these loops, and the statements that declare the
// variables, are of? Linear but for a logarithm.
bool is_before(const onf::Expr& length, const Loops& loops,
               const std::set<onf::VariableId>& declared);

// The loops that the load is in, that of the lanes last: its part of the array is an array over
// these. Each of its components has one of them at most, as itself and a number, and no two have
// the same; their lengths are before the nest. Nothing where that is not so, or where the lanes are
// the last component, so that neighbours lie side by side already, or in none. Linear in the load
// for each loop.
std::optional<Loops> loops_of_part(const onf::Expr& load, const Loops& loops, onf::VariableId lane,
                                   const std::set<onf::VariableId>& declared);

}  // namespace rhopsi::schedule
