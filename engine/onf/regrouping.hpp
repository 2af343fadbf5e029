// Folds whose steps are taken in another order (Regrouping, form.hpp): which may be.
#pragma once

#include <string>

#include "engine/onf/tile.hpp"

namespace rhopsi::onf {

// How the value of a fold depends on the order of its steps.
enum class StepOrder {
  any,      // it does not, or by rules that another order can keep: which zero, which NaN
  reals,    // by the rounding of each step
  written,  // (a - b) - c
};

// Of a fold by `function` whose values are of that type. Integers wrap, so that their sums and
// products are those of any order.
StepOrder step_order(ScalarFunction function, Scalar type);

// Are the steps of fold `level` of the form and those of the next one a single sequence? They are
// where the one's term is the other's value, of the same type and combined by the same function,
// and all folds of the next level are of one length; extremes of reals only where both are axes of
// one fold.
bool is_joined(const Function& function, const TileForm& form, std::size_t level);

// The same but for that: of extremes that are folds within each other the inner ones begin anew,
// each with its first term.
bool begins_anew(const Function& function, const TileForm& form, std::size_t level);

// Do the lengths of the outermost fold, and of those that are joined to it, differ between the
// elements of a nest?
bool lengths_differ(const Function& function, const Nest& nest, const TileForm& form);

// What is wrong with the regrouping of a fold, or with that of a nest's tile, as the rest of a
// sentence; empty where nothing is, or there is none.
std::string wrong_with_regrouping(const Function& function, const Fold& fold);
std::string wrong_with_regrouping(const Function& function, const Nest& nest, const TileForm& form);

// Does it name nothing but how many steps those folds take that are regrouped and go over the axes
// of an array, and not by that number? Linear in the function, for each such fold.
bool counts_steps_alone(const Function& function, const Let& let);

}  // namespace rhopsi::onf
