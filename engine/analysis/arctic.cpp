#include "engine/analysis/arctic.hpp"

#include <algorithm>
#include <string>

namespace rhopsi::analysis {

namespace {

using Numbers = std::vector<ArcticNumber>;

ArcticNumber maximum(ArcticNumber a, ArcticNumber b) {
  if (!a) return b;
  if (!b) return a;
  return std::max(*a, *b);
}

bool at_least(ArcticNumber a, ArcticNumber b) { return !b || (a && *a >= *b); }
bool far_more(ArcticNumber a, ArcticNumber b) { return !b || (a && *a > *b); }

// The value of a term: a constant, and a matrix for each variable.
struct Value {
  Numbers constant;
  std::map<int, Numbers> coefficients;
};

class Evaluation {
 public:
  Evaluation(const TermBank& bank, std::size_t dimension,
             const std::map<int, ArcticInterpretation::Function>& functions)
      : bank_(bank), dimension_(dimension), functions_(functions) {}

  std::optional<Value> value(Term term) {
    Value out;
    if (bank_.is_variable(term)) {
      out.constant.assign(dimension_, std::nullopt);
      Numbers& unit = out.coefficients[bank_.variable_of(term)];
      unit.assign(dimension_ * dimension_, std::nullopt);
      for (std::size_t i = 0; i < dimension_; ++i) unit[i * dimension_ + i] = 0;
      return out;
    }
    const auto function = functions_.find(bank_.head(term));
    if (function == functions_.end()) return std::nullopt;
    out.constant = function->second.constant;
    const std::size_t rows = out.constant.size();
    for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
      const auto argument = value(bank_.arguments(term)[i]);
      if (!argument || argument->constant.size() != dimension_) return std::nullopt;
      const Numbers& factor = function->second.arguments[i];
      merge(out.constant, product(factor, rows, argument->constant, 1));
      for (const auto& [variable, matrix] : argument->coefficients) {
        Numbers& sum = out.coefficients[variable];
        if (sum.empty()) sum.assign(rows * dimension_, std::nullopt);
        merge(sum, product(factor, rows, matrix, dimension_));
      }
    }
    if (!fits_) return std::nullopt;
    return out;
  }

 private:
  static void merge(Numbers& sum, const Numbers& other) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = maximum(sum[i], other[i]);
  }

  Numbers product(const Numbers& a, std::size_t rows, const Numbers& b, std::size_t columns) {
    Numbers out(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < dimension_; ++k) {
          const ArcticNumber x = a[i * dimension_ + k];
          const ArcticNumber y = b[k * columns + j];
          if (!x || !y) continue;
          std::int64_t sum = 0;
          if (__builtin_add_overflow(*x, *y, &sum)) fits_ = false;
          out[i * columns + j] = maximum(out[i * columns + j], sum);
        }
      }
    }
    return out;
  }

  const TermBank& bank_;
  std::size_t dimension_;
  const std::map<int, ArcticInterpretation::Function>& functions_;
  bool fits_ = true;
};

// Whether all components of a are related to those of b; those that are not there are minus
// infinity.
template <class Relate>
bool all_related(const Value& a, const Value& b, Relate relate) {
  for (std::size_t i = 0; i < b.constant.size(); ++i) {
    if (!relate(a.constant[i], b.constant[i])) return false;
  }
  for (const auto& [variable, matrix] : b.coefficients) {
    const auto found = a.coefficients.find(variable);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const ArcticNumber own = found == a.coefficients.end() ? std::nullopt : found->second[i];
      if (!relate(own, matrix[i])) return false;
    }
  }
  return true;
}

std::string text_of(const Numbers& numbers, std::size_t columns) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i % columns == 0 ? ", " : " ";
    text += numbers[i] ? std::to_string(*numbers[i]) : "-oo";
  }
  return text + "]";
}

}  // namespace

bool ArcticInterpretation::somewhere_finite() const {
  for (const auto& [symbol, function] : functions_) {
    bool finite = function.constant.front().has_value();
    for (const Numbers& matrix : function.arguments) finite = finite || matrix.front().has_value();
    if (!finite) return false;
    const auto negative = [](ArcticNumber each) { return each && *each < 0; };
    if (std::ranges::any_of(function.constant, negative)) return false;
    for (const Numbers& matrix : function.arguments) {
      if (std::ranges::any_of(matrix, negative)) return false;
    }
  }
  return true;
}

Relation ArcticInterpretation::compare(const TermBank& bank, Term left, Term right) const {
  if (!somewhere_finite()) return Relation::none;
  Evaluation evaluation(bank, dimension_, functions_);
  const auto larger = evaluation.value(left);
  const auto smaller = evaluation.value(right);
  if (!larger || !smaller || larger->constant.size() != smaller->constant.size()) {
    return Relation::none;
  }
  if (all_related(*larger, *smaller, far_more)) return Relation::strict;
  return all_related(*larger, *smaller, at_least) ? Relation::weak : Relation::none;
}

bool ArcticInterpretation::regards(int symbol, std::size_t argument) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) return true;
  return std::ranges::any_of(function->second.arguments[argument],
                             [](ArcticNumber each) { return each.has_value(); });
}

Proof ArcticInterpretation::describe(const TermBank& bank, const std::vector<int>& symbols) const {
  Proof proof{"arctic matrix interpretation of dimension " + std::to_string(dimension_) +
              " (maximum for +, + for products; -oo is minus infinity)"};
  for (int symbol : symbols) {
    const auto function = functions_.find(symbol);
    if (function == functions_.end()) continue;
    std::string text = "[" + bank.symbol(symbol).name + "] =";
    for (std::size_t i = 0; i < function->second.arguments.size(); ++i) {
      text += " " + text_of(function->second.arguments[i], dimension_) + " x" +
              std::to_string(i + 1) + " +";
    }
    proof.add(text + " " + text_of(function->second.constant, 1));
  }
  return proof;
}

}  // namespace rhopsi::analysis
