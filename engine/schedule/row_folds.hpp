// Folds over all elements of arrays over the domain, as those of their rows and a fold of these:
// the rows are folded in the pass that makes the arrays (onf::RowFold). Internal to this folder.
//
//   x := fold maximum (k < n0 * n1) u[k / n1, k % n1] - v[k / n1, k % n1]
//     =>  t[i, j] := u[i, j] - v[i, j]; rows of r := fold maximum of t
//         x := fold maximum (i < n0) r[i, 0]
#pragma once

#include <map>
#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// Of which functions such folds may be taken apart.
enum class FoldsByRows : std::uint8_t {
  none,
  of_any_order,  // whose value is that of any order of steps
  of_reals,      // sums and products of reals besides: they may be regrouped
};

// The fold's terms as a nest over the domain, whose target is a view that is to be named.
struct DomainFold {
  onf::Nest terms;
  onf::ScalarFunction function{};
  onf::Scalar type{};
  bool begins_anew = false;  // each row, as onf::RowFold's
};

// Nothing where the fold does not go once over all elements of the domain, of two axes or more, has
// other statements than names in it, or steps whose order matters. Its variables are added to the
// function, in whose body it stands. Linear.
std::optional<DomainFold> domain_fold(onf::Function& function, const onf::Fold& fold, int rank,
                                      FoldsByRows which);

// All that there are in the function, by the variables that they are the value of.
std::map<onf::VariableId, DomainFold> domain_folds(onf::Function& function, int rank,
                                                   FoldsByRows which);

// The fold over `rows`, which has one element for each row. Its variables are added.
onf::Fold fold_of_rows(onf::Function& function, const onf::Fold& whole, onf::ViewId rows, int rank);

}  // namespace rhopsi::schedule
