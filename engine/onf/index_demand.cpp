#include "engine/onf/index_demand.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

namespace {

using Bound = std::optional<Expr>;

Expr apply(ScalarFunction function, std::vector<Expr> operands) {
  return applied(function, Scalar::int64, std::move(operands));
}

bool is_known(const Expr& e) { return e.kind == Expr::Kind::integer; }

Bound sum(const Bound& a, const Bound& b) {
  if (!a || !b) return std::nullopt;
  if (is_known(*a) && a->integer == 0) return b;
  if (is_known(*b) && b->integer == 0) return a;
  std::int64_t value = 0;
  if (!is_known(*a) || !is_known(*b)) return apply(ScalarFunction::add, {*a, *b});
  if (__builtin_add_overflow(a->integer, b->integer, &value)) return std::nullopt;
  return integer(value);
}

Bound product(const Bound& a, const Bound& b) {
  if (!a || !b) return std::nullopt;
  for (const Bound* one : {&a, &b}) {
    if (is_known(**one) && (*one)->integer == 0) return integer(0);
    if (is_known(**one) && (*one)->integer == 1) return one == &a ? b : a;
  }
  std::int64_t value = 0;
  if (!is_known(*a) || !is_known(*b)) return apply(ScalarFunction::multiply, {*a, *b});
  if (__builtin_mul_overflow(a->integer, b->integer, &value)) return std::nullopt;
  return integer(value);
}

Bound greater(const Bound& a, const Bound& b) {
  if (!a || !b) return std::nullopt;
  if (is_known(*a) && is_known(*b)) return integer(std::max(a->integer, b->integer));
  for (const Bound* one : {&a, &b}) {
    if (is_known(**one) && (*one)->integer == 0) return one == &a ? b : a;
  }
  return apply(ScalarFunction::maximum, {*a, *b});
}

// Of expressions that bounds consist of.
bool equal(const Expr& a, const Expr& b) {
  const bool same = a.kind == b.kind && a.type == b.type && a.integer == b.integer &&
                    a.real == b.real && a.variable == b.variable && a.view == b.view &&
                    a.parameter == b.parameter && a.callee == b.callee &&
                    a.function == b.function && a.axis == b.axis && a.spelling == b.spelling;
  if (!same) return false;
  if (std::ranges::equal(a.operands, b.operands, equal)) return true;
  const bool commutes = a.kind == Expr::Kind::apply && (a.function == ScalarFunction::add ||
                                                        a.function == ScalarFunction::multiply);
  return commutes && a.operands.size() == 2 && b.operands.size() == 2 &&
         equal(a.operands[0], b.operands[1]) && equal(a.operands[1], b.operands[0]);
}

bool holds(const std::vector<Expr>& list, const Expr& e) {
  return std::ranges::any_of(list, [&](const Expr& other) { return equal(e, other); });
}

}  // namespace

bool suffices(const IndexWidth& said, const IndexWidth& demanded) {
  if (!said.narrow) return true;
  return demanded.narrow && std::ranges::all_of(demanded.bounded, [&](const Expr& bound) {
           return holds(said.bounded, bound);
         });
}

IndexDemand::IndexDemand(const Function& function, Ranges& ranges, const Nest& nest)
    : function_(function),
      ranges_(ranges),
      inner_(declared_in(nest.body)),
      indices_(index_variables(nest)) {}

void IndexDemand::need(const Bound& bound) {
  if (!bound) return refuse();
  if (is_known(*bound)) {
    if (bound->integer > greatest_narrow) refuse();
    return;
  }
  if (!holds(width_.bounded, *bound)) width_.bounded.push_back(*bound);
}

bool IndexDemand::is_small(const Expr& e) {
  const Range known = ranges_.range(e);
  return known.low >= -greatest_narrow && known.high <= greatest_narrow;
}

// --- what the nest consists of

// An interval of the array's own axis ends below the number of its elements, if there are any.
void IndexDemand::axis(VariableId index, const Interval& interval, const Expr& length) {
  const Bound low = magnitude(interval.low), high = magnitude(interval.high);
  const bool positive = ranges_.at_most(integer(0), interval.low);
  if (positive && ranges_.at_most(interval.high, length)) {
    within_.insert(index);
  } else {
    need(low);
    need(high);
  }
  bounds_[index] = positive ? high : greater(low, high);
}

void IndexDemand::counter(VariableId index, const Expr& count) {
  bounds_[index] = bound(count);
  need(bounds_[index]);
}

void IndexDemand::constant(VariableId variable, const Expr& value) {
  if (!indices_.contains(variable)) return;
  bounds_[variable] = bound(value);
  need(bounds_[variable]);
}

void IndexDemand::array(ViewId view) {
  const Block& block = function_.blocks[number(function_.views[number(view)].block)];
  if (!block.extents) return refuse();
  Bound elements = integer(1);
  for (std::size_t axis = 0; axis < block.extents->size(); ++axis) {
    // The product of the lengths of an array that exists does not wrap.
    elements = product(elements, (*block.extents)[axis]);
  }
  need(elements);
}

void IndexDemand::component(const Expr& e) {
  // A number that was tested, in 64 bits, to be within the array.
  if (e.kind == Expr::Kind::variable || e.kind == Expr::Kind::load) return;
  if (!bound(e)) refuse();
}

// --- bounds of absolute values

// Of what does not depend on the nest.
Expr IndexDemand::magnitude(const Expr& e) {
  if (is_small(e)) {
    const Range known = ranges_.range(e);
    return integer(std::max(known.high, -known.low));
  }
  return ranges_.at_most(integer(0), e) ? e : apply(ScalarFunction::absolute, {e});
}

// Divisions may stay where they are, since they may trap.
bool IndexDemand::moves_before(const Expr& e) const {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::length:
      return true;
    case Expr::Kind::variable:
      return !inner_.contains(e.variable) && !indices_.contains(e.variable);
    case Expr::Kind::apply:
      return e.function != ScalarFunction::divide && e.function != ScalarFunction::modulo &&
             std::ranges::all_of(e.operands,
                                 [this](const Expr& part) { return moves_before(part); });
    default:
      return false;
  }
}

Bound IndexDemand::bound(const Expr& e) {
  if (moves_before(e)) return magnitude(e);
  const Bound made = parts(e);
  if (!is_small(e)) return made;
  const Range known = ranges_.range(e);
  return integer(std::max(known.high, -known.low));
}

Bound IndexDemand::parts(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::variable: {
      const auto found = bounds_.find(e.variable);
      return found == bounds_.end() ? std::nullopt : found->second;
    }
    case Expr::Kind::apply:
      return bound_of_apply(e);
    case Expr::Kind::if_: {
      const Bound then = bound(e.operands[1]), otherwise = bound(e.operands[2]);
      need(then);
      need(otherwise);
      return greater(then, otherwise);
    }
    default:
      return std::nullopt;
  }
}

Bound IndexDemand::bound_of_apply(const Expr& e) {
  // The condition of a selection is no index.
  std::vector<Bound> operands;
  const bool selects = e.function == ScalarFunction::select;
  for (std::size_t k = selects ? 1 : 0; k < e.operands.size(); ++k) {
    const Expr& operand = e.operands[k];
    operands.push_back(bound(operand));
    const bool within = operand.kind == Expr::Kind::variable && within_.contains(operand.variable);
    if (!within && !is_small(operand)) need(operands.back());
  }
  switch (e.function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
      return sum(operands[0], operands[1]);
    case ScalarFunction::multiply:
      return product(operands[0], operands[1]);
    case ScalarFunction::divide:
    case ScalarFunction::negate:
    case ScalarFunction::plus:
    case ScalarFunction::absolute:
      return operands[0];
    case ScalarFunction::modulo:
      return operands[1];
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::select:
      return greater(operands[0], operands[1]);
    default:
      return std::nullopt;
  }
}

}  // namespace rhopsi::onf
