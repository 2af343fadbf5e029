// Conditions about the shapes of expressions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/rewrite/shape_laws.hpp"

namespace rhopsi::rewrite {

// What another oracle leaves open is asked again with the shapes of expressions put in, in the
// condition and in what is known: by the laws of shapes, which are equations that the theory
// states, and by what vectors are. A component of a vector that `forall` makes is its element
// there, which has to be shown to be in the vector; the length of one is its count; of an `if`
// between vectors each is asked, and of one between anything the branch stays that what is known
// leaves.
//
// A number that stands for an array has no axes.
//
//   dim(ravel(u))  =>  len(shape(ravel(u)))  =>  len([size(u)])  =>  1
//
// A verdict that needed it says so (Verdict::unfoldings). Binders are not looked into. At most
// `most_unfoldings` steps; each is linear in the condition and in what is known.
class ShapeOracle final : public term::ConditionOracle {
 public:
  static constexpr std::size_t most_unfoldings = 200;
  using Laws = std::function<std::vector<term::Rule>(const ShapeSymbols&)>;

  // `store` and `oracle` must outlive this. The laws are asked for once, where they are needed.
  ShapeOracle(term::Store& store, term::ConditionOracle& oracle,
              std::span<const term::Callable> callables, const term::Interpretation& interpretation,
              Laws laws);

  // What verdicts count in: none if none was needed.
  const std::vector<term::Rule>& laws() const { return laws_; }

  term::Verdict decide(const term::Store& store, term::TermId condition,
                       std::span<const term::TermId> facts,
                       const term::Interpretation& interpretation) override;
  term::Interpretation settled(const term::Store& store, term::TermId condition,
                               const term::Interpretation& interpretation) const override;

 private:
  void load();
  std::string names_of(std::span<const term::Unfolding> unfoldings) const;

  term::Store& store_;
  term::ConditionOracle& oracle_;
  ShapeSymbols symbols_;
  Laws source_;
  bool loaded_ = false;
  std::vector<term::Rule> laws_;
  LawIndex index_;
};

}  // namespace rhopsi::rewrite
