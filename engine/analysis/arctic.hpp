// Interpretations over vectors of natural numbers and minus infinity with maximum for addition and
// addition for multiplication. (Koprowski, Waldmann 2009.)
//
//   [f](x1, ..., xn) = max(M1 + x1, ..., Mn + xn, c)
//
// Only weakly monotone: for pairs, not for the removal of rules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "engine/analysis/order.hpp"

namespace rhopsi::analysis {

// Nothing: minus infinity.
using ArcticNumber = std::optional<std::int64_t>;

class ArcticInterpretation : public ReductionPair {
 public:
  struct Function {
    std::vector<ArcticNumber> constant;                // of `dimension` components, 1 if marked
    std::vector<std::vector<ArcticNumber>> arguments;  // matrices by rows
  };

  ArcticInterpretation(std::size_t dimension, std::map<int, Function> functions)
      : dimension_(dimension), functions_(std::move(functions)) {}

  Relation compare(const TermBank& bank, Term left, Term right) const override;
  bool regards(int symbol, std::size_t argument) const override;
  bool monotone(const TermBank&, int) const override { return false; }
  Proof describe(const TermBank& bank, const std::vector<int>& symbols) const override;

 private:
  // The first component of every value is a number.
  bool somewhere_finite() const;

  std::size_t dimension_;
  std::map<int, Function> functions_;
};

std::unique_ptr<ReductionPair> find_arctic_interpretation(
    const TermBank& bank, const OrderProblem& problem, const std::vector<bool>& marked,
    std::size_t dimension, std::uint64_t largest, const Deadline& deadline);

}  // namespace rhopsi::analysis
