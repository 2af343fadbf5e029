// Which statements of a row stand behind its folds. Internal to this folder.
#pragma once

#include <optional>
#include <utility>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// The statements of a row with folds, in their order: those that the folds need, with these, and
// those that may as well come behind them.
//
//   s := sum of u * u; v := f(u); w := g(v)   =>   s := sum of u * u   |   v := f(u); w := g(v)
//
// What is read with the numbers that the folds give is computed where it is read then, and need not
// be stored meanwhile. Nothing where one of the latter would find an array that it names changed,
// or does more than to make and name arrays; numbers are left to who asks. Quadratic in the
// statements.
struct PartedRow {
  onf::Statements folds, behind;
};
std::optional<PartedRow> parted_by_folds(const onf::Statements& row);

}  // namespace rhopsi::schedule
