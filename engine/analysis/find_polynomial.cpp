// The search for polynomials: coefficients are unknowns, and terms become polynomials of them.
#include <algorithm>
#include <unordered_map>

#include "engine/analysis/polynomial.hpp"
#include "engine/analysis/unknown_usable.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Constraints;
using smt::Natural;
using smt::Truth;

// Products of more factors have the coefficient 0; polynomials of more products are not tried.
constexpr std::size_t highest_degree = 3;
constexpr std::size_t most_products = 150;
constexpr std::uint64_t most_bits = 2'000'000;

using UnknownPolynomial = std::map<Monomial, Natural>;

class PolynomialSearch {
 public:
  PolynomialSearch(const TermBank& bank, const OrderProblem& problem, std::uint64_t coefficient,
                   std::uint64_t constant, const Deadline& deadline)
      : bank_(bank),
        problem_(problem),
        coefficient_(coefficient),
        constant_(constant),
        deadline_(deadline) {}

  std::unique_ptr<ReductionPair> run() {
    for (int symbol : symbols_of(bank_, problem_)) declare(symbol);
    UnknownUsable usable(bank_, problem_, constraints_);
    const auto regarded = [&](int symbol) -> const std::vector<Truth>& {
      return regarded_.at(symbol);
    };
    std::vector<Truth> strict;
    for (const Rule& rule : problem_.oriented) {
      constraints_.require(weak(rule));
      strict.push_back(more(rule));
      usable.require(rule.right, regarded);
      if (too_large()) return nullptr;
    }
    constraints_.require(problem_.all_strict ? constraints_.all(strict) : constraints_.any(strict));
    for (std::size_t i = 0; i < problem_.rules.size(); ++i) {
      constraints_.require(constraints_.implies(usable[i], weak(problem_.rules[i])));
      usable.require_from(i, regarded);
      if (too_large()) return nullptr;
    }
    if (!constraints_.solve(deadline_.left())) return nullptr;
    return read();
  }

 private:
  bool too_large() const {
    return given_up_ || constraints_.size() > most_bits || deadline_.over();
  }

  void declare(int symbol) {
    const std::size_t arity = bank_.symbol(symbol).arity();
    UnknownPolynomial& function = functions_[symbol];
    std::vector<std::vector<Truth>> positive(arity);
    for (const Monomial& factors : monomials_of(arity)) {
      const Natural each = constraints_.unknown_up_to(factors.empty() ? constant_ : coefficient_);
      function.emplace(factors, each);
      const Truth there = constraints_.more(each, constraints_.number(0));
      for (int factor : factors) positive[static_cast<std::size_t>(factor)].push_back(there);
      if (problem_.monotone && factors.size() == 1) constraints_.require(there);
    }
    for (const auto& each : positive) regarded_[symbol].push_back(constraints_.any(each));
  }

  UnknownPolynomial multiply(const UnknownPolynomial& a, const UnknownPolynomial& b) {
    UnknownPolynomial out;
    for (const auto& [left, first] : a) {
      for (const auto& [right, second] : b) {
        if (too_large()) return out;
        Monomial both;
        std::ranges::merge(left, right, std::back_inserter(both));
        if (both.size() > highest_degree) {
          forbid(first, second);
        } else {
          add(out, both, constraints_.multiply(first, second));
        }
      }
    }
    if (out.size() > most_products) given_up_ = true;
    return out;
  }

  void forbid(Natural first, Natural second) {
    const Natural zero = constraints_.number(0);
    constraints_.require(constraints_.negate(
        constraints_.both(constraints_.more(first, zero), constraints_.more(second, zero))));
  }

  void add(UnknownPolynomial& to, const Monomial& monomial, Natural factor) {
    const auto [place, made] = to.emplace(monomial, factor);
    if (!made) place->second = constraints_.add(place->second, factor);
  }

  const UnknownPolynomial& polynomial(Term term) {
    if (const auto known = known_.find(term); known != known_.end()) return known->second;
    UnknownPolynomial out;
    if (bank_.is_variable(term)) {
      out.emplace(Monomial{bank_.variable_of(term)}, constraints_.number(1));
    } else {
      for (const auto& [factors, coefficient] : functions_.at(bank_.head(term))) {
        UnknownPolynomial product{{{}, coefficient}};
        for (int each : factors) {
          product =
              multiply(product, polynomial(bank_.arguments(term)[static_cast<std::size_t>(each)]));
        }
        for (const auto& [monomial, factor] : product) add(out, monomial, factor);
        if (too_large()) break;  // the search is given up anyway
      }
    }
    return known_.emplace(term, std::move(out)).first->second;
  }

  Natural coefficient(const UnknownPolynomial& of, const Monomial& monomial) {
    const auto found = of.find(monomial);
    return found == of.end() ? constraints_.number(0) : found->second;
  }

  Truth weak(const Rule& rule) {
    const UnknownPolynomial left = polynomial(rule.left);
    std::vector<Truth> parts;
    for (const auto& [monomial, factor] : polynomial(rule.right)) {
      parts.push_back(constraints_.at_least(coefficient(left, monomial), factor));
    }
    return constraints_.all(parts);
  }

  Truth more(const Rule& rule) {
    const Natural left = coefficient(polynomial(rule.left), {});
    return constraints_.more(left, coefficient(polynomial(rule.right), {}));
  }

  std::unique_ptr<ReductionPair> read() const {
    std::map<int, PolynomialInterpretation::Function> functions;
    for (const auto& [symbol, unknown] : functions_) {
      for (const auto& [factors, each] : unknown) {
        functions[symbol][factors] = static_cast<std::int64_t>(constraints_.value(each));
      }
    }
    return std::make_unique<PolynomialInterpretation>(std::move(functions));
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  std::uint64_t coefficient_;
  std::uint64_t constant_;
  const Deadline& deadline_;
  Constraints constraints_;
  std::map<int, UnknownPolynomial> functions_;
  std::map<int, std::vector<Truth>> regarded_;
  std::unordered_map<Term, UnknownPolynomial> known_;
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<ReductionPair> find_polynomial(const TermBank& bank, const OrderProblem& problem,
                                               std::uint64_t coefficient, std::uint64_t constant,
                                               const Deadline& deadline) {
  return PolynomialSearch(bank, problem, coefficient, constant, deadline).run();
}

}  // namespace rhopsi::analysis
