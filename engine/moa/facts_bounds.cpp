// Least and greatest values, by intervals.
#include <algorithm>

#include "engine/moa/facts.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

// Sums and products of bounds; nothing where 64 bits do not hold them.
std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> times(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Bounds scaled(const Bounds& bounds, std::int64_t factor) {
  if (factor >= 0) return {times(bounds.low, factor), times(bounds.high, factor)};
  return {times(bounds.high, factor), times(bounds.low, factor)};
}

}  // namespace

void Facts::range(VariableId variable, ExprId low, ExprId high) {
  const Bounds from = bounds(low);
  const Bounds to = bounds(high);
  ranges_.push_back({variable, {from.low, plus(to.high, -1)}, {low, high}});
  if (!expressions_.constant(low) || !expressions_.constant(high)) {
    const Sum index{{{expressions_.variable(variable), 1}}, 0};
    add_at_most_zero(add_scaled(sum_of(expressions_, low), index, -1));
    Sum below = add_scaled(index, sum_of(expressions_, high), -1);
    below.constant += 1;
    add_at_most_zero(below);
  }
  have_more();
}

std::vector<Facts::Range>::const_reverse_iterator Facts::find(VariableId variable) const {
  return std::find_if(ranges_.rbegin(), ranges_.rend(),
                      [&](const Range& range) { return range.variable == variable; });
}

const Interval* Facts::interval(VariableId variable) const {
  const auto found = find(variable);
  return found == ranges_.crend() ? nullptr : &found->interval;
}

Bounds Facts::bounds(ExprId expression) {
  auto& known = asked_.back().bounds;
  if (const auto found = known.find(expression); found != known.end()) return found->second;
  Bounds result = compute_bounds(expression);
  for (const Limit& limit : limits_) {
    if (limit.term != expression) continue;
    const auto& [low, high] = limit.bounds;
    if (low && (!result.low || *result.low < *low)) result.low = low;
    if (high && (!result.high || *high < *result.high)) result.high = high;
  }
  known.emplace(expression, result);
  return result;
}

Bounds Facts::compute_bounds(ExprId expression) {
  const Node& node = expressions_[expression];
  switch (node.kind) {
    case Kind::integer:
    case Kind::boolean:
      return {node.integer, node.integer};
    case Kind::extent:
      return {0, std::nullopt};
    case Kind::variable: {
      const auto found = find(node.variable);
      return found == ranges_.crend() ? Bounds{} : found->bounds;
    }
    case Kind::select: {
      const Bounds a = bounds(node.operands[1]);
      const Bounds b = bounds(node.operands[2]);
      Bounds either;
      if (a.low && b.low) either.low = std::min(*a.low, *b.low);
      if (a.high && b.high) either.high = std::max(*a.high, *b.high);
      return either;
    }
    case Kind::apply:
      if (node.type == Scalar::boolean) return {0, 1};
      if (node.type != Scalar::int64) return {};
      return unwrapped(expression, bounds_of_apply(node));
    case Kind::fold:
      if (node.type == Scalar::boolean) return {0, 1};
      return bounds_of_fold(node);
    default:
      return {};
  }
}

// Sums and products of elements may wrap, unless both of their bounds are known.
Bounds Facts::unwrapped(ExprId expression, const Bounds& bounds) const {
  const Node& node = expressions_[expression];
  const bool wraps = node.function <= Function::multiply || node.function == Function::negate ||
                     node.function == Function::absolute;
  if (!wraps || !expressions_.reads(expression) || (bounds.low && bounds.high)) return bounds;
  return {};
}

// Of a sum of what is not negative.
Bounds Facts::bounds_of_fold(const Node& node) {
  const Bounds count = bounds(node.operands[0]);
  const Bounds body = bounds(node.operands[1]);
  if (node.function != Function::add || !body.low || *body.low < 0) return {};
  return {0, count.high ? times(std::max<std::int64_t>(*count.high, 0), body.high) : count.high};
}

Bounds Facts::bounds_of_apply(const Node& node) {
  const ExprId left = node.operands[0];
  switch (node.function) {
    case Function::add:
    case Function::subtract:
    case Function::negate: {
      Sum sum;
      const std::int64_t sign = node.function == Function::add ? 1 : -1;
      if (node.function == Function::negate) {
        sum = add_scaled({}, sum_of(expressions_, left), -1);
      } else {
        sum = add_scaled(sum_of(expressions_, left), sum_of(expressions_, node.operands[1]), sign);
      }
      return bounds_of_sum(sum);
    }
    case Function::multiply: {
      const Bounds a = bounds(left);
      const Bounds b = bounds(node.operands[1]);
      if (a.low && *a.low >= 0 && b.low && *b.low >= 0) {
        return {times(a.low, b.low), times(a.high, b.high)};
      }
      if (const auto by = expressions_.constant(node.operands[1])) return scaled(a, *by);
      return {};
    }
    case Function::divide: {
      const auto by = expressions_.constant(node.operands[1]);
      const Bounds a = bounds(left);
      const Bounds b = bounds(node.operands[1]);
      if (!by && a.low && *a.low >= 0 && b.low && *b.low > 0) return {0, a.high};
      if (!by || *by == 0) return {};
      Bounds quotient;  // which falls where the divisor is negative
      const auto& [first, last] = *by > 0 ? std::pair(a.low, a.high) : std::pair(a.high, a.low);
      if (first) quotient.low = euclidean_quotient(*first, *by);
      if (last) quotient.high = euclidean_quotient(*last, *by);
      if (*by == -1 && (a.low == INT64_MIN || !a.low)) return {};  // its quotient wraps
      return quotient;
    }
    case Function::modulo: {
      const Bounds b = bounds(node.operands[1]);
      if (!b.high || !b.low) return {0, std::nullopt};
      return {0, std::max(*b.high, *b.low == INT64_MIN ? INT64_MAX : -*b.low) - 1};
    }
    case Function::minimum:
    case Function::maximum: {
      const Bounds a = bounds(left);
      const Bounds b = bounds(node.operands[1]);
      const bool least = node.function == Function::minimum;
      Bounds result;
      if (a.low && b.low) result.low = least ? std::min(*a.low, *b.low) : std::max(*a.low, *b.low);
      if (a.high && b.high) {
        result.high = least ? std::min(*a.high, *b.high) : std::max(*a.high, *b.high);
      }
      // One side is enough for the bound that the choice can only improve.
      if (least && !result.high) result.high = a.high ? a.high : b.high;
      if (!least && !result.low) result.low = a.low ? a.low : b.low;
      return result;
    }
    case Function::absolute: {
      const Bounds a = bounds(left);
      if (a.low && *a.low >= 0) return a;
      return {0, std::nullopt};
    }
    case Function::convert:
      return expressions_[left].type == Scalar::boolean ? Bounds{0, 1} : Bounds{};
    default:
      return {};
  }
}

Bounds Facts::bounds_of_sum(const Sum& sum) {
  Bounds total{sum.constant, sum.constant};
  for (const auto& [term, factor] : sum.terms) {
    const Bounds part = scaled(bounds(term), factor);
    total.low = plus(total.low, part.low);
    total.high = plus(total.high, part.high);
  }
  return total;
}

}  // namespace rhopsi::moa
