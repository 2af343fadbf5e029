#include "engine/verify/polynomial.hpp"

#include <algorithm>
#include <iterator>

namespace rhopsi::verify {

Polynomial Polynomial::constant(std::int64_t value) {
  Polynomial made;
  made.add({}, value);
  return made;
}

Polynomial Polynomial::atom(Atom atom) { return product_of({atom}); }

Polynomial Polynomial::product_of(const Monomial& factors) {
  Polynomial made;
  made.add(factors, 1);
  return made;
}

void Polynomial::add(const Monomial& monomial, std::int64_t coefficient) {
  const auto found = terms_.try_emplace(monomial, 0).first;
  if (__builtin_add_overflow(found->second, coefficient, &found->second)) known_ = false;
  if (found->second == 0) terms_.erase(found);
}

Polynomial Polynomial::plus(const Polynomial& other, std::int64_t factor) const {
  Polynomial sum = *this;
  sum.known_ = known_ && other.known_;
  for (const auto& [monomial, coefficient] : other.terms_) {
    std::int64_t scaled = 0;
    if (__builtin_mul_overflow(coefficient, factor, &scaled)) sum.known_ = false;
    sum.add(monomial, scaled);
  }
  return sum;
}

Polynomial Polynomial::times(const Polynomial& other) const {
  Polynomial product;
  product.known_ = known_ && other.known_;
  for (const auto& [left, one] : terms_) {
    for (const auto& [right, two] : other.terms_) {
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(one, two, &coefficient)) product.known_ = false;
      product.add(multiplied(left, right), coefficient);
    }
  }
  return product;
}

Polynomial Polynomial::substituted(Atom atom, const Polynomial& value) const {
  Polynomial result;
  result.known_ = known_ && value.known_;
  for (const auto& [monomial, coefficient] : terms_) {
    Polynomial term = constant(coefficient);
    Monomial rest;
    for (Atom each : monomial) {
      if (each == atom) {
        term = term.times(value);
      } else {
        rest.push_back(each);
      }
    }
    result = result.plus(term.times(product_of(rest)));
  }
  return result;
}

bool Polynomial::mentions(Atom atom) const {
  return std::ranges::any_of(
      terms_, [&](const auto& term) { return std::ranges::binary_search(term.first, atom); });
}

bool Polynomial::has_no_negative() const {
  return known_ && std::ranges::all_of(terms_, [](const auto& term) { return term.second >= 0; });
}

std::optional<Monomial> Polynomial::monomial() const {
  if (!known_ || terms_.size() != 1 || terms_.begin()->second != 1) return std::nullopt;
  return terms_.begin()->first;
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (!known_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

std::optional<Monomial> divided(const Monomial& whole, const Monomial& part) {
  if (!std::ranges::includes(whole, part)) return std::nullopt;
  Monomial rest;
  std::ranges::set_difference(whole, part, std::back_inserter(rest));
  return rest;
}

Monomial multiplied(const Monomial& left, const Monomial& right) {
  Monomial product;
  std::ranges::merge(left, right, std::back_inserter(product));
  return product;
}

}  // namespace rhopsi::verify
