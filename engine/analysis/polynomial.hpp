// Polynomials over the natural numbers in which arguments are multiplied. (Contejean, Marche,
// Tomas, Urbain 2005; the classes of Steinbach 1992.)
//
//   [f](x1, ..., xn) = c + sum of ai xi + sum of bij xi xj,   i < j, and i = j where n = 1
//
// One polynomial is at least another if it is so coefficient by coefficient, and larger if its
// constant is, too.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/analysis/order.hpp"

namespace rhopsi::analysis {

// The factors of a product, sorted, each as often as it occurs; empty: 1.
using Monomial = std::vector<int>;

class PolynomialInterpretation : public ReductionPair {
 public:
  // Coefficients of products of argument numbers, counted from 0.
  using Function = std::map<Monomial, std::int64_t>;

  explicit PolynomialInterpretation(std::map<int, Function> functions)
      : functions_(std::move(functions)) {}

  Relation compare(const TermBank& bank, Term left, Term right) const override;
  bool regards(int symbol, std::size_t argument) const override;
  bool monotone(const TermBank& bank, int symbol) const override;
  Proof describe(const TermBank& bank, const std::vector<int>& symbols) const override;

 private:
  std::map<int, Function> functions_;
};

// The products that a function of so many arguments may have.
std::vector<Monomial> monomials_of(std::size_t arity);

std::unique_ptr<ReductionPair> find_polynomial(const TermBank& bank, const OrderProblem& problem,
                                               std::uint64_t coefficient, std::uint64_t constant,
                                               const Deadline& deadline);

}  // namespace rhopsi::analysis
