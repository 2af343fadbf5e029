// Which rules are usable, where the arguments that an order regards are still sought. Internal to
// this folder.
#pragma once

#include <vector>

#include "engine/analysis/order.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

// A truth value for each rule of the problem; all are usable where the problem does not ask.
class UnknownUsable {
 public:
  UnknownUsable(const TermBank& bank, const OrderProblem& problem, smt::Constraints& constraints)
      : bank_(bank), problem_(problem), constraints_(constraints) {
    for (std::size_t i = 0; i < problem.rules.size(); ++i) {
      usable_.push_back(problem.usable_only ? constraints.unknown() : constraints.constant(true));
    }
  }

  smt::Truth operator[](std::size_t rule) const { return usable_[rule]; }

  // What the right side of an oriented rule can reach is usable.
  template <class Regarded>
  void require(Term right, const Regarded& regarded) {
    if (problem_.usable_only) require(right, constraints_.constant(true), regarded);
  }
  // And so is, where a rule is usable, what its right side can reach.
  template <class Regarded>
  void require_from(std::size_t rule, const Regarded& regarded) {
    if (problem_.usable_only) require(problem_.rules[rule].right, usable_[rule], regarded);
  }

 private:
  // `regarded(symbol)`: a truth value for each argument.
  template <class Regarded>
  void require(Term term, smt::Truth reached, const Regarded& regarded) {
    if (bank_.is_variable(term)) return;
    const int head = bank_.head(term);
    for (std::size_t i = 0; i < problem_.rules.size(); ++i) {
      if (bank_.head(problem_.rules[i].left) != head) continue;
      constraints_.require(constraints_.implies(reached, usable_[i]));
    }
    for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
      require(bank_.arguments(term)[i], constraints_.both(reached, regarded(head)[i]), regarded);
    }
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  smt::Constraints& constraints_;
  std::vector<smt::Truth> usable_;
};

}  // namespace rhopsi::analysis
