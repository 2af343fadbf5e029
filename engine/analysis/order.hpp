// Well-founded orders on terms as certificates: what a search has found, and the check of it.
//
// A search states constraints for a solver and reads an order from the model. What counts is only
// verify(): it compares terms by the order itself, in plain code that shares nothing with the
// constraints.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

enum class Relation { none, weak, strict };

// A weakly monotone quasi-order and a compatible well-founded strict order, both closed under
// substitutions, and compatible with the rules c(x, y) -> x, c(x, y) -> y for a new symbol c.
class ReductionPair {
 public:
  virtual ~ReductionPair() = default;
  virtual Relation compare(const TermBank& bank, Term left, Term right) const = 0;
  // False if the order does not depend on this argument.
  virtual bool regards(int symbol, std::size_t argument) const = 0;
  // Whether the strict order is monotone in all arguments of the symbol.
  virtual bool monotone(const TermBank& bank, int symbol) const = 0;
  // The order itself, for the symbols given.
  virtual Proof describe(const TermBank& bank, const std::vector<int>& symbols) const = 0;
};

struct OrderProblem {
  Rules oriented;  // all weakly, at least one strictly
  Rules rules;     // weakly, as far as they are usable for `oriented`
  bool usable_only = true;
  bool monotone = false;    // the strict order has to be monotone: rules are removed
  bool all_strict = false;  // all of `oriented` strictly
};

// Symbols that occur in the problem, in order of first occurrence.
std::vector<int> symbols_of(const TermBank& bank, const OrderProblem& problem);

// "f(x1, x2)", for descriptions of orders.
std::string with_arguments(const TermBank& bank, int symbol);

// The rules that the right sides of `oriented` can reach through arguments that are regarded.
std::vector<bool> usable_rules(const TermBank& bank, const OrderProblem& problem,
                               const ReductionPair& pair);

// Which of `oriented` are strict, if the order does all that the problem asks for.
struct Orientation {
  std::vector<bool> strict;
  std::vector<bool> usable;
};
std::optional<Orientation> verify(const TermBank& bank, const OrderProblem& problem,
                                  const ReductionPair& pair);

}  // namespace rhopsi::analysis
