// Lexicographic path orders with quasi-precedence, statuses that permute arguments, and argument
// filters; Knuth-Bendix orders.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "engine/analysis/order.hpp"

namespace rhopsi::analysis {

// A term f(t1, ..., tn) counts as one of its arguments, or as f of some of them in some order.
class PathOrder : public ReductionPair {
 public:
  struct Function {
    std::uint64_t precedence = 0;
    int collapses_to = -1;   // the argument that stands for the term, or -1
    std::vector<int> slots;  // arguments in the order of comparison; -1: none here
  };

  explicit PathOrder(std::map<int, Function> functions) : functions_(std::move(functions)) {}

  Relation compare(const TermBank& bank, Term left, Term right) const override;
  bool regards(int symbol, std::size_t argument) const override;
  bool monotone(const TermBank& bank, int symbol) const override;
  Proof describe(const TermBank& bank, const std::vector<int>& symbols) const override;
  const std::map<int, Function>& functions() const { return functions_; }

 private:
  std::map<int, Function> functions_;
};

class KnuthBendixOrder : public ReductionPair {
 public:
  struct Function {
    std::int64_t weight = 0;
    std::uint64_t precedence = 0;
  };

  KnuthBendixOrder(std::int64_t variable_weight, std::map<int, Function> functions)
      : variable_weight_(variable_weight), functions_(std::move(functions)) {}

  Relation compare(const TermBank& bank, Term left, Term right) const override;
  bool regards(int, std::size_t) const override { return true; }
  // Only if weights and precedence are admissible.
  bool monotone(const TermBank& bank, int symbol) const override;
  Proof describe(const TermBank& bank, const std::vector<int>& symbols) const override;

 private:
  std::int64_t variable_weight_;
  std::map<int, Function> functions_;
};

struct PathOrderShape {
  bool permute = true;  // arguments may be compared in another order than they are written
  bool equals = true;   // different symbols may be at one level of the precedence
  // Symbols at the lowest level, and alone there; empty: there is no such level.
  std::function<bool(int symbol)> lowest = {};
};

std::unique_ptr<PathOrder> find_path_order(const TermBank& bank, const OrderProblem& problem,
                                           const PathOrderShape& shape, const Deadline& deadline);

// For problems that ask for a monotone order.
std::unique_ptr<ReductionPair> find_knuth_bendix_order(const TermBank& bank,
                                                       const OrderProblem& problem,
                                                       const Deadline& deadline);

}  // namespace rhopsi::analysis
