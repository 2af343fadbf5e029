// Steps of a proof with dependency pairs: each replaces a problem by smaller ones.
#pragma once

#include <optional>

#include "engine/analysis/dependency_pairs.hpp"
#include "engine/analysis/interpretation.hpp"
#include "engine/analysis/order.hpp"

namespace rhopsi::analysis {

// How much is tried: cheap orders first.
struct OrderAttempt {
  enum class Kind {
    interpretation,
    polynomial,  // of `shape` the coefficient and the constant
    arctic,
    path_order,
    path_order_permuted,
    path_order_as_written,
    knuth_bendix
  };
  Kind kind;
  InterpretationShape shape = {};
  double seconds = 1;
};

std::unique_ptr<ReductionPair> find_order(const TermBank& bank, const OrderProblem& problem,
                                          const std::vector<bool>& marked,
                                          const OrderAttempt& attempt, const Deadline& deadline);

// What is left to show, and why.
struct Reduced {
  Rules rest;
  Proof proof;
};

// Pairs whose projected left side is larger as a superterm go. (Hirokawa, Middeldorp 2007.)
std::optional<Reduced> subterm_criterion(TermBank& bank, const PairProblem& problem,
                                         const Deadline& deadline);

// Pairs that a reduction pair orients strictly go, all others and the usable rules are oriented
// weakly.
std::optional<Reduced> reduction_pair(TermBank& bank, const PairProblem& problem,
                                      const std::vector<bool>& marked, const OrderAttempt& attempt,
                                      const Deadline& deadline);

// Innermost problems: a pair goes where it makes a sum of sizes of arguments, some of them
// negative, smaller and that sum is not below 0, by what is known of values that calls have become
// where one pair follows another. (Giesl, Thiemann, Swiderski, Schneider-Kamp 2007.)
std::optional<Reduced> bounded_increase(TermBank& bank, const PairProblem& problem,
                                        const Deadline& deadline);

// Rules that a monotone order orients strictly go, all others are oriented weakly.
std::optional<Reduced> rule_removal(TermBank& bank, const Rules& rules, const OrderAttempt& attempt,
                                    const Deadline& deadline);

// No infinite rewriting by the rules of both has infinitely many steps by those of `ending`: one
// monotone order after the other orients all weakly, and those that it orients strictly go, until
// none of `ending` is left. (Geser 1990.)
std::optional<Proof> relative_termination(TermBank& bank, const Rules& ending, const Rules& others,
                                          const Deadline& deadline);

// Innermost problems: pairs are replaced by what they become by instantiation with what comes
// before, by narrowing and by rewriting of their right sides. Nothing if no pair changes.
std::optional<Reduced> transform_pairs(TermBank& bank, const PairProblem& problem,
                                       std::size_t limit);

}  // namespace rhopsi::analysis
