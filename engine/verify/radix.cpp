#include "engine/verify/radix.hpp"

#include <algorithm>

namespace rhopsi::verify {

using moa::Expressions;
using moa::ExprId;
using moa::Node;
using moa::Scalar;
using Function = moa::ScalarFunction;
using Kind = Node::Kind;

namespace {

// Names of what is at least 0: a difference between a variable and its bound, a length and 1.
constexpr Atom primed = Atom{1} << 31;
// So many variables may be put by their bounds one after the other.
constexpr std::size_t most_substitutions = 12;
constexpr std::size_t most_terms = 48;   // of a polynomial
constexpr std::size_t most_steps = 100;  // of them, whichever way is tried

Atom atom_of(ExprId expression) { return static_cast<Atom>(expression); }
ExprId expression_of_atom(Atom atom) { return static_cast<ExprId>(atom); }

}  // namespace

Radix::Radix(Expressions& expressions, const moa::Vector& hypotheses) : expressions_(expressions) {
  // Bounds first: with them more of the others is understood.
  for (int round = 0; round < 3; ++round) {
    polynomials_.clear();
    inequalities_.clear();
    bounds_.clear();
    equal_.clear();
    for (ExprId each : hypotheses) assume(each);
    raise_factors();
  }
  polynomials_.clear();
}

void Radix::assume(ExprId condition, bool positive) {
  const Node node = expressions_[condition];
  if (node.kind != Kind::apply || node.operands.empty()) return;
  if (node.function == Function::not_) return assume(node.operands[0], !positive);
  if (node.function == Function::and_ || node.function == Function::or_) {
    if ((node.function == Function::and_) != positive) return;
    assume(node.operands[0], positive);
    return assume(node.operands[1], positive);
  }
  if (node.operands.size() != 2 || expressions_[node.operands[0]].type != Scalar::int64) return;
  const Polynomial left = polynomial(node.operands[0]);
  const Polynomial right = polynomial(node.operands[1]);
  const Polynomial one = Polynomial::constant(1);
  switch (node.function) {
    case Function::less:
      return assume_not_negative(positive ? right.plus(left, -1).plus(one, -1)
                                          : left.plus(right, -1));
    case Function::less_equal:
      return assume_not_negative(positive ? right.plus(left, -1)
                                          : left.plus(right, -1).plus(one, -1));
    case Function::equal:
      if (positive) assume_zero(left.plus(right, -1));
      return;
    case Function::not_equal:
      if (!positive) return assume_zero(left.plus(right, -1));
      if (const auto single = left.plus(right, -1).monomial(); single && single->size() == 1) {
        not_zero_.insert(std::ranges::lower_bound(not_zero_, single->front()), single->front());
      }
      return;
    default:
      return;
  }
}

// A product of numbers that are at least 0 which is at least 1 has no factor 0.
//
//   0 <= o, o + 1 <= s0 * s1   =>   1 <= s0, 1 <= s1
void Radix::raise_factors() {
  for (const Polynomial& value : inequalities_) {
    for (const auto& [monomial, coefficient] : value.terms()) {
      const bool product = monomial.size() > 1 && coefficient > 0;
      if (!product) continue;
      const Polynomial rest = value.plus(Polynomial::product_of(monomial), -coefficient);
      const Polynomial least = Polynomial{}.plus(rest, -1).plus(Polynomial::constant(1), -1);
      const auto counts_up = [&](Atom atom) { return not_negative(Polynomial::atom(atom)); };
      if (!std::ranges::all_of(monomial, counts_up) || !not_negative(least)) continue;
      for (Atom atom : monomial) {
        const auto found = least_.try_emplace(atom, 1).first;
        found->second = std::max<std::int64_t>(found->second, 1);
        asked_.clear();
      }
    }
  }
}

void Radix::assume_not_negative(const Polynomial& value) {
  if (!value.known()) return;
  asked_.clear();
  inequalities_.push_back(value);
  for (const auto& [monomial, coefficient] : value.terms()) {
    if (monomial.size() != 1) continue;
    const Atom atom = monomial[0];
    const Polynomial rest = value.plus(Polynomial::atom(atom), -coefficient);
    if (rest.mentions(atom)) continue;
    if (coefficient == -1) bounds_.push_back({atom, rest});
    if (const auto constant = rest.constant(); coefficient == 1 && constant) {
      const auto found = least_.try_emplace(atom, -*constant).first;
      found->second = std::max(found->second, -*constant);
    }
  }
}

bool Radix::is_plain(Atom atom) const {
  const Kind kind = expressions_[expression_of_atom(atom)].kind;
  return kind == Kind::variable || kind == Kind::extent;
}

// A variable that equals a polynomial in others is written as that from here on.
//
//   n = s1   =>   s1 for n            s0 % n = 0   =>   n * (s0 / n) for s0
void Radix::define(const Polynomial& zero) {
  for (const bool variables : {true, false}) {
    for (const auto& [monomial, coefficient] : zero.terms()) {
      if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1)) continue;
      const Atom atom = monomial[0];
      const bool variable = expressions_[expression_of_atom(atom)].kind == Kind::variable;
      if (!is_plain(atom) || variable != variables) continue;
      Polynomial rest = zero.plus(Polynomial::atom(atom), -coefficient);
      const bool plain = std::ranges::all_of(rest.terms(), [&](const auto& term) {
        return std::ranges::all_of(
            term.first, [&](Atom each) { return is_plain(each) || quotients_.contains(each); });
      });
      if (!plain || rest.mentions(atom)) continue;
      rest = Polynomial{}.plus(rest, -coefficient);
      for (auto& [other, value] : definitions_) value = value.substituted(atom, rest);
      definitions_.emplace(atom, rest);
      return;
    }
  }
}

void Radix::assume_zero(const Polynomial& value) {
  if (value.known()) define(value);
  assume_not_negative(value);
  assume_not_negative(Polynomial{}.plus(value, -1));
  for (const auto& [monomial, coefficient] : value.terms()) {
    if (monomial.empty() || (coefficient != 1 && coefficient != -1)) continue;
    const Polynomial rest = value.plus(Polynomial::product_of(monomial), -coefficient);
    equal_.emplace_back(monomial, Polynomial{}.plus(rest, -coefficient));
  }
}

void Radix::bound_loop(moa::VariableId variable, ExprId count) {
  const Polynomial index = polynomial(expressions_.variable(variable));
  assume_not_negative(index);
  assume_not_negative(polynomial(count).plus(index, -1).plus(Polynomial::constant(1), -1));
}

// ---------------------------------------------------------------- bounds

Atom Radix::fresh() { return primed | made_++; }

bool Radix::not_negative(const Polynomial& value) {
  if (!value.known()) return false;
  const auto found = asked_.find(value.terms());
  if (found != asked_.end()) return found->second;
  steps_ = 0;
  const bool answer = shown(value, 0);
  asked_.emplace(value.terms(), answer);
  return answer;
}

// A length that an index lies below is at least 1.
bool Radix::shown_as_it_is(Polynomial value) {
  std::vector<Atom> atoms;
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (Atom atom : monomial) {
      if ((atom & primed) == 0) atoms.push_back(atom);
    }
  }
  std::ranges::sort(atoms);
  const auto [end, unused] = std::ranges::unique(atoms);
  atoms.erase(end, atoms.end());
  for (Atom atom : atoms) {
    const Node& node = expressions_[expression_of_atom(atom)];
    std::optional<std::int64_t> least;
    if (node.kind == Kind::extent) least = 0;
    if (const auto found = least_.find(atom); found != least_.end()) {
      least = std::max(least.value_or(found->second), found->second);
    }
    for (const Bound& bound : bounds_) {
      // v <= s - 1 and 0 <= v
      const Atom index = bound.atom;
      const auto low = least_.find(index);
      const auto shape = bound.most.plus(Polynomial::constant(1));
      if (low == least_.end() || low->second < 0) continue;
      if (shape.monomial() == Monomial{atom}) least = std::max<std::int64_t>(least.value_or(1), 1);
    }
    if (!least) return false;
    value = value.substituted(atom, Polynomial::constant(*least).plus(Polynomial::atom(fresh())));
  }
  return value.has_no_negative();
}

bool Radix::shown(Polynomial value, std::size_t depth) {
  if (value.terms().size() > most_terms) return false;
  if (shown_as_it_is(value)) return true;
  if (depth >= most_substitutions || ++steps_ > most_steps) return false;
  for (const Bound& bound : bounds_) {
    const bool counts_down = std::ranges::any_of(value.terms(), [&](const auto& term) {
      return term.second < 0 && std::ranges::binary_search(term.first, bound.atom);
    });
    if (!counts_down || bound.most.mentions(bound.atom)) continue;
    const Polynomial put = bound.most.plus(Polynomial::atom(fresh()), -1);
    if (shown(value.substituted(bound.atom, put), depth + 1)) return true;
  }
  return false;
}

bool Radix::positive(const Monomial& product) {
  return std::ranges::all_of(product, [&](Atom atom) {
    return not_negative(Polynomial::atom(atom).plus(Polynomial::constant(1), -1));
  });
}

bool Radix::not_zero(const Monomial& product) {
  return std::ranges::all_of(product, [&](Atom atom) {
    return std::ranges::binary_search(not_zero_, atom) || positive({atom});
  });
}

// 0 <= value < base
bool Radix::is_digit(const Polynomial& value, const Monomial& base) {
  if (!not_negative(value)) return false;
  const Polynomial below = Polynomial{}.plus(value, -1).plus(Polynomial::constant(1), -1);
  if (not_negative(below.plus(Polynomial::product_of(base)))) return true;
  for (const auto& [monomial, same] : equal_) {
    const auto rest = divided(base, monomial);
    if (rest && not_negative(below.plus(same.times(Polynomial::product_of(*rest))))) return true;
  }
  return false;
}

// ---------------------------------------------------------------- division

Polynomial Radix::quotient(const Polynomial& value, const Polynomial& divisor) {
  const auto base = divisor.monomial();
  if (!base || base->empty()) return {};
  Polynomial multiples;
  Polynomial rest;
  for (const auto& [monomial, coefficient] : value.terms()) {
    const auto factor = divided(monomial, *base);
    Polynomial& part = factor ? multiples : rest;
    part = part.plus(Polynomial::product_of(factor ? *factor : monomial), coefficient);
  }
  return multiples.plus(quotient_of_rest(rest, *base));
}

Polynomial Radix::quotient_of_rest(const Polynomial& rest, const Monomial& divisor) {
  if (rest.is_zero() || is_digit(rest, divisor)) return {};
  // Nested quotients.
  if (const auto single = rest.monomial(); single && single->size() == 1) {
    const auto inner = quotients_.find(single->front());
    if (inner != quotients_.end() && positive(divisor) && positive(inner->second.second)) {
      const auto [value, base] = inner->second;
      return quotient(value, Polynomial::product_of(multiplied(base, divisor)));
    }
  }
  // Lower digits: rest = part * high + low with part | divisor, 0 <= low < part.
  for (std::size_t mask = 1;
       mask + 1 < (std::size_t{1} << std::min<std::size_t>(divisor.size(), 8)); ++mask) {
    Monomial part;
    for (std::size_t k = 0; k < divisor.size(); ++k) {
      if ((mask >> k & 1U) != 0) part.push_back(divisor[k]);
    }
    Polynomial high;
    Polynomial low;
    for (const auto& [monomial, coefficient] : rest.terms()) {
      const auto factor = divided(monomial, part);
      Polynomial& where = factor ? high : low;
      where = where.plus(Polynomial::product_of(factor ? *factor : monomial), coefficient);
    }
    if (high.is_zero() || low.is_zero() || !positive(divisor) || !is_digit(low, part)) continue;
    return quotient(high, Polynomial::product_of(*divided(divisor, part)));
  }
  const ExprId atom = expressions_.apply(
      Function::divide, {expression_of(rest), expression_of(Polynomial::product_of(divisor))});
  // What the constructors have simplified is looked at again.
  const Node& node = expressions_[atom];
  if (node.kind != Kind::apply || node.function != Function::divide) return polynomial(atom);
  quotients_.emplace(atom_of(atom), std::pair{rest, divisor});
  polynomials_.insert_or_assign(atom, Polynomial::atom(atom_of(atom)));
  if (not_negative(rest) && positive(divisor)) {
    least_.try_emplace(atom_of(atom), 0);
    asked_.clear();
  }
  return Polynomial::atom(atom_of(atom));
}

// ---------------------------------------------------------------- expressions

Polynomial Radix::polynomial(ExprId expression) {
  if (const auto found = polynomials_.find(expression); found != polynomials_.end()) {
    return found->second;
  }
  Polynomial made = computed(expression);
  if (!made.known() || made.terms().size() > most_terms)
    made = Polynomial::atom(atom_of(expression));
  if (const auto single = made.monomial(); single && single->size() == 1) {
    const auto definition = definitions_.find(single->front());
    if (definition != definitions_.end()) made = definition->second;
  }
  polynomials_.insert_or_assign(expression, made);
  return made;
}

Polynomial Radix::computed(ExprId expression) {
  const Node node = expressions_[expression];
  if (node.kind == Kind::integer) return Polynomial::constant(node.integer);
  const auto operand = [&](std::size_t k) { return polynomial(node.operands[k]); };
  const auto as_atom = [&] { return Polynomial::atom(atom_of(rebuilt(expression))); };
  if (node.kind != Kind::apply) return as_atom();
  switch (node.function) {
    case Function::add:
      return operand(0).plus(operand(1));
    case Function::subtract:
      return operand(0).plus(operand(1), -1);
    case Function::negate:
      return Polynomial{}.plus(operand(0), -1);
    case Function::multiply:
      return operand(0).times(operand(1));
    case Function::divide:
    case Function::modulo: {
      const Polynomial value = operand(0);
      const Polynomial divisor = operand(1);
      const auto base = divisor.monomial();
      if (!base || base->empty() || !not_zero(*base)) return as_atom();
      const Polynomial quotient_of = quotient(value, divisor);
      if (node.function == Function::divide) return quotient_of;
      return value.plus(divisor.times(quotient_of), -1);
    }
    case Function::absolute:
      if (const Polynomial value = operand(0); not_negative(value)) return value;
      return as_atom();
    default:
      return as_atom();
  }
}

ExprId Radix::expression_of(const Polynomial& value) {
  std::vector<std::pair<ExprId, std::int64_t>> terms;
  std::int64_t constant = 0;
  ExprId others = expressions_.integer(0);
  for (const auto& [monomial, coefficient] : value.terms()) {
    if (monomial.empty()) {
      constant = coefficient;
      continue;
    }
    ExprId product = expression_of_atom(monomial[0]);
    for (std::size_t k = 1; k < monomial.size(); ++k) {
      product = expressions_.multiply(product, expression_of_atom(monomial[k]));
    }
    others =
        expressions_.add(others, expressions_.multiply(expressions_.integer(coefficient), product));
  }
  return expressions_.add(others, expressions_.integer(constant));
}

ExprId Radix::normalised(ExprId expression) {
  if (const auto found = rebuilt_.find(expression); found != rebuilt_.end()) return found->second;
  const bool integer = expressions_[expression].type == Scalar::int64;
  const ExprId made = integer ? expression_of(polynomial(expression)) : rebuilt(expression);
  rebuilt_.insert_or_assign(expression, made);
  return made;
}

// The same operation on operands in normal form.
ExprId Radix::rebuilt(ExprId expression) {
  const Node node = expressions_[expression];
  if (node.operands.empty()) return expression;
  if (node.kind == Kind::fold) {
    const ExprId body = normalised_in_loop(node);
    return expressions_.fold(node.function, node.variable, normalised(node.operands[0]), body);
  }
  std::vector<ExprId> operands;
  for (ExprId operand : node.operands) operands.push_back(normalised(operand));
  switch (node.kind) {
    case Kind::load:
      return expressions_.load(node.leaf, node.type, operands);
    case Kind::select:
      return expressions_.select(operands[0], operands[1], operands[2]);
    case Kind::apply:
      return expressions_.apply(node.function, operands, node.type);
    default:
      return expression;
  }
}

// In the loop its count is at least 1, and what follows from that is forgotten behind it.
ExprId Radix::normalised_in_loop(const Node& fold) {
  const std::size_t known = bounds_.size();
  const auto least = least_;
  const auto polynomials = polynomials_;
  const auto rebuilt = rebuilt_;
  bound_loop(fold.variable, fold.operands[0]);
  polynomials_.clear();
  rebuilt_.clear();
  const ExprId body = normalised(fold.operands[1]);
  bounds_.resize(known);
  least_ = least;
  asked_.clear();
  polynomials_ = polynomials;
  rebuilt_ = rebuilt;
  return body;
}

bool Radix::equal(ExprId left, ExprId right) {
  const Polynomial difference = polynomial(left).plus(polynomial(right), -1);
  return of_any_form(difference, [](const Polynomial& form) { return form.is_zero(); });
}

// Is it true of the polynomial, as it is or with equal products put for each other?
bool Radix::of_any_form(const Polynomial& value,
                        const std::function<bool(const Polynomial&)>& property) const {
  if (property(value)) return true;
  return std::ranges::any_of(equal_, [&](const auto& equation) {
    Polynomial put = value;
    for (const auto& [each, coefficient] : value.terms()) {
      const auto rest = divided(each, equation.first);
      if (!rest) continue;
      put = put.plus(Polynomial::product_of(each), -coefficient)
                .plus(equation.second.times(Polynomial::product_of(*rest)), coefficient);
    }
    return put != value && property(put);
  });
}

bool Radix::holds(ExprId condition) {
  const Node node = expressions_[condition];
  if (node.kind != Kind::apply) return expressions_.constant(condition) == 1;
  if (node.function == Function::and_) return holds(node.operands[0]) && holds(node.operands[1]);
  if (node.function == Function::or_) return holds(node.operands[0]) || holds(node.operands[1]);
  if (node.operands.size() != 2 || expressions_[node.operands[0]].type != Scalar::int64) {
    return false;
  }
  const Polynomial left = polynomial(node.operands[0]);
  const Polynomial right = polynomial(node.operands[1]);
  const auto counts_up = [this](const Polynomial& form) { return not_negative(form); };
  switch (node.function) {
    case Function::less:
      return of_any_form(right.plus(left, -1).plus(Polynomial::constant(1), -1), counts_up);
    case Function::less_equal:
      return of_any_form(right.plus(left, -1), counts_up);
    case Function::equal:
      return equal(node.operands[0], node.operands[1]);
    default:
      return false;
  }
}

}  // namespace rhopsi::verify
