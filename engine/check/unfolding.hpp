// Shapes put into conditions, followed again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/check/arithmetic.hpp"

namespace rhopsi::check {

// Follows the unfoldings of a step. What one of them says is equal is an instance of an axiom
// without a condition, or one of these, for vectors that `forall` makes, lists and `if`:
//
//   shape of a number                     is the empty list
//   component of forall (m < n) e at i    is e for m = i, where 0 <= i and i < n
//   length of forall (m < n) e            is n
//   component k, length of [e0, e1, ...]  are ek and the number of parts
//   component or length of (if c then v else w)   is the `if` between those of v and w
//   if c then v else w                    is v where c holds, and w where it does not
class Unfoldings {
 public:
  // All must outlive this.
  Unfoldings(Terms& terms, Judge& judge, const Derivation& derivation);

  // Replaces in the goals and the facts what each unfolding of the step does, and adds to the goals
  // what has to hold for a component of theirs to be there, and for the branch of an `if` that
  // stays to be the right one where that does not follow from the facts. What is wrong, or nothing.
  // Linear for each unfolding.
  std::optional<std::string> follow(const Step& step, std::vector<TermId>& goals,
                                    std::vector<Fact>& facts);

 private:
  std::optional<std::string> problem(const Unfolding& unfolding) const;
  std::optional<std::string> problem_with_axiom(const Unfolding& unfolding) const;
  bool is_meant(const Unfolding& unfolding) const;
  bool is_of_forall(const Unfolding& unfolding, const std::vector<TermId>& parts) const;
  bool is_of_list(const Unfolding& unfolding, const std::vector<TermId>& parts) const;
  bool is_of_branches(const Unfolding& unfolding, const std::vector<TermId>& parts) const;
  bool is_of_number(const Unfolding& unfolding) const;
  bool is_component(TermId term) const;
  bool is_length(TermId term) const;
  // What has to hold for the branch to be the one that stays, unless it follows.
  std::optional<TermId> choice(const Unfolding& unfolding, const std::vector<Fact>& facts);
  // What has to hold for the component of `forall` to be there; nothing where it cannot be said.
  std::optional<std::vector<TermId>> bounds(TermId component);
  TermId replaced(TermId term, const Unfolding& unfolding);

  Terms& terms_;
  const term::Store& store_;
  Judge& judge_;
  const Derivation& derivation_;
  std::unordered_map<SymbolId, const Operation*> operations_;
  std::map<term::SortId, SymbolId> less_;
  std::map<term::SortId, SymbolId> less_equal_;
  std::unordered_map<TermId, TermId> replaced_;  // by the unfolding at hand
};

}  // namespace rhopsi::check
