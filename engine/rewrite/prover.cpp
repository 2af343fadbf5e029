#include "engine/rewrite/prover.hpp"

#include <algorithm>
#include <limits>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr int deepest_condition = 100;
constexpr int case_splits = 3;

bool is_comparison(Arithmetic meaning) {
  switch (meaning) {
    case Arithmetic::less:
    case Arithmetic::less_equal:
    case Arithmetic::greater:
    case Arithmetic::greater_equal:
    case Arithmetic::equal:
    case Arithmetic::not_equal:
      return true;
    default:
      return false;
  }
}

// The comparison that holds exactly when the given one does not.
Arithmetic opposite(Arithmetic meaning) {
  switch (meaning) {
    case Arithmetic::less:
      return Arithmetic::greater_equal;
    case Arithmetic::less_equal:
      return Arithmetic::greater;
    case Arithmetic::greater:
      return Arithmetic::less_equal;
    case Arithmetic::greater_equal:
      return Arithmetic::less;
    case Arithmetic::equal:
      return Arithmetic::not_equal;
    case Arithmetic::not_equal:
      return Arithmetic::equal;
    default:
      return Arithmetic::none;
  }
}

std::optional<Linear> shifted(const std::optional<Linear>& form, std::int64_t by) {
  return form ? add_scaled(*form, linear_constant(by), 1) : std::nullopt;
}

std::optional<Linear> negated(const std::optional<Linear>& form) {
  return form ? add_scaled(Linear{}, *form, -1) : std::nullopt;
}

}  // namespace

Prover::Mark Prover::mark() const {
  return {statements_.size(), inequalities_.count(), disequalities_.size(), reals_.count()};
}

void Prover::restore(const Mark& mark) {
  statements_.resize(mark.statements);
  inequalities_.truncate(mark.inequalities);
  disequalities_.resize(mark.disequalities);
  reals_.truncate(mark.reals);
  saturated_unknowns_ = 0;  // what was derived from the dropped facts went with them
}

bool Prover::is_fact(TermId condition, bool positive) const {
  return std::ranges::any_of(statements_, [&](const Statement& statement) {
    return statement.positive == positive &&
           store_.symbol(statement.term) == store_.symbol(condition) &&
           term::alpha_equal(store_, statement.term, condition);
  });
}

void Prover::assume(TermId fact, bool positive, int depth) {
  statements_.push_back({fact, positive});
  if (depth > deepest_condition || store_.head(fact).kind != SymbolKind::predicate) return;
  if (compares_reals(store_, interpretation_, fact)) return reals_.assume(fact, positive);
  const Arithmetic meaning = meaning_of(store_, interpretation_, store_.symbol(fact));
  const auto children = store_.children(fact);
  const bool of_predicates =
      children.size() == 2 && store_.sort(children[0]) == store_.predicate_sort();
  if (meaning == Arithmetic::not_) {
    assume(children[0], !positive, depth + 1);
  } else if (meaning == (positive ? Arithmetic::and_ : Arithmetic::or_)) {
    assume(children[0], positive, depth + 1);
    assume(children[1], positive, depth + 1);
  } else if (meaning == Arithmetic::implies && !positive) {
    assume(children[0], true, depth + 1);
    assume(children[1], false, depth + 1);
  } else if (is_comparison(meaning) && !of_predicates) {
    assume_comparison(fact, meaning, positive);
  }
}

void Prover::assume_comparison(TermId fact, Arithmetic meaning, bool positive) {
  const auto children = store_.children(fact);
  const auto form = difference(children[0], children[1]);
  switch (positive ? meaning : opposite(meaning)) {
    case Arithmetic::less:
      at_most_zero(shifted(form, 1));
      break;
    case Arithmetic::less_equal:
      at_most_zero(form);
      break;
    case Arithmetic::greater:
      at_most_zero(shifted(negated(form), 1));
      break;
    case Arithmetic::greater_equal:
      at_most_zero(negated(form));
      break;
    case Arithmetic::equal:
      equal_to_zero(form);
      break;
    case Arithmetic::not_equal:
      if (form) disequalities_.push_back(*form);
      break;
    default:
      break;
  }
}

std::optional<Means> Prover::prove(TermId condition, bool positive, int depth) {
  const auto value = evaluate(store_, interpretation_, condition, {});
  if (value) return (*value != 0) == positive ? std::optional(Means::constant) : std::nullopt;
  if (is_fact(condition, positive)) return Means::fact;
  if (depth > deepest_condition || store_.head(condition).kind != SymbolKind::predicate)
    return std::nullopt;
  if (compares_reals(store_, interpretation_, condition)) {
    return reals_.proves(condition, positive) ? std::optional(Means::interval) : std::nullopt;
  }
  const auto children = store_.children(condition);
  const Arithmetic meaning = meaning_of(store_, interpretation_, store_.symbol(condition));
  if (meaning == Arithmetic::not_) return prove(children[0], !positive, depth + 1);
  if (children.size() != 2) return std::nullopt;
  const TermId left = children[0];
  const TermId right = children[1];
  const bool of_predicates = store_.sort(left) == store_.predicate_sort();
  switch (meaning) {
    case Arithmetic::and_:
      return positive ? prove_both(left, true, right, true, depth)
                      : prove_either(left, false, right, false, depth);
    case Arithmetic::or_:
      return positive ? prove_either(left, true, right, true, depth)
                      : prove_both(left, false, right, false, depth);
    case Arithmetic::implies:
      return positive ? prove_either(left, false, right, true, depth)
                      : prove_both(left, true, right, false, depth);
    case Arithmetic::iff:
      return prove_same(left, right, positive, depth);
    case Arithmetic::equal:
      if (of_predicates) return prove_same(left, right, positive, depth);
      break;
    case Arithmetic::not_equal:
      if (of_predicates) return prove_same(left, right, !positive, depth);
      break;
    default:
      break;
  }
  if (!is_comparison(meaning)) return std::nullopt;
  return prove_comparison(condition, meaning, positive);
}

std::optional<Means> Prover::prove_both(TermId left, bool left_positive, TermId right,
                                        bool right_positive, int depth) {
  const auto first = prove(left, left_positive, depth + 1);
  if (!first) return std::nullopt;
  const auto second = prove(right, right_positive, depth + 1);
  if (!second) return std::nullopt;
  return std::max(*first, *second);
}

std::optional<Means> Prover::prove_either(TermId left, bool left_positive, TermId right,
                                          bool right_positive, int depth) {
  // Each attempt may make two more: below a few levels only the sides are tried.
  constexpr int most_alternatives = 6;
  if (depth > most_alternatives) {
    if (auto first = prove(left, left_positive, depth + 1)) return first;
    return prove(right, right_positive, depth + 1);
  }
  const Mark before = mark();
  assume(left, !left_positive);
  const auto second = prove(right, right_positive, depth + 1);
  restore(before);
  if (second) return second;
  return prove(left, left_positive, depth + 1);
}

std::optional<Means> Prover::prove_same(TermId left, TermId right, bool positive, int depth) {
  if (positive && term::alpha_equal(store_, left, right)) return Means::fact;
  const auto forth = prove_either(left, false, right, positive, depth + 1);
  if (!forth) return std::nullopt;
  const auto back = prove_either(left, true, right, !positive, depth + 1);
  if (!back) return std::nullopt;
  return std::max(*forth, *back);
}

std::optional<Means> Prover::prove_comparison(TermId condition, Arithmetic meaning, bool positive) {
  const auto children = store_.children(condition);
  const auto form = difference(children[0], children[1]);
  const auto holds = [&](const std::optional<Linear>& at_most) {
    return holds_at_most_zero(at_most, case_splits);
  };
  bool proved = false;
  switch (positive ? meaning : opposite(meaning)) {
    case Arithmetic::less:
      proved = holds(shifted(form, 1));
      break;
    case Arithmetic::less_equal:
      proved = holds(form);
      break;
    case Arithmetic::greater:
      proved = holds(shifted(negated(form), 1));
      break;
    case Arithmetic::greater_equal:
      proved = holds(negated(form));
      break;
    case Arithmetic::equal:
      proved = holds(form) && holds(negated(form));
      break;
    case Arithmetic::not_equal:
      proved = holds(shifted(form, 1)) || holds(shifted(negated(form), 1)) ||
               (form && std::ranges::any_of(disequalities_, [&](const Linear& other) {
                  return other == *form || other == negated(form);
                }));
      break;
    default:
      break;
  }
  return proved ? std::optional(Means::interval) : std::nullopt;
}

std::optional<Linear> Prover::difference(TermId left, TermId right) {
  return add_scaled(linearizer_.form(left), linearizer_.form(right), -1);
}

void Prover::at_most_zero(const std::optional<Linear>& form) {
  if (form) inequalities_.add(*form);
}

void Prover::equal_to_zero(const std::optional<Linear>& form) {
  at_most_zero(form);
  at_most_zero(negated(form));
}

bool Prover::at_least(const Linear& form, std::int64_t bound) {
  const auto goal = shifted(negated(form), bound);
  return goal && inequalities_.entail(*goal);
}

bool Prover::is_at_most_zero(const std::optional<Linear>& form) const {
  return form && inequalities_.entail(*form);
}

bool Prover::less_equal(const Linear& left, const Linear& right) {
  const auto goal = add_scaled(left, right, -1);
  return goal && inequalities_.entail(*goal);
}

bool Prover::holds_at_most_zero(const std::optional<Linear>& form, int splits) {
  if (!form) return false;
  saturate();
  return inequalities_.entail(*form) || (splits > 0 && split(*form, splits));
}

// A minimum is one of its operands, and so on: proves the form for each case.
bool Prover::split(const Linear& form, int splits) {
  using Kind = UnknownTerm::Kind;
  for (Unknown unknown : inequalities_.connected(form)) {
    const UnknownTerm choice = linearizer_.unknowns()[unknown];
    const bool absolute = choice.kind == Kind::absolute;
    if (!absolute && choice.kind != Kind::minimum && choice.kind != Kind::maximum) continue;
    const Linear right = absolute ? negated(choice.left).value_or(choice.left) : choice.right;
    if (less_equal(choice.left, right) || less_equal(right, choice.left)) continue;
    for (const bool left_first : {true, false}) {
      const Mark before = mark();
      const Linear& low = left_first ? choice.left : right;
      const Linear& high = left_first ? right : choice.left;
      at_most_zero(add_scaled(low, high, -1));
      saturated_unknowns_ = 0;
      const bool proved = holds_at_most_zero(form, splits - 1);
      restore(before);
      if (!proved) return false;
    }
    return true;
  }
  return false;
}

void Prover::saturate() {
  const std::size_t unknowns = linearizer_.unknowns().size();
  if (saturated_unknowns_ == unknowns && saturated_inequalities_ == inequalities_.count()) return;
  // Twice: what is learnt about a later unknown may help an earlier one.
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < linearizer_.unknowns().size(); ++i) {
      saturate_unknown(static_cast<Unknown>(i));
    }
    for (std::size_t i = 0; i < disequalities_.size(); ++i) {
      const Linear form = disequalities_[i];
      if (inequalities_.entail(form)) at_most_zero(shifted(form, 1));
      if (at_least(form, 0)) at_most_zero(shifted(negated(form), 1));
    }
  }
  saturated_unknowns_ = linearizer_.unknowns().size();
  saturated_inequalities_ = inequalities_.count();
}

void Prover::saturate_unknown(Unknown unknown) {
  using Kind = UnknownTerm::Kind;
  switch (linearizer_.unknowns()[unknown].kind) {
    case Kind::opaque:
      break;
    case Kind::product:
      saturate_product(unknown);
      break;
    case Kind::quotient:
    case Kind::remainder:
      if (linearizer_.unknowns()[unknown].right.is_constant()) {
        saturate_division_by_constant(unknown);
      } else {
        saturate_division(unknown);
      }
      break;
    case Kind::minimum:
    case Kind::maximum:
    case Kind::absolute:
      saturate_choice(unknown);
      break;
  }
}

void Prover::saturate_product(Unknown unknown) {
  const std::vector<Unknown> factors = linearizer_.unknowns()[unknown].factors;
  const Linear form = linear_unknown(unknown);
  int negative = 0;
  bool signs_known = true;
  for (Unknown factor : factors) {
    const Linear part = linear_unknown(factor);
    if (at_least(part, 0)) continue;
    signs_known = signs_known && inequalities_.entail(part);
    ++negative;
  }
  if (factors.size() == 2 && factors[0] == factors[1]) {
    // x * x >= |x| on integers.
    at_most_zero(add_scaled(linear_unknown(factors[0]), form, -1));
    at_most_zero(add_scaled(*negated(linear_unknown(factors[0])), form, -1));
  } else if (signs_known) {
    at_most_zero(negative % 2 == 0 ? negated(form) : std::optional(form));
  }
  if (!signs_known || negative > 0 || factors.size() != 2) return;
  for (std::size_t i = 0; i < 2; ++i) {
    // a >= 1 and b >= 0 give a * b >= b.
    if (!at_least(linear_unknown(factors[i]), 1)) continue;
    at_most_zero(add_scaled(linear_unknown(factors[1 - i]), form, -1));
  }
}

// left = right * quotient + remainder with 0 <= remainder < |right|.
void Prover::saturate_division_by_constant(Unknown unknown) {
  using Kind = UnknownTerm::Kind;
  const Linear left = linearizer_.unknowns()[unknown].left;
  const Linear right = linearizer_.unknowns()[unknown].right;
  const std::int64_t divisor = right.constant;
  if (divisor == std::numeric_limits<std::int64_t>::min()) return;
  const Linear quotient = linear_unknown(linearizer_.unknown(Kind::quotient, left, right));
  const Linear remainder = linear_unknown(linearizer_.unknown(Kind::remainder, left, right));
  at_most_zero(negated(remainder));
  at_most_zero(shifted(remainder, 1 - (divisor < 0 ? -divisor : divisor)));
  auto whole = add_scaled(left, remainder, -1);
  auto multiple = divisor == std::numeric_limits<std::int64_t>::max()
                      ? std::nullopt
                      : add_scaled(Linear{}, quotient, divisor);
  if (whole && multiple) equal_to_zero(add_scaled(*whole, *multiple, -1));
}

void Prover::saturate_division(Unknown unknown) {
  const UnknownTerm division = linearizer_.unknowns()[unknown];
  const Linear& left = division.left;
  const Linear& right = division.right;
  const Linear form = linear_unknown(unknown);
  if (!at_least(right, 1)) return;
  const bool not_negative = at_least(left, 0);
  const auto above = add_scaled(left, right, -1);
  const bool below_divisor = is_at_most_zero(shifted(above, 1));
  if (division.kind == UnknownTerm::Kind::quotient) {
    if (!not_negative) return;
    at_most_zero(negated(form));
    at_most_zero(add_scaled(form, left, -1));
    if (below_divisor) at_most_zero(form);
    return;
  }
  at_most_zero(negated(form));
  at_most_zero(shifted(add_scaled(form, right, -1), 1));
  if (not_negative) at_most_zero(add_scaled(form, left, -1));
  // The whole number of divisors that brings the left side into range, if it is near.
  for (const std::int64_t turns : {0, -1, 1}) {
    const auto near = add_scaled(left, right, turns);
    if (!near || !at_least(*near, 0)) continue;
    const auto excess = add_scaled(*near, right, -1);
    if (!is_at_most_zero(shifted(excess, 1))) continue;
    equal_to_zero(add_scaled(form, *near, -1));
    return;
  }
}

void Prover::saturate_choice(Unknown unknown) {
  using Kind = UnknownTerm::Kind;
  const UnknownTerm choice = linearizer_.unknowns()[unknown];
  const auto right =
      choice.kind == Kind::absolute ? negated(choice.left) : std::optional(choice.right);
  if (!right) return;
  const Linear form = linear_unknown(unknown);
  const std::int64_t sign = choice.kind == Kind::minimum ? 1 : -1;
  // A minimum is below both operands, a maximum above; the absolute value is the
  // maximum of a number and its opposite.
  for (const Linear& operand : {choice.left, *right}) {
    const auto gap = add_scaled(form, operand, -1);
    at_most_zero(sign > 0 ? gap : negated(gap));
  }
  const bool left_low = less_equal(choice.left, *right);
  if (left_low || less_equal(*right, choice.left)) {
    const bool take_left = left_low == (choice.kind == Kind::minimum);
    equal_to_zero(add_scaled(form, take_left ? choice.left : *right, -1));
  }
}

}  // namespace rhopsi::rewrite
