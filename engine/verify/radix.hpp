// Index arithmetic in a normal form: sums of products of lengths, indices and quotients. Internal
// to this folder.
//
// A solver is lost where products of unknown lengths are divided by each other, as in
//
//   ((i * n + j) / n) % m     =>   i        where 0 <= j < n and 0 <= i < m
//   (a % n + b) % n           =>   (a + b) % n
//   gamma(gamma_inverse(o, s), s)   =>   o
//
// but each of these follows from a few laws of Euclidean division, for b, c > 0 (for the first two
// it is enough that b is not 0):
//
//   a % b = a - b * (a / b)
//   (b * q + r) / b = q + r / b              multiples leave
//   (a / b) / c = a / (b * c)                nested ones join
//   (b * q + r) / (b * c) = q / c            where 0 <= r < b: digits that do not matter leave
//   r / b = 0                                where 0 <= r < b
//
// A bound is shown by putting `u - v'` for a variable that is at most u, and `1 + s'` for a length
// that is at least 1: what is then without a negative term is not negative.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/moa/expression.hpp"
#include "engine/verify/polynomial.hpp"

namespace rhopsi::verify {

class Radix {
 public:
  // What is known: the hypotheses, as far as they compare integers.
  Radix(moa::Expressions& expressions, const moa::Vector& hypotheses);

  // The same value with all integers within it in normal form.
  moa::ExprId normalised(moa::ExprId expression);
  // Certainly; false says nothing.
  bool equal(moa::ExprId left, moa::ExprId right);
  bool holds(moa::ExprId condition);

 private:
  struct Bound {
    Atom atom;
    Polynomial most;  // atom <= most
  };

  void assume(moa::ExprId condition, bool positive = true);
  void assume_not_negative(const Polynomial& value);
  void assume_zero(const Polynomial& value);
  void raise_factors();
  bool is_plain(Atom atom) const;
  void define(const Polynomial& zero);
  void bound_loop(moa::VariableId variable, moa::ExprId count);

  moa::ExprId rebuilt(moa::ExprId expression);
  moa::ExprId normalised_in_loop(const moa::Node& fold);
  Polynomial polynomial(moa::ExprId expression);
  Polynomial computed(moa::ExprId expression);
  Polynomial quotient(const Polynomial& value, const Polynomial& divisor);
  Polynomial quotient_of_rest(const Polynomial& rest, const Monomial& divisor);
  moa::ExprId expression_of(const Polynomial& value);

  bool positive(const Monomial& product);
  bool not_zero(const Monomial& product);
  bool not_negative(const Polynomial& value);
  bool is_digit(const Polynomial& value, const Monomial& base);
  bool of_any_form(const Polynomial& value,
                   const std::function<bool(const Polynomial&)>& property) const;
  bool shown(Polynomial value, std::size_t depth);
  bool shown_as_it_is(Polynomial value);
  Atom fresh();

  moa::Expressions& expressions_;
  std::unordered_map<moa::ExprId, Polynomial> polynomials_;
  std::unordered_map<moa::ExprId, moa::ExprId> rebuilt_;
  std::map<Atom, std::pair<Polynomial, Monomial>> quotients_;  // what the atom is a quotient of
  std::vector<Bound> bounds_;
  std::map<Atom, std::int64_t> least_;
  std::vector<Polynomial> inequalities_;  // at least 0
  std::vector<Atom> not_zero_;            // ascending
  Atom made_ = 0;
  std::size_t steps_ = 0;
  std::map<std::map<Monomial, std::int64_t>, bool> asked_;  // what is not negative
  std::map<Atom, Polynomial> definitions_;                  // of variables by others
  std::vector<std::pair<Monomial, Polynomial>> equal_;      // the product is this
};

}  // namespace rhopsi::verify
