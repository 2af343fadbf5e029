// The search for arctic interpretations: a number is unknown, and so is whether it is finite.
#include <map>
#include <unordered_map>

#include "engine/analysis/arctic.hpp"
#include "engine/analysis/unknown_usable.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Natural;
using smt::Truth;

constexpr std::uint64_t arctic_size_limit = 4'000'000;

struct Unknown {
  Truth finite;
  Natural value;
};
using Unknowns = std::vector<Unknown>;

struct ArcticFunction {
  Unknowns constant;
  std::vector<Unknowns> arguments;
  std::vector<Truth> regarded;
};

struct ArcticForm {
  Unknowns constant;
  std::map<int, Unknowns> coefficients;
};

class ArcticSearch {
 public:
  ArcticSearch(const TermBank& bank, const OrderProblem& problem, const std::vector<bool>& marked,
               std::size_t dimension, std::uint64_t largest)
      : bank_(bank),
        problem_(problem),
        marked_(marked),
        dimension_(dimension),
        largest_(largest),
        minus_infinity_{c_.constant(false), c_.number(0)},
        zero_{c_.constant(true), c_.number(0)} {}

  std::unique_ptr<ReductionPair> run(const Deadline& deadline) {
    deadline_ = &deadline;
    for (int symbol : symbols_of(bank_, problem_)) {
      declare(symbol);
      if (c_.size() > arctic_size_limit || deadline.over()) return nullptr;
    }
    UnknownUsable usable(bank_, problem_, c_);
    const auto regarded = [&](int symbol) -> const std::vector<Truth>& {
      return functions_.at(symbol).regarded;
    };
    std::vector<Truth> strict;
    for (const Rule& rule : problem_.oriented) {
      c_.require(compared(rule, false));
      strict.push_back(compared(rule, true));
      usable.require(rule.right, regarded);
      if (c_.size() > arctic_size_limit || deadline.over()) return nullptr;
    }
    c_.require(c_.any(strict));
    for (std::size_t i = 0; i < problem_.rules.size(); ++i) {
      c_.require(c_.implies(usable[i], compared(problem_.rules[i], false)));
      usable.require_from(i, regarded);
      if (c_.size() > arctic_size_limit || deadline.over()) return nullptr;
    }
    if (!c_.solve(deadline.left())) return nullptr;
    return read();
  }

 private:
  Unknown unknown() {
    const Unknown out{c_.unknown(), c_.unknown_up_to(largest_)};
    // What is infinite has value 0, so that sums of values need no cases.
    c_.require(c_.either(out.finite, c_.equal(out.value, c_.number(0))));
    return out;
  }

  Unknown maximum(const Unknown& a, const Unknown& b) {
    if (c_.is_false(a.finite)) return b;
    if (c_.is_false(b.finite)) return a;
    // Infinite values are 0, and no finite value is less.
    const Truth first = c_.at_least(a.value, b.value);
    return {c_.either(a.finite, b.finite), c_.choose(first, a.value, b.value)};
  }

  Unknown product(const Unknown& a, const Unknown& b) {
    if (c_.is_false(a.finite) || c_.is_false(b.finite)) return minus_infinity_;
    const Truth finite = c_.both(a.finite, b.finite);
    return {finite, c_.choose(finite, c_.add(a.value, b.value), c_.number(0))};
  }

  void declare(int symbol) {
    const auto place = static_cast<std::size_t>(symbol);
    const bool marked = place < marked_.size() && marked_[place];
    const std::size_t rows = marked ? 1 : dimension_;
    ArcticFunction function;
    for (std::size_t i = 0; i < rows; ++i) function.constant.push_back(unknown());
    std::vector<Truth> somewhere{function.constant.front().finite};
    for (std::size_t i = 0; i < bank_.symbol(symbol).arity(); ++i) {
      Unknowns& matrix = function.arguments.emplace_back();
      std::vector<Truth> finite;
      for (std::size_t k = 0; k < rows * dimension_; ++k) {
        matrix.push_back(unknown());
        finite.push_back(matrix.back().finite);
      }
      somewhere.push_back(finite.front());
      function.regarded.push_back(c_.any(finite));
    }
    c_.require(c_.any(somewhere));
    functions_.emplace(symbol, std::move(function));
  }

  Unknowns multiply(const Unknowns& a, std::size_t rows, const Unknowns& b, std::size_t columns) {
    Unknowns out(rows * columns, minus_infinity_);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < dimension_; ++k) {
          Unknown& sum = out[i * columns + j];
          sum = maximum(sum, product(a[i * dimension_ + k], b[k * columns + j]));
        }
      }
    }
    return out;
  }

  const ArcticForm& form(Term term) {
    if (const auto known = forms_.find(term); known != forms_.end()) return known->second;
    ArcticForm out;
    if (bank_.is_variable(term)) {
      out.constant.assign(dimension_, minus_infinity_);
      Unknowns& unit = out.coefficients[bank_.variable_of(term)];
      unit.assign(dimension_ * dimension_, minus_infinity_);
      for (std::size_t i = 0; i < dimension_; ++i) unit[i * dimension_ + i] = zero_;
    } else {
      const ArcticFunction& function = functions_.at(bank_.head(term));
      out.constant = function.constant;
      const std::size_t rows = out.constant.size();
      for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
        if (c_.size() > arctic_size_limit || deadline_->over())
          break;  // the search is given up anyway
        const ArcticForm& argument = form(bank_.arguments(term)[i]);
        merge(out.constant, multiply(function.arguments[i], rows, argument.constant, 1));
        for (const auto& [variable, matrix] : argument.coefficients) {
          Unknowns& sum = out.coefficients[variable];
          if (sum.empty()) sum.assign(rows * dimension_, minus_infinity_);
          merge(sum, multiply(function.arguments[i], rows, matrix, dimension_));
        }
      }
    }
    return forms_.emplace(term, std::move(out)).first->second;
  }

  void merge(Unknowns& sum, const Unknowns& other) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = maximum(sum[i], other[i]);
  }

  Truth compared(const Unknown& a, const Unknown& b, bool strict) {
    const Truth larger = strict ? c_.more(a.value, b.value) : c_.at_least(a.value, b.value);
    return c_.either(c_.negate(b.finite), c_.both(a.finite, larger));
  }

  Truth compared(const Rule& rule, bool strict) {
    const ArcticForm left = form(rule.left);
    const ArcticForm right = form(rule.right);
    std::vector<Truth> parts;
    for (std::size_t i = 0; i < right.constant.size(); ++i) {
      parts.push_back(compared(left.constant[i], right.constant[i], strict));
    }
    for (const auto& [variable, matrix] : right.coefficients) {
      const auto found = left.coefficients.find(variable);
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        const Unknown& own = found == left.coefficients.end() ? minus_infinity_ : found->second[i];
        parts.push_back(compared(own, matrix[i], strict));
      }
    }
    return c_.all(parts);
  }

  ArcticNumber value(const Unknown& unknown) const {
    if (!c_.value(unknown.finite)) return std::nullopt;
    return static_cast<std::int64_t>(c_.value(unknown.value));
  }

  std::unique_ptr<ReductionPair> read() const {
    std::map<int, ArcticInterpretation::Function> functions;
    for (const auto& [symbol, function] : functions_) {
      ArcticInterpretation::Function& out = functions[symbol];
      for (const Unknown& each : function.constant) out.constant.push_back(value(each));
      for (const Unknowns& matrix : function.arguments) {
        std::vector<ArcticNumber>& numbers = out.arguments.emplace_back();
        for (const Unknown& each : matrix) numbers.push_back(value(each));
      }
    }
    return std::make_unique<ArcticInterpretation>(dimension_, std::move(functions));
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  const std::vector<bool>& marked_;
  std::size_t dimension_;
  std::uint64_t largest_;
  smt::Constraints c_;
  Unknown minus_infinity_;
  Unknown zero_;
  std::map<int, ArcticFunction> functions_;
  std::unordered_map<Term, ArcticForm> forms_;
  const Deadline* deadline_ = nullptr;  // of the run
};

}  // namespace

std::unique_ptr<ReductionPair> find_arctic_interpretation(
    const TermBank& bank, const OrderProblem& problem, const std::vector<bool>& marked,
    std::size_t dimension, std::uint64_t largest, const Deadline& deadline) {
  return ArcticSearch(bank, problem, marked, dimension, largest).run(deadline);
}

}  // namespace rhopsi::analysis
