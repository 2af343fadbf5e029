#include "engine/onf/regrouping.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/ravel.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::onf {

namespace {

const Representation& type_of_fold(const Function& function, const TileFold& fold) {
  return function.variables[number(fold.variable)].type;
}

std::string wrong_with(const Regrouping& regrouping, const Function& function,
                       const TileForm& form) {
  const bool power = std::has_single_bit(static_cast<std::uint64_t>(regrouping.chains));
  if (regrouping.block < 1 || regrouping.block > (std::int64_t{1} << 30) || regrouping.chains < 1 ||
      regrouping.chains > 4096 || !power) {
    return "has blocks of no size";
  }
  const TileFold& outermost = form.folds.front();
  switch (step_order(outermost.function, type_of_fold(function, outermost).scalar)) {
    case StepOrder::written:
      return "has steps whose order matters";
    case StepOrder::reals:
      return regrouping.reals ? "" : "rounds in another order";
    case StepOrder::any:
      break;
  }
  return {};
}

}  // namespace

StepOrder step_order(ScalarFunction function, Scalar type) {
  switch (function) {
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::and_:
    case ScalarFunction::or_:
      return StepOrder::any;
    case ScalarFunction::add:
    case ScalarFunction::multiply:
      return is_real(type) ? StepOrder::reals : StepOrder::any;
    default:
      return StepOrder::written;
  }
}

namespace {

bool continues(const Function& function, const TileForm& form, std::size_t level) {
  if (level + 1 >= form.folds.size()) return false;
  const TileFold &fold = form.folds[level], &next = form.folds[level + 1];
  const bool itself =
      fold.element.kind == Expr::Kind::variable && fold.element.variable == next.variable;
  const bool alike = fold.function == next.function &&
                     type_of_fold(function, fold) == type_of_fold(function, next);
  const auto outer = form.folds.begin() + static_cast<std::ptrdiff_t>(level) + 1;
  return itself && alike && std::none_of(form.folds.begin(), outer, [&](const TileFold& around) {
           return depends_on(next.count, around.index);
         });
}

// A NaN in front of a fold stays, and any other is passed over: so it makes a difference where an
// extreme begins.
bool is_own_extreme(const Function& function, const TileFold& fold) {
  return !fold.goes_on && is_real(type_of_fold(function, fold).scalar) &&
         (fold.function == ScalarFunction::minimum || fold.function == ScalarFunction::maximum);
}

}  // namespace

bool is_joined(const Function& function, const TileForm& form, std::size_t level) {
  return continues(function, form, level) && !is_own_extreme(function, form.folds[level + 1]);
}

bool begins_anew(const Function& function, const TileForm& form, std::size_t level) {
  return continues(function, form, level) && is_own_extreme(function, form.folds[level + 1]);
}

bool lengths_differ(const Function& function, const Nest& nest, const TileForm& form) {
  for (std::size_t level = 0; level < form.folds.size(); ++level) {
    const Expr& count = form.folds[level].count;
    const bool differs = std::ranges::any_of(
        nest.indices, [&](VariableId index) { return depends_on(count, index); });
    if (differs) return true;
    if (!is_joined(function, form, level)) return false;
  }
  return false;
}

std::string wrong_with_regrouping(const Function& function, const Fold& fold) {
  if (!fold.regrouping) return {};
  const auto form = fold_form(function, fold);
  if (!form) return "is of what is no fold of indices and arrays alone";
  if (fold.regrouping->few) return "asks for the elements of a nest";
  return wrong_with(*fold.regrouping, function, *form);
}

std::string wrong_with_regrouping(const Function& function, const Nest& nest,
                                  const TileForm& form) {
  if (!nest.tile || !nest.tile->regrouping) return {};
  if (lengths_differ(function, nest, form)) return "has blocks of folds of different lengths";
  return wrong_with(*nest.tile->regrouping, function, form);
}

namespace {

// A product of lengths, which arrays have: it does not go beyond 64 bits.
bool is_size(const Expr& e) {
  if (e.kind == Expr::Kind::length || e.kind == Expr::Kind::extent) return true;
  return e.kind == Expr::Kind::apply && e.function == ScalarFunction::multiply &&
         std::ranges::all_of(e.operands, is_size);
}

bool is(const Expr& e, VariableId variable) {
  return e.kind == Expr::Kind::variable && e.variable == variable;
}

}  // namespace

namespace {

// Is it folds over the axes of an array, which have the lengths of these as their counts?
bool goes_over_axes(const Function& function, const Fold& fold) {
  const auto form = fold_form(function, fold);
  return form && LengthProducts(function, fold).axes(*form);
}

}  // namespace

bool counts_steps_alone(const Function& function, const Let& let) {
  if (!let.constant || !let.value || !is_size(*let.value)) return false;
  std::int64_t uses = 0;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Fold>) {
      if (s.regrouping && is(s.count, let.variable) && goes_over_axes(function, s)) --uses;
    }
  };
  each_in(function.body, form, [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) { uses += is(e, let.variable) ? 1 : 0; });
  });
  return uses == 0;
}

}  // namespace rhopsi::onf
