// Random expressions with their values, a sequence that is the same for the same seed.
//
// It meets every pair of operations that is possible: an expression starts from a pair that has
// not been met, if there is one, or from an input, and grows upwards by operations that make
// new pairs.
#pragma once

#include "tests/oracle/builder.hpp"
#include "tests/oracle/coverage.hpp"

namespace rhopsi::oracle {

struct Case {
  unsigned seed = 0;
  std::size_t number = 0;  // in the sequence
  Tree tree;
  Inputs inputs;  // those that the tree mentions
  std::set<std::string> narrow;
  Array value;
};

// Seed, expression and inputs.
std::string to_string(const Case& one);

class Suite {
 public:
  explicit Suite(unsigned seed, Grain grain = Grain::coarse);

  Case next();
  const Coverage& coverage() const { return coverage_; }

  // An expression that has the pair; nothing if none was found.
  static std::optional<Operand> with_pair(Builder& builder, const Pair& pair, int attempts);

 private:
  Operand start(Builder& builder);
  Operand grown(Builder& builder, Operand operand, int depth);

  unsigned seed_;
  std::size_t number_ = 0;
  Coverage coverage_;
  std::vector<Pair> waiting_;  // pairs that have not been found, in random order
};

}  // namespace rhopsi::oracle
