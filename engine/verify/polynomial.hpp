// Integer expressions as polynomials. Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace rhopsi::verify {

using Atom = std::uint32_t;
using Monomial = std::vector<Atom>;  // a product, ascending; {} is 1

// Coefficients that leave 64 bits make it unknown, and all that is computed from it.
class Polynomial {
 public:
  Polynomial() = default;
  static Polynomial constant(std::int64_t value);
  static Polynomial atom(Atom atom);
  static Polynomial product_of(const Monomial& factors);

  Polynomial plus(const Polynomial& other, std::int64_t factor = 1) const;
  Polynomial times(const Polynomial& other) const;
  // With `value` in the place of the atom.
  Polynomial substituted(Atom atom, const Polynomial& value) const;

  const std::map<Monomial, std::int64_t>& terms() const { return terms_; }
  bool known() const { return known_; }
  bool is_zero() const { return known_ && terms_.empty(); }
  bool mentions(Atom atom) const;
  // No term has a negative coefficient.
  bool has_no_negative() const;
  // A product with the coefficient 1.
  std::optional<Monomial> monomial() const;
  std::optional<std::int64_t> constant() const;

  friend bool operator==(const Polynomial&, const Polynomial&) = default;

 private:
  void add(const Monomial& monomial, std::int64_t coefficient);

  std::map<Monomial, std::int64_t> terms_;  // without zeros
  bool known_ = true;
};

// What is left of `whole` without the factors of `part`; nothing if it lacks one.
std::optional<Monomial> divided(const Monomial& whole, const Monomial& part);
Monomial multiplied(const Monomial& left, const Monomial& right);

}  // namespace rhopsi::verify
