#include "engine/analysis/interpretation.hpp"

#include <algorithm>
#include <optional>

#include "engine/analysis/exact.hpp"

namespace rhopsi::analysis {

namespace {

// The value of a term: a constant, and a matrix for each of its variables.
struct Value {
  Vector constant;
  std::map<int, Matrix> coefficients;
};

Matrix multiply(Exact& exact, const Matrix& a, const Matrix& b) {
  Matrix out{a.rows, b.columns, std::vector<std::int64_t>(a.rows * b.columns, 0)};
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < a.columns; ++k) {
        sum = exact.sum(sum, exact.product(a.at(i, k), b.at(k, j)));
      }
      out.entries[i * b.columns + j] = sum;
    }
  }
  return out;
}

Matrix identity(std::size_t dimension) {
  Matrix out{dimension, dimension, std::vector<std::int64_t>(dimension * dimension, 0)};
  for (std::size_t i = 0; i < dimension; ++i) out.entries[i * dimension + i] = 1;
  return out;
}

class Evaluation {
 public:
  Evaluation(const TermBank& bank, std::size_t dimension,
             const std::map<int, Interpretation::Function>& functions)
      : bank_(bank), dimension_(dimension), functions_(functions) {}

  // Nothing if a number does not fit, or a symbol has no value.
  std::optional<Value> value(Term term) {
    if (bank_.is_variable(term)) {
      return Value{Vector(dimension_, 0), {{bank_.variable_of(term), identity(dimension_)}}};
    }
    const auto function = functions_.find(bank_.head(term));
    if (function == functions_.end()) return std::nullopt;
    Value out{function->second.constant, {}};
    for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
      const auto argument = value(bank_.arguments(term)[i]);
      if (!argument || argument->constant.size() != dimension_) return std::nullopt;
      add(out, function->second.arguments[i], *argument);
    }
    if (!exact_.fits()) return std::nullopt;
    return out;
  }

 private:
  void add(Value& out, const Matrix& factor, const Value& argument) {
    for (std::size_t row = 0; row < factor.rows; ++row) {
      for (std::size_t k = 0; k < factor.columns; ++k) {
        out.constant[row] =
            exact_.sum(out.constant[row], exact_.product(factor.at(row, k), argument.constant[k]));
      }
    }
    for (const auto& [variable, matrix] : argument.coefficients) {
      const Matrix product = multiply(exact_, factor, matrix);
      const auto [place, made] = out.coefficients.emplace(variable, product);
      if (made) continue;
      for (std::size_t k = 0; k < product.entries.size(); ++k) {
        place->second.entries[k] = exact_.sum(place->second.entries[k], product.entries[k]);
      }
    }
  }

  const TermBank& bank_;
  std::size_t dimension_;
  const std::map<int, Interpretation::Function>& functions_;
  Exact exact_;
};

bool at_least(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < b[i]) return false;
  }
  return true;
}

std::string text_of(const Vector& row) {
  std::string text = "(";
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += (i > 0 ? " " : "") + std::to_string(row[i]);
  }
  return text + ")";
}

std::string text_of(const Matrix& matrix) {
  if (matrix.rows == 1 && matrix.columns == 1) return std::to_string(matrix.entries.front());
  std::string text = "[";
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    if (i > 0) text += ", ";
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      text += (j > 0 ? " " : "") + std::to_string(matrix.at(i, j));
    }
  }
  return text + "]";
}

bool is_zero(const std::vector<std::int64_t>& entries) {
  return std::ranges::all_of(entries, [](std::int64_t each) { return each == 0; });
}

std::string polynomial(const Interpretation::Function& function) {
  std::string text;
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    const Matrix& factor = function.arguments[i];
    if (is_zero(factor.entries)) continue;
    const bool one = factor.entries.size() == 1 && factor.entries.front() == 1;
    text += (text.empty() ? "" : " + ") + (one ? "" : text_of(factor) + " ") + "x" +
            std::to_string(i + 1);
  }
  if (is_zero(function.constant) && !text.empty()) return text;
  const std::string constant = function.constant.size() == 1
                                   ? std::to_string(function.constant.front())
                                   : text_of(function.constant);
  return text + (text.empty() ? "" : " + ") + constant;
}

}  // namespace

Relation Interpretation::compare(const TermBank& bank, Term left, Term right) const {
  Evaluation evaluation(bank, dimension_, functions_);
  const auto larger = evaluation.value(left);
  const auto smaller = evaluation.value(right);
  if (!larger || !smaller || larger->constant.size() != smaller->constant.size()) {
    return Relation::none;
  }
  for (const auto& [variable, matrix] : smaller->coefficients) {
    const auto found = larger->coefficients.find(variable);
    if (found == larger->coefficients.end()) {
      if (!is_zero(matrix.entries)) return Relation::none;
    } else if (!at_least(found->second.entries, matrix.entries)) {
      return Relation::none;
    }
  }
  if (!at_least(larger->constant, smaller->constant)) return Relation::none;
  return larger->constant.front() > smaller->constant.front() ? Relation::strict : Relation::weak;
}

bool Interpretation::regards(int symbol, std::size_t argument) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) return true;
  return !is_zero(function->second.arguments[argument].entries);
}

bool Interpretation::monotone(const TermBank& bank, int symbol) const {
  const auto function = functions_.find(symbol);
  if (function == functions_.end()) return false;
  for (std::size_t i = 0; i < bank.symbol(symbol).arity(); ++i) {
    if (function->second.arguments[i].at(0, 0) < 1) return false;
  }
  return true;
}

Proof Interpretation::describe(const TermBank& bank, const std::vector<int>& symbols) const {
  Proof proof{dimension_ == 1 ? "linear polynomials over the natural numbers"
                              : "matrix interpretation of dimension " + std::to_string(dimension_) +
                                    " over the natural numbers (matrices by rows)"};
  for (int symbol : symbols) {
    const auto function = functions_.find(symbol);
    if (function == functions_.end()) continue;
    proof.add("[" + with_arguments(bank, symbol) + "] = " + polynomial(function->second));
  }
  return proof;
}

}  // namespace rhopsi::analysis
