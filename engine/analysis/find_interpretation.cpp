// The search for interpretations: coefficients are unknowns, terms become symbolic linear forms,
// and orientation is comparison by coefficients.
#include <map>
#include <unordered_map>

#include "engine/analysis/interpretation.hpp"
#include "engine/analysis/unknown_usable.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Constraints;
using smt::Natural;
using smt::Truth;

constexpr std::uint64_t size_limit = 4'000'000;  // bits; a solver is lost beyond

struct UnknownMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Natural> entries;
  Natural at(std::size_t row, std::size_t column) const { return entries[row * columns + column]; }
};

struct UnknownFunction {
  std::vector<Natural> constant;
  std::vector<UnknownMatrix> arguments;
  std::vector<Truth> regarded;
};

struct Form {
  std::vector<Natural> constant;
  std::map<int, UnknownMatrix> coefficients;
};

class Search {
 public:
  Search(const TermBank& bank, const OrderProblem& problem, const std::vector<bool>& marked,
         const InterpretationShape& shape)
      : bank_(bank), problem_(problem), marked_(marked), shape_(shape) {}

  std::unique_ptr<ReductionPair> run(const Deadline& deadline) {
    deadline_ = &deadline;
    for (int symbol : symbols_of(bank_, problem_)) {
      declare(symbol);
      if (constraints_.size() > size_limit || deadline.over()) return nullptr;
    }
    UnknownUsable usable(bank_, problem_, constraints_);
    const auto regarded = [&](int symbol) -> const std::vector<Truth>& {
      return functions_.at(symbol).regarded;
    };
    std::vector<Truth> strict;
    for (const Rule& rule : problem_.oriented) {
      constraints_.require(weak(rule));
      strict.push_back(more(rule));
      usable.require(rule.right, regarded);
      if (constraints_.size() > size_limit || deadline.over()) return nullptr;
    }
    constraints_.require(problem_.all_strict ? constraints_.all(strict) : constraints_.any(strict));
    for (std::size_t i = 0; i < problem_.rules.size(); ++i) {
      constraints_.require(constraints_.implies(usable[i], weak(problem_.rules[i])));
      usable.require_from(i, regarded);
      if (constraints_.size() > size_limit || deadline.over()) return nullptr;
    }
    if (!constraints_.solve(deadline.left())) return nullptr;
    return read();
  }

 private:
  bool is_marked(int symbol) const {
    const auto place = static_cast<std::size_t>(symbol);
    return place < marked_.size() && marked_[place];
  }

  void declare(int symbol) {
    const std::size_t rows = is_marked(symbol) ? 1 : shape_.dimension;
    UnknownFunction function;
    for (std::size_t i = 0; i < rows; ++i) {
      function.constant.push_back(constraints_.unknown_up_to(shape_.constant));
    }
    for (std::size_t i = 0; i < bank_.symbol(symbol).arity(); ++i) {
      UnknownMatrix matrix{rows, shape_.dimension, {}};
      for (std::size_t k = 0; k < rows * shape_.dimension; ++k) {
        matrix.entries.push_back(constraints_.unknown_up_to(shape_.coefficient));
      }
      std::vector<Truth> positive;
      const Natural zero = constraints_.number(0);
      for (Natural each : matrix.entries) positive.push_back(constraints_.more(each, zero));
      if (problem_.monotone) constraints_.require(positive.front());
      function.regarded.push_back(constraints_.any(positive));
      function.arguments.push_back(std::move(matrix));
    }
    functions_.emplace(symbol, std::move(function));
  }

  UnknownMatrix multiply(const UnknownMatrix& a, const UnknownMatrix& b) {
    UnknownMatrix out{a.rows, b.columns, {}};
    for (std::size_t i = 0; i < a.rows; ++i) {
      for (std::size_t j = 0; j < b.columns; ++j) {
        std::vector<Natural> sum;
        for (std::size_t k = 0; k < a.columns; ++k) {
          sum.push_back(constraints_.multiply(a.at(i, k), b.at(k, j)));
        }
        out.entries.push_back(constraints_.sum(sum));
      }
    }
    return out;
  }

  UnknownMatrix identity() {
    UnknownMatrix out{shape_.dimension, shape_.dimension, {}};
    for (std::size_t i = 0; i < shape_.dimension; ++i) {
      for (std::size_t j = 0; j < shape_.dimension; ++j) {
        out.entries.push_back(constraints_.number(i == j ? 1 : 0));
      }
    }
    return out;
  }

  const Form& form(Term term) {
    if (const auto known = forms_.find(term); known != forms_.end()) return known->second;
    Form out;
    if (bank_.is_variable(term)) {
      out.constant.assign(shape_.dimension, constraints_.number(0));
      out.coefficients.emplace(bank_.variable_of(term), identity());
    } else {
      const UnknownFunction& function = functions_.at(bank_.head(term));
      out.constant = function.constant;
      for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
        if (constraints_.size() > size_limit || deadline_->over())
          break;  // the search is given up anyway
        add(out, function.arguments[i], form(bank_.arguments(term)[i]));
      }
    }
    return forms_.emplace(term, std::move(out)).first->second;
  }

  void add(Form& out, const UnknownMatrix& factor, const Form& argument) {
    for (std::size_t row = 0; row < factor.rows; ++row) {
      for (std::size_t k = 0; k < factor.columns; ++k) {
        out.constant[row] = constraints_.add(
            out.constant[row], constraints_.multiply(factor.at(row, k), argument.constant[k]));
      }
    }
    for (const auto& [variable, matrix] : argument.coefficients) {
      UnknownMatrix product = multiply(factor, matrix);
      const auto found = out.coefficients.find(variable);
      if (found == out.coefficients.end()) {
        out.coefficients.emplace(variable, std::move(product));
        continue;
      }
      for (std::size_t k = 0; k < product.entries.size(); ++k) {
        Natural& entry = found->second.entries[k];
        entry = constraints_.add(entry, product.entries[k]);
      }
    }
  }

  Truth weak(const Rule& rule) {
    const Form left = form(rule.left);
    const Form right = form(rule.right);
    std::vector<Truth> parts;
    const Natural zero = constraints_.number(0);
    for (std::size_t i = 0; i < left.constant.size(); ++i) {
      parts.push_back(constraints_.at_least(left.constant[i], right.constant[i]));
    }
    for (const auto& [variable, matrix] : right.coefficients) {
      const auto found = left.coefficients.find(variable);
      for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
        const Natural entry = found == left.coefficients.end() ? zero : found->second.entries[k];
        parts.push_back(constraints_.at_least(entry, matrix.entries[k]));
      }
    }
    return constraints_.all(parts);
  }

  Truth more(const Rule& rule) {
    return constraints_.more(form(rule.left).constant.front(), form(rule.right).constant.front());
  }

  // If `reached`, then the rules for the symbols of the term that are regarded are usable.
  std::unique_ptr<ReductionPair> read() const {
    std::map<int, Interpretation::Function> functions;
    for (const auto& [symbol, unknown] : functions_) {
      Interpretation::Function& function = functions[symbol];
      for (Natural each : unknown.constant) {
        function.constant.push_back(static_cast<std::int64_t>(constraints_.value(each)));
      }
      for (const UnknownMatrix& matrix : unknown.arguments) {
        Matrix& out = function.arguments.emplace_back(Matrix{matrix.rows, matrix.columns, {}});
        for (Natural each : matrix.entries) {
          out.entries.push_back(static_cast<std::int64_t>(constraints_.value(each)));
        }
      }
    }
    return std::make_unique<Interpretation>(shape_.dimension, std::move(functions));
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  const std::vector<bool>& marked_;
  const InterpretationShape shape_;
  Constraints constraints_;
  std::map<int, UnknownFunction> functions_;
  std::unordered_map<Term, Form> forms_;
  const Deadline* deadline_ = nullptr;  // of the run
};

}  // namespace

std::unique_ptr<ReductionPair> find_interpretation(const TermBank& bank,
                                                   const OrderProblem& problem,
                                                   const std::vector<bool>& marked,
                                                   const InterpretationShape& shape,
                                                   const Deadline& deadline) {
  return Search(bank, problem, marked, shape).run(deadline);
}

}  // namespace rhopsi::analysis
