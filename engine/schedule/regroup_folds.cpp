#include "engine/schedule/regroup_folds.hpp"

#include <algorithm>
#include <bit>

#include "engine/onf/infix.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Regrouping;
using onf::StepOrder;

namespace {

// Long enough that folding the chains of a block is next to nothing, short enough for the caches.
constexpr std::int64_t steps_of_block = 4096;
// What a block has come to goes through the nearest cache and back while these wait.
constexpr double vectors_in_flight = 8;
// rhopsi::detail::few_elements
constexpr std::int64_t few_elements = 8;

// The regrouping that the outermost fold may have.
std::optional<Regrouping> allowed(const onf::Function& function, const onf::TileForm& form,
                                  const Machine& machine, std::string& reason) {
  const onf::TileFold& outermost = form.folds.front();
  const onf::Scalar type = function.variables[onf::number(outermost.variable)].type.scalar;
  const StepOrder order = onf::step_order(outermost.function, type);
  if (order == StepOrder::written) {
    reason = "its value is that of any order of steps, but " + onf::called(outermost.function) +
             " takes them in the order in which they are written";
    return std::nullopt;
  }
  Regrouping made;
  made.block = steps_of_block;
  made.reals = order == StepOrder::reals;
  const double size = static_cast<double>(onf::bytes_of(type));
  const double most = vectors_in_flight * std::max(1.0, machine.vector_bytes / size);
  made.chains = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::clamp(most, 8.0, 512.0))));
  reason = made.reals ? "sums of reals by all threads, where they may be regrouped"
                      : "its value is that of any order: by all threads";
  return made;
}

// Are all reads of the innermost term neighbours along its fold?
bool is_along(const Expr& e, onf::VariableId index) {
  if (e.kind == Expr::Kind::load) return !onf::depends_on(e, index) || onf::is_next_to(e, index);
  return std::ranges::all_of(e.operands, [&](const Expr& part) { return is_along(part, index); });
}

// Are there operations in it of which loops are vectors, though they are many?
bool has_elementary(const Expr& e) {
  return onf::is_elementary(e) || std::ranges::any_of(e.operands, has_elementary);
}

// Is the box known to have more elements than are few?
bool has_many(const onf::Nest& nest) {
  std::int64_t known = 1;
  for (const onf::Interval& interval : *nest.box) {
    const bool both =
        interval.low.kind == Expr::Kind::integer && interval.high.kind == Expr::Kind::integer;
    if (!both) continue;
    const std::int64_t length = interval.high.integer - interval.low.integer;
    if (length <= 0) return false;
    known = std::min(known, few_elements) * std::min(length, few_elements + 1);
  }
  return known > few_elements;
}

}  // namespace

std::optional<Regrouping> regrouping_of(const onf::Function& function, const onf::Fold& fold,
                                        const Machine& machine, std::string& reason) {
  std::string why;
  const auto form = onf::fold_form(function, fold, &why);
  if (!form) {
    reason = "it is a fold of indices and arrays alone, but " + why;
    return std::nullopt;
  }
  return allowed(function, *form, machine, reason);
}

std::string length_of(const onf::Module& module, const onf::Function& function,
                      const onf::TileForm& form, const std::vector<onf::VariableId>& indices) {
  for (const onf::TileFold& fold : form.folds) {
    const bool depends = std::ranges::any_of(
        indices, [&](onf::VariableId index) { return onf::depends_on(fold.count, index); });
    if (depends) {
      return "that of " + function.variables[onf::number(fold.variable)].name + " is " +
             onf::infix(module, function, fold.count);
    }
  }
  return "they differ";
}

std::optional<Regrouping> regrouping_of(const onf::Module& module, const onf::Function& function,
                                        const onf::Nest& nest, const onf::Tile& tile,
                                        const onf::TileForm& form, const Machine& machine,
                                        std::string& reason) {
  if (onf::lengths_differ(function, nest, form)) {
    reason = "the folds of its elements have one length, but " +
             length_of(module, function, form, nest.indices);
    return std::nullopt;
  }
  const onf::TileFold& innermost = form.folds.back();
  const bool along = tile.lanes == 1 && is_along(innermost.element, innermost.index);
  if (!along && has_many(nest)) {
    reason = "its elements are too few for the threads, but there are more than " +
             std::to_string(few_elements);
    return std::nullopt;
  }
  auto made = allowed(function, form, machine, reason);
  if (!made) return made;
  made->few = !along;
  made->in_turn = along && made->reals && has_elementary(innermost.element);
  return made;
}

}  // namespace rhopsi::schedule
