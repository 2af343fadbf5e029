// Sizes of normal forms, and what it says of them that a call has become a certain value.
//
// The size of a normal form is 0 for a variable and for a constant that no rule rewrites, 1 and the
// sizes of the arguments for other constructors; of a call that no rule fits it is what the lower
// bound of its operation says, or 0. So sizes of terms of constructors and variables are linear in
// those of the variables.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/analysis/rewrite.hpp"

namespace rhopsi::analysis {

// A sum of multiples of variables (or of arguments, by number) and a constant.
struct Linear {
  std::map<int, std::int64_t> factors = {};
  std::int64_t constant = 0;

  Linear& add(const Linear& other, std::int64_t factor = 1);
  // Whatever natural numbers the variables are.
  bool never_negative() const;
};

// For innermost rewriting by the rules. What it says of operations is shown from their rules by
// induction on the length of the reduction: candidates with factors -1, 0, 1 (2 for upper bounds)
// are taken, and those that some rule does not keep are dropped.
class Values {
 public:
  // `roots` are the constructors that calls are asked about, in the order of importance; `terms`
  // the calls.
  Values(const TermBank& bank, const Rules& rules, const std::vector<int>& roots,
         const std::vector<Term>& terms);

  // Of the size of the normal form, for normal forms in place of the variables.
  bool exact(Term term) const;  // constructors and variables only: both bounds are the size
  Linear at_least(Term term) const;
  std::optional<Linear> at_most(Term term) const;

  // Expressions that are not negative if the normal form has that constructor at its root, and
  // might be otherwise.
  std::vector<Linear> if_root(Term term, int root) const;

 private:
  // An operation and the constructor at the root of its result.
  using Result = std::pair<int, int>;
  struct Bounds {
    Linear lower;
    std::optional<Linear> upper;
  };
  static constexpr std::size_t most_arguments = 3;
  static constexpr std::size_t most_roots = 6;

  bool defined(int symbol) const { return index_.defined(symbol); }
  void collect(Term term, std::set<int>& operations) const;
  void bound(int operation);
  bool keeps(int operation, const Linear& candidate, bool lower) const;
  bool patterns(int operation) const;
  Linear of_arguments(const Linear& bound, const std::vector<Linear>& sizes) const;
  std::vector<Linear> sizes_of_arguments(Term term) const;
  Linear constructed(Term term, const std::vector<Linear>& sizes) const;
  bool keeps(const Result& result, const Linear& claim) const;
  bool keeps(const Result& result, const Result& argument) const;
  void claim_all(const std::set<int>& operations);
  bool drop_claims();
  void drop_weak_claims();
  std::optional<Linear> instance(const Linear& claim, Term call) const;

  const TermBank& bank_;
  const Rules& rules_;
  RuleIndex index_;
  std::vector<int> roots_;
  std::map<int, Bounds> bounds_;
  std::map<Result, std::vector<Linear>> claims_;
  std::map<Result, std::set<Result>> arguments_;  // (argument, its root) that a result needs
};

}  // namespace rhopsi::analysis
