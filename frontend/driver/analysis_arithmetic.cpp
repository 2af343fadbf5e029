#include "frontend/driver/analysis_arithmetic.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "engine/analysis/critical_pairs.hpp"

namespace rhopsi::driver {

namespace {

using analysis::Term;

// Products of canonical texts, sorted, with their coefficients.
using Polynomial = std::map<std::vector<std::string>, std::int64_t>;

class Canonical {
 public:
  explicit Canonical(const AnalysisRules& system) : system_(system), bank_(system.bank) {}

  std::string text(Term term) {
    if (meaning(term) != term::Arithmetic::none || literal(term)) {
      if (const auto form = polynomial(term)) return text(*form);
    }
    if (bank_.is_variable(term)) return "?" + std::to_string(bank_.variable_of(term));
    std::string out = std::to_string(bank_.head(term)) + "(";
    for (Term each : bank_.arguments(term)) out += text(each) + ",";
    return out + ")";
  }

 private:
  term::Arithmetic meaning(Term term) const {
    if (bank_.is_variable(term)) return term::Arithmetic::none;
    const auto found = system_.arithmetic.find(bank_.head(term));
    return found == system_.arithmetic.end() ? term::Arithmetic::none : found->second;
  }

  std::optional<std::int64_t> literal(Term term) const {
    if (bank_.is_variable(term)) return std::nullopt;
    const auto found = system_.integers.find(bank_.head(term));
    if (found == system_.integers.end()) return std::nullopt;
    return found->second;
  }

  static std::string text(const Polynomial& form) {
    // 1 * x is x.
    const bool alone = form.size() == 1 && form.begin()->second == 1;
    if (alone && form.begin()->first.size() == 1) return form.begin()->first.front();
    std::string out = "[";
    for (const auto& [factors, coefficient] : form) {
      out += std::to_string(coefficient);
      for (const std::string& each : factors) out += "*" + each;
      out += ";";
    }
    return out + "]";
  }

  // Nothing if a number does not fit.
  std::optional<Polynomial> polynomial(Term term) {
    if (const auto value = literal(term)) return constant(*value);
    const auto arguments = [&](std::size_t i) { return polynomial(bank_.arguments(term)[i]); };
    switch (meaning(term)) {
      case term::Arithmetic::add:
        return sum(arguments(0), arguments(1), 1);
      case term::Arithmetic::subtract:
        return sum(arguments(0), arguments(1), -1);
      case term::Arithmetic::negate:
        return sum(constant(0), arguments(0), -1);
      case term::Arithmetic::multiply:
        return product(arguments(0), arguments(1));
      default:
        break;
    }
    std::string own = bank_.is_variable(term) ? text(term) : atom(term);
    return Polynomial{{{std::move(own)}, 1}};
  }

  std::string atom(Term term) {
    std::string out = std::to_string(bank_.head(term)) + "(";
    for (Term each : bank_.arguments(term)) out += text(each) + ",";
    return out + ")";
  }

  static Polynomial constant(std::int64_t value) {
    return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
  }

  static bool add(Polynomial& out, const std::vector<std::string>& factors, std::int64_t value) {
    std::int64_t& place = out[factors];
    if (__builtin_add_overflow(place, value, &place)) return false;
    if (place == 0) out.erase(factors);
    return true;
  }

  static std::optional<Polynomial> sum(std::optional<Polynomial> a,
                                       const std::optional<Polynomial>& b, std::int64_t sign) {
    if (!a || !b) return std::nullopt;
    for (const auto& [factors, coefficient] : *b) {
      std::int64_t value = 0;
      if (__builtin_mul_overflow(coefficient, sign, &value)) return std::nullopt;
      if (!add(*a, factors, value)) return std::nullopt;
    }
    return a;
  }

  static std::optional<Polynomial> product(const std::optional<Polynomial>& a,
                                           const std::optional<Polynomial>& b) {
    if (!a || !b || a->size() * b->size() > 1000) return std::nullopt;
    Polynomial out;
    for (const auto& [left, first] : *a) {
      for (const auto& [right, second] : *b) {
        std::vector<std::string> factors = left;
        factors.insert(factors.end(), right.begin(), right.end());
        std::ranges::sort(factors);
        std::int64_t value = 0;
        if (__builtin_mul_overflow(first, second, &value)) return std::nullopt;
        if (!add(out, factors, value)) return std::nullopt;
      }
    }
    return out;
  }

  const AnalysisRules& system_;
  const analysis::TermBank& bank_;
};

}  // namespace

std::string canonical(const AnalysisRules& system, Term term) {
  return Canonical(system).text(term);
}

analysis::Proof modulo_arithmetic(AnalysisRules& system) {
  analysis::Rules plain;
  for (std::size_t i = 0; i < system.rules.size(); ++i) {
    if (!system.conditions[i] && !system.binders[i]) plain.push_back(system.rules[i]);
  }
  const analysis::RuleIndex index(system.bank, plain);
  analysis::Proof proof;
  std::size_t joined = 0;
  const auto pairs = analysis::critical_pairs(system.bank, plain);
  for (const analysis::CriticalPair& pair : pairs) {
    const auto left = normalise(system.bank, index, pair.left, 10000);
    const auto right = normalise(system.bank, index, pair.right, 10000);
    if (!left || !right) continue;
    if (canonical(system, *left) == canonical(system, *right)) {
      ++joined;
    } else if (proof.parts.size() < 10) {
      const analysis::Rule shown = readable(system.bank, {*left, *right});
      proof.add("not " + to_string(system.bank, shown.left) + " and " +
                to_string(system.bank, shown.right));
    }
  }
  proof.text = "modulo integer arithmetic " + std::to_string(joined) + " of the " +
               std::to_string(pairs.size()) +
               " critical pairs between rules without conditions and binders join";
  return proof;
}

}  // namespace rhopsi::driver
