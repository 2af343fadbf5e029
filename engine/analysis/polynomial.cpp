#include "engine/analysis/polynomial.hpp"

#include <algorithm>
#include <optional>

#include "engine/analysis/exact.hpp"

namespace rhopsi::analysis {

namespace {

// Terms in the variables of a term.
using Value = std::map<Monomial, std::int64_t>;

constexpr std::size_t most_monomials = 5000;

class Evaluation {
 public:
  Evaluation(const TermBank& bank,
             const std::map<int, PolynomialInterpretation::Function>& functions)
      : bank_(bank), functions_(functions) {}

  // Nothing if a number does not fit, there are too many products, or a symbol has no value.
  std::optional<Value> value(Term term) {
    if (bank_.is_variable(term)) return Value{{{bank_.variable_of(term)}, 1}};
    const auto function = functions_.find(bank_.head(term));
    if (function == functions_.end()) return std::nullopt;
    std::vector<Value> arguments;
    for (Term each : bank_.arguments(term)) {
      auto argument = value(each);
      if (!argument) return std::nullopt;
      arguments.push_back(std::move(*argument));
    }
    Value out;
    for (const auto& [factors, coefficient] : function->second) {
      Value product{{{}, coefficient}};
      for (int each : factors) {
        if (static_cast<std::size_t>(each) >= arguments.size()) return std::nullopt;
        product = multiply(product, arguments[static_cast<std::size_t>(each)]);
        if (product.size() > most_monomials) return std::nullopt;
      }
      for (const auto& [monomial, factor] : product) {
        out[monomial] = exact_.sum(out[monomial], factor);
      }
    }
    if (!exact_.fits()) return std::nullopt;
    return out;
  }

 private:
  Value multiply(const Value& a, const Value& b) {
    Value out;
    for (const auto& [left, first] : a) {
      for (const auto& [right, second] : b) {
        Monomial both;
        std::ranges::merge(left, right, std::back_inserter(both));
        std::int64_t& sum = out[both];
        sum = exact_.sum(sum, exact_.product(first, second));
      }
    }
    return out;
  }

  const TermBank& bank_;
  const std::map<int, PolynomialInterpretation::Function>& functions_;
  Exact exact_;
};

std::string text_of(const PolynomialInterpretation::Function& function) {
  std::string text, constant = "0";
  for (const auto& [factors, coefficient] : function) {
    if (coefficient == 0) continue;
    if (factors.empty()) {
      constant = std::to_string(coefficient);
      continue;
    }
    text += text.empty() ? "" : " + ";
    if (coefficient != 1) text += std::to_string(coefficient) + " ";
    for (std::size_t i = 0; i < factors.size(); ++i) {
      text += (i > 0 ? " x" : "x") + std::to_string(factors[i] + 1);
    }
  }
  if (text.empty()) return constant;
  return constant == "0" ? text : text + " + " + constant;
}

}  // namespace

Relation PolynomialInterpretation::compare(const TermBank& bank, Term left, Term right) const {
  Evaluation evaluation(bank, functions_);
  const auto larger = evaluation.value(left);
  const auto smaller = evaluation.value(right);
  if (!larger || !smaller) return Relation::none;
  const auto coefficient = [&](const Value& value, const Monomial& monomial) {
    const auto found = value.find(monomial);
    return found == value.end() ? 0 : found->second;
  };
  for (const auto& [monomial, factor] : *smaller) {
    if (coefficient(*larger, monomial) < factor) return Relation::none;
  }
  return coefficient(*larger, {}) > coefficient(*smaller, {}) ? Relation::strict : Relation::weak;
}

bool PolynomialInterpretation::regards(int symbol, std::size_t argument) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) return true;
  return std::ranges::any_of(function->second, [&](const auto& each) {
    return each.second != 0 &&
           std::ranges::find(each.first, static_cast<int>(argument)) != each.first.end();
  });
}

bool PolynomialInterpretation::monotone(const TermBank& bank, int symbol) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) return false;
  for (std::size_t i = 0; i < bank.symbol(symbol).arity(); ++i) {
    const auto alone = function->second.find({static_cast<int>(i)});
    if (alone == function->second.end() || alone->second < 1) return false;
  }
  return true;
}

Proof PolynomialInterpretation::describe(const TermBank& bank,
                                         const std::vector<int>& symbols) const {
  Proof proof{"polynomials over the natural numbers"};
  for (int symbol : symbols) {
    const auto function = functions_.find(symbol);
    if (function == functions_.end()) continue;
    proof.add("[" + with_arguments(bank, symbol) + "] = " + text_of(function->second));
  }
  return proof;
}

std::vector<Monomial> monomials_of(std::size_t arity) {
  std::vector<Monomial> out{{}};
  const int count = static_cast<int>(arity);
  for (int i = 0; i < count; ++i) out.push_back({i});
  if (count == 1) out.push_back({0, 0});
  if (count > 4) return out;
  for (int i = 0; i < count; ++i) {
    for (int k = i + 1; k < count; ++k) out.push_back({i, k});
  }
  return out;
}

}  // namespace rhopsi::analysis
