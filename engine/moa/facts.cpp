#include "engine/moa/facts.hpp"

#include <algorithm>
#include <array>

#include "engine/onf/storage.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;
using Function = ScalarFunction;

// The smaller or the greater of two integers.
bool is_extreme(const Node& node) {
  return node.kind == Kind::apply && node.type == Scalar::int64 &&
         (node.function == Function::minimum || node.function == Function::maximum);
}

bool is_remainder(const Node& node) {
  return node.kind == Kind::apply && node.type == Scalar::int64 &&
         node.function == Function::modulo;
}

// Of an integer that does not wrap by a positive number.
bool is_quotient(const Expressions& expressions, ExprId term) {
  const Node& node = expressions[term];
  return node.kind == Kind::apply && node.type == Scalar::int64 &&
         node.function == Function::divide && !expressions.reads(term) &&
         expressions.constant(node.operands[1]).value_or(0) > 0;
}

// What times `factor` is the product, where that is one of the factors.
std::optional<ExprId> cofactor(Expressions& expressions, ExprId product, ExprId factor) {
  const Node& node = expressions[product];
  if (node.kind != Kind::apply || node.function != Function::multiply || node.type != Scalar::int64)
    return std::nullopt;
  const std::array<ExprId, 2> sides{node.operands[0], node.operands[1]};
  for (const std::size_t k : {0, 1}) {
    if (sides[k] == factor) return sides[1 - k];
  }
  for (const std::size_t k : {0, 1}) {
    if (const auto rest = cofactor(expressions, sides[k], factor))
      return expressions.multiply(*rest, sides[1 - k]);
  }
  return std::nullopt;
}

// By how much the one may be more than the other, and `gap`; nothing where 64 bits do not hold the
// numbers of it: it would wrap.
std::optional<Sum> exceeding(const Sum& low, const Sum& high, std::int64_t gap) {
  auto difference = exactly_scaled(low, high, -1);
  if (!difference) return std::nullopt;
  return exactly_scaled(*difference, Sum{{}, gap}, 1);
}

}  // namespace

Facts::Mark Facts::mark() const { return {ranges_.size(), inequalities_.count(), limits_.size()}; }

void Facts::restore(const Mark& mark) {
  ranges_.resize(mark.ranges);
  limits_.resize(mark.limits);
  inequalities_.truncate(mark.inequalities);
  const auto knew_more = [&](const Asked& asked) {
    return asked.at.ranges > mark.ranges || asked.at.inequalities > mark.inequalities ||
           asked.at.limits > mark.limits;
  };
  while (asked_.size() > 1 && knew_more(asked_.back())) asked_.pop_back();
}

// A level for each, asked or not: what is restored is below it, and what is asked then holds for
// all that is known there.
void Facts::have_more() { asked_.push_back({mark()}); }

template <class Key, class Answers, class Find>
auto Facts::answer(const Key& key, Answers Asked::*answers, const Find& find) {
  for (auto asked = asked_.rbegin(); asked != asked_.rend(); ++asked) {
    const auto found = (*asked.*answers).find(key);
    if (found == (*asked.*answers).end()) continue;
    if (found->second || asked == asked_.rbegin()) return found->second;
  }
  const auto found = find();
  (asked_.back().*answers)[key] = found;
  return found;
}

void Facts::assume(ExprId condition, bool positive) {
  const Node& node = expressions_[condition];
  if (node.kind != Kind::apply || node.operands.empty()) return;
  const ExprId first = node.operands[0];
  switch (node.function) {
    case Function::not_:
      return assume(first, !positive);
    case Function::and_:
    case Function::or_:
      if ((node.function == Function::and_) != positive) return;
      assume(first, positive);
      assume(node.operands[1], positive);
      return;
    default:
      break;
  }
  if (node.operands.size() != 2 || expressions_[first].type != Scalar::int64) return;
  const Sum left = sum_of(expressions_, first);
  const Sum right = sum_of(expressions_, node.operands[1]);
  const auto ordered = [&](const Sum& low, const Sum& high, std::int64_t gap) {
    const auto difference = exceeding(low, high, gap);
    if (!difference) return;
    add_at_most_zero(*difference);
    add_limit(*difference);
  };
  const bool equation = node.function == Function::equal || node.function == Function::not_equal;
  const bool equal = equation && (node.function == Function::equal) == positive;
  if (equal) {
    ordered(left, right, 0);
    ordered(right, left, 0);
  } else if (equation) {
    // What is no less, and another number, is greater: a length that is not 0 is at least 1.
    const auto at_most = [&](ExprId low, ExprId high) {
      return decide(expressions_.apply(Function::less_equal, {low, high})) == true;
    };
    const ExprId second = node.operands[1];
    if (expressions_.constant(second) == 0) assume_factors(first);
    if (at_most(first, second)) {
      ordered(left, right, 1);
    } else if (at_most(second, first)) {
      ordered(right, left, 1);
    }
  } else if (node.function == Function::less) {
    positive ? ordered(left, right, 1) : ordered(right, left, 0);
  } else if (node.function == Function::less_equal) {
    positive ? ordered(left, right, 0) : ordered(right, left, 1);
  }
  have_more();
}

// Of a product that is not 0 no factor is.
void Facts::assume_factors(ExprId product) {
  const Node node = expressions_[product];
  if (node.kind != Kind::apply || node.function != Function::multiply) return;
  const ExprId zero = expressions_.integer(0);
  for (const ExprId factor : node.operands) {
    assume(expressions_.apply(Function::equal, {factor, zero}), false);
  }
}

// Unknowns are numbered in the order in which they are met.
rewrite::Unknown Facts::unknown(ExprId term) {
  const auto [found, fresh] =
      unknowns_.try_emplace(term, static_cast<rewrite::Unknown>(unknowns_.size()));
  if (!fresh) return found->second;
  const bool extreme = is_extreme(expressions_[term]);
  if (extreme || is_quotient(expressions_, term)) {
    (extreme ? extremes_ : quotients_).push_back(term);
    for (Asked& asked : asked_) asked.parts.clear(), asked.comparisons.clear();
  }
  return found->second;
}

std::optional<rewrite::Linear> Facts::linear(const Sum& sum) {
  rewrite::Linear form = rewrite::linear_constant(sum.constant);
  for (const auto& [term, factor] : sum.terms) {
    const auto next = rewrite::add_scaled(form, rewrite::linear_unknown(unknown(term)), factor);
    if (!next) return std::nullopt;
    form = *next;
  }
  return form;
}

// constant + term <= 0, or constant - term <= 0. Terms that read elements may wrap.
void Facts::add_limit(const Sum& sum) {
  if (sum.terms.size() != 1) return;
  const auto& [term, factor] = sum.terms.front();
  if (expressions_.reads(term) || sum.constant == INT64_MIN) return;
  if (factor == 1) limits_.push_back({term, {std::nullopt, -sum.constant}});
  if (factor == -1) limits_.push_back({term, {sum.constant, std::nullopt}});
}

void Facts::add_at_most_zero(const Sum& sum) {
  if (auto form = linear(sum)) inequalities_.add(std::move(*form));
}

// The first term that is the smaller of two and counts down, or the greater and counts up: the
// sum is at most 0 if it is with either of the two in its place.
std::optional<std::pair<Sum, Sum>> Facts::alternatives(const Sum& sum) const {
  for (const auto& [term, factor] : sum.terms) {
    const Node& node = expressions_[term];
    if (node.kind != Kind::apply || node.type != Scalar::int64) continue;
    const bool least = node.function == Function::minimum && factor < 0;
    const bool greatest = node.function == Function::maximum && factor > 0;
    if (!least && !greatest) continue;
    const auto with = [&, &term = term, factor = factor](ExprId chosen) {
      const Sum without = add_scaled(sum, Sum{{{term, 1}}, 0}, -factor);
      return exactly_scaled(without, sum_of(expressions_, chosen), factor);
    };
    const auto first = with(node.operands[0]), second = with(node.operands[1]);
    if (first && second) return std::pair{*first, *second};
  }
  return std::nullopt;
}

// Of a sum with a choice: whether it is at most 0 with either of the two values, where the
// condition is known to hold or not to. Not where there is none, or too many within each other.
bool Facts::by_cases(const Sum& sum) {
  constexpr int most_choices = 4;
  const auto is_choice = [&](const auto& each) {
    return expressions_[each.first].kind == Kind::select;
  };
  const auto found = std::ranges::find_if(sum.terms, is_choice);
  if (found == sum.terms.end() || choices_ == most_choices) return false;
  const auto [term, factor] = *found;
  const std::vector<ExprId> operands = expressions_[term].operands;
  const Sum without = add_scaled(sum, Sum{{{term, 1}}, 0}, -factor);
  const auto holds = [&](bool then) {
    const auto with = exactly_scaled(without, sum_of(expressions_, operands[then ? 1 : 2]), factor);
    if (!with) return false;
    const Mark before = mark();
    ++choices_;
    assume(operands[0], then);
    const bool result = at_most_zero(*with);
    --choices_;
    restore(before);
    return result;
  };
  return holds(true) && holds(false);
}

// What the smaller and the greater of two are by themselves.
void Facts::add_extremes() {
  // What they hold may be unknowns that are met here.
  const std::size_t count = extremes_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const ExprId term = extremes_[k];
    const std::int64_t sign = expressions_[term].function == Function::minimum ? 1 : -1;
    for (ExprId side : {expressions_[term].operands[0], expressions_[term].operands[1]}) {
      const auto apart = exactly_scaled(Sum{{{term, sign}}, 0}, sum_of(expressions_, side), -sign);
      if (apart) add_at_most_zero(*apart);
    }
  }
}

// A quotient of n by d: d * q <= n < d * (q + 1).
void Facts::add_quotients() {
  // Those of quotients are met here.
  for (std::size_t k = 0; k < quotients_.size(); ++k) {
    const std::vector<ExprId>& sides = expressions_[quotients_[k]].operands;
    const std::int64_t by = *expressions_.constant(sides[1]);
    const Sum whole = sum_of(expressions_, sides[0]);
    const auto rest = exactly_scaled(whole, Sum{{{quotients_[k], 1}}, 0}, -by);
    const auto above = rest ? exactly_scaled({}, *rest, -1) : std::nullopt;
    const auto below = rest ? exactly_scaled(*rest, Sum{{}, 1 - by}, 1) : std::nullopt;
    if (!above || !below) continue;
    add_at_most_zero(*above);
    add_at_most_zero(*below);
  }
}

// A remainder is less than what divides where that is positive.
void Facts::add_remainder(ExprId term) {
  const ExprId divisor = expressions_[term].operands[1];
  const Sum length = sum_of(expressions_, divisor);
  if (bounds(divisor).low.value_or(0) < 1) {
    const auto positive = exceeding({}, length, 1);
    const auto form = positive ? linear(*positive) : std::nullopt;
    if (!form || !inequalities_.entail(*form)) return;
  }
  if (const auto below = exceeding({{{term, 1}}, 0}, length, 1)) add_at_most_zero(*below);
}

bool Facts::at_most_zero(const Sum& sum) {
  const Bounds range = bounds_of_sum(sum);
  if (range.high && *range.high <= 0) return true;
  if (const auto either = alternatives(sum)) {
    return at_most_zero(either->first) && at_most_zero(either->second);
  }
  // What is known of the choice itself is asked below.
  if (by_cases(sum)) return true;
  const bool says_more = std::ranges::any_of(sum.terms, [&](const auto& each) {
    return is_extreme(expressions_[each.first]) || is_quotient(expressions_, each.first);
  });
  if (sum.terms.empty() || (inequalities_.count() == 0 && !says_more)) return false;
  const auto form = linear(sum);
  if (!form) return false;
  // The intervals of what occurs join the inequalities for this question.
  const std::size_t before = inequalities_.count();
  for (const auto& [term, factor] : sum.terms) {
    const Bounds part = bounds(term);
    if (part.low) add_at_most_zero({{{term, -1}}, *part.low});
    if (part.high && *part.high != INT64_MIN) add_at_most_zero({{{term, 1}}, -*part.high});
    if (is_remainder(expressions_[term])) add_remainder(term);
  }
  add_extremes();
  add_quotients();
  // How long axes are at most is asked for by numbers of that size alone.
  const bool large = sum.constant <= -onf::greatest_length || sum.constant >= onf::greatest_length;
  for (const auto& [term, id] : unknowns_) {
    if (expressions_[term].kind == Kind::extent) {
      rewrite::Linear length = rewrite::linear_unknown(id);
      if (large) {
        rewrite::Linear longest = length;
        longest.constant = -onf::greatest_length;
        inequalities_.add(std::move(longest));
      }
      length.terms[0].second = -1;
      inequalities_.add(std::move(length));
    }
  }
  const bool entailed = inequalities_.entail(*form);
  inequalities_.truncate(before);
  return entailed;
}

std::optional<bool> Facts::decide_comparison(const Node& node) {
  const ExprId left = node.operands[0];
  const ExprId right = node.operands[1];
  if (expressions_[left].type != Scalar::int64) return std::nullopt;
  // A difference of elements says something only where it cannot wrap.
  for (ExprId side : {left, right}) {
    const Bounds range = bounds(side);
    if (expressions_.reads(side) && (!range.low || !range.high)) return std::nullopt;
  }
  const Sum low = sum_of(expressions_, left);
  const Sum high = sum_of(expressions_, right);
  const auto at_most = [&](std::int64_t sign, std::int64_t gap) {
    const auto sum = sign > 0 ? exceeding(low, high, gap) : exceeding(high, low, gap);
    return sum && at_most_zero(*sum);
  };
  switch (node.function) {
    case Function::less:
      if (at_most(1, 1)) return true;
      if (at_most(-1, 0)) return false;
      return std::nullopt;
    case Function::less_equal:
      if (at_most(1, 0)) return true;
      if (at_most(-1, 1)) return false;
      return std::nullopt;
    case Function::equal:
    case Function::not_equal: {
      const bool positive = node.function == Function::equal;
      if (at_most(1, 0) && at_most(-1, 0)) return positive;
      if (at_most(1, 1) || at_most(-1, 1)) return !positive;
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Is there a divisor that may be 0?
bool Facts::may_fail(ExprId expression) {
  return expressions_.may_fail(expression) && expressions_.any(expression, [this](ExprId id) {
    const Node& node = expressions_[id];
    if (node.kind != Kind::apply || !divides(node)) return false;
    const std::initializer_list<ExprId> sides{node.operands[1], expressions_.integer(0)};
    return decide(expressions_.apply(Function::not_equal, sides)) != true;
  });
}

std::optional<bool> Facts::decide(ExprId condition) {
  const Node& node = expressions_[condition];
  if (node.kind == Kind::boolean) return node.integer != 0;
  if (node.kind != Kind::apply || node.operands.empty()) return std::nullopt;
  if (may_fail(condition)) return std::nullopt;
  switch (node.function) {
    case Function::not_: {
      const auto inner = decide(node.operands[0]);
      if (inner) return !*inner;
      return std::nullopt;
    }
    case Function::and_:
    case Function::or_: {
      const bool neutral = node.function == Function::and_;
      const auto left = decide(node.operands[0]);
      if (left && *left != neutral) return !neutral;
      const auto right = decide(node.operands[1]);
      if (right && *right != neutral) return !neutral;
      if (left && right) return neutral;
      return std::nullopt;
    }
    default:
      break;
  }
  if (node.operands.size() != 2) return std::nullopt;
  return answer(condition, &Asked::comparisons, [&] { return decide_comparison(node); });
}

std::optional<Facts::Parts> Facts::parts(ExprId value, ExprId divisor) {
  if (expressions_.reads(value) || expressions_.reads(divisor)) return std::nullopt;
  return answer(std::pair{value, divisor}, &Asked::parts,
                [&] { return compute_parts(value, divisor); });
}

std::optional<Facts::Parts> Facts::compute_parts(ExprId value, ExprId divisor) {
  const auto by = expressions_.constant(divisor);
  if (by && *by <= 0) return std::nullopt;
  // What is certainly a multiple of the divisor goes into the quotient.
  Sum multiple;
  Sum rest;
  const Sum sum = sum_of(expressions_, value);
  if (by) {
    multiple.constant = euclidean_quotient(sum.constant, *by);
    rest.constant = euclidean_remainder(sum.constant, *by);
  } else {
    rest.constant = sum.constant;
  }
  for (const auto& [term, factor] : sum.terms) {
    const auto other = by ? std::nullopt : cofactor(expressions_, term, divisor);
    if (by && factor % *by == 0) {
      multiple = add_scaled(multiple, {{{term, 1}}, 0}, factor / *by);
    } else if (!by && term == divisor) {
      multiple.constant += factor;
    } else if (other) {
      multiple = add_scaled(multiple, sum_of(expressions_, *other), factor);
    } else {
      rest = add_scaled(rest, {{{term, 1}}, 0}, factor);
    }
  }
  const Sum length = sum_of(expressions_, divisor);
  const auto fits = [&](const std::optional<Sum>& remainder) {
    const auto below = remainder ? exceeding({}, *remainder, 0) : std::nullopt;
    const auto above = remainder ? exceeding(*remainder, length, 1) : std::nullopt;
    return below && above && at_most_zero(*below) && at_most_zero(*above);
  };
  std::vector<std::int64_t> candidates{0, -1, 1};
  if (by) {
    const Bounds range = bounds_of_sum(rest);
    if (!range.low) return std::nullopt;
    candidates = {euclidean_quotient(*range.low, *by)};
  }
  for (std::int64_t q : candidates) {
    const auto remainder = exactly_scaled(rest, length, -q);
    if (!fits(remainder)) continue;
    multiple.constant += q;
    return Parts{expression_of(expressions_, multiple), expression_of(expressions_, *remainder)};
  }
  return std::nullopt;
}

ExprId Facts::divide(ExprId value, ExprId divisor) {
  const bool integers =
      expressions_[value].type == Scalar::int64 && expressions_[divisor].type == Scalar::int64;
  if (integers) {
    if (const auto known = parts(value, divisor)) return known->quotient;
  }
  return expressions_.apply(Function::divide, {value, divisor});
}

ExprId Facts::modulo(ExprId value, ExprId divisor) {
  const bool integers =
      expressions_[value].type == Scalar::int64 && expressions_[divisor].type == Scalar::int64;
  const ExprId plain = expressions_.apply(Function::modulo, {value, divisor});
  if (!integers) return plain;
  // The canonical form of what stands below the modulo is the easier one to bound.
  const Node& node = expressions_[plain];
  const bool is_modulo = node.kind == Kind::apply && node.function == Function::modulo;
  if (!is_modulo) return plain;
  const auto known = parts(node.operands[0], divisor);
  return known ? known->remainder : plain;
}

ExprId Facts::minimum(ExprId left, ExprId right) {
  if (at_most(left, right)) return left;
  if (at_most(right, left)) return right;
  return expressions_.apply(Function::minimum, {left, right});
}

ExprId Facts::maximum(ExprId left, ExprId right) {
  if (at_most(left, right)) return right;
  if (at_most(right, left)) return left;
  return expressions_.apply(Function::maximum, {left, right});
}

bool Facts::at_most(ExprId left, ExprId right) {
  return decide(expressions_.apply(Function::less_equal, {left, right})) == true;
}

}  // namespace rhopsi::moa
