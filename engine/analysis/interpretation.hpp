// Linear interpretations over vectors of natural numbers; of dimension 1 they are linear
// polynomials. (Endrullis, Waldmann, Zantema 2008.)
//
//   [f](x1, ..., xn) = M1 x1 + ... + Mn xn + c,   a > b  iff  a1 > b1 and ai >= bi
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/analysis/order.hpp"

namespace rhopsi::analysis {

using Vector = std::vector<std::int64_t>;

// By rows.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> entries;

  std::int64_t at(std::size_t row, std::size_t column) const {
    return entries[row * columns + column];
  }
};

class Interpretation : public ReductionPair {
 public:
  struct Function {
    Vector constant;
    std::vector<Matrix> arguments;
  };

  Interpretation(std::size_t dimension, std::map<int, Function> functions)
      : dimension_(dimension), functions_(std::move(functions)) {}

  Relation compare(const TermBank& bank, Term left, Term right) const override;
  bool regards(int symbol, std::size_t argument) const override;
  bool monotone(const TermBank& bank, int symbol) const override;
  Proof describe(const TermBank& bank, const std::vector<int>& symbols) const override;

 private:
  std::size_t dimension_;
  std::map<int, Function> functions_;
};

struct InterpretationShape {
  std::size_t dimension = 1;
  std::uint64_t coefficient = 1;  // the largest entry of a matrix
  std::uint64_t constant = 1;     // the largest entry of a vector
};

// `marked` symbols stand at roots only; their values have one component.
std::unique_ptr<ReductionPair> find_interpretation(const TermBank& bank,
                                                   const OrderProblem& problem,
                                                   const std::vector<bool>& marked,
                                                   const InterpretationShape& shape,
                                                   const Deadline& deadline);

}  // namespace rhopsi::analysis
