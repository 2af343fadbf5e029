// Conditions that are instances of what the specification states.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/rewrite/interval_oracle.hpp"
#include "engine/rewrite/match.hpp"
#include "engine/term/lemma.hpp"

namespace rhopsi::rewrite {

// What another oracle leaves open: decides each part of a condition (what `&&` joins) by intervals
// and facts, or as an instance of a lemma whose own condition is so decided; the parts before it
// are known then. Lemmas are taken as they are stated, proved or not: a verdict that used some is
// assumed, and names the decider "lemma NAME". Where a lemma would do but for its condition, what
// stays unknown says so. Linear in the condition for each lemma about the
// same predicate.
class LemmaOracle final : public term::ConditionOracle {
 public:
  // `store` and `oracle` must outlive this.
  LemmaOracle(term::Store& store, term::ConditionOracle& oracle, std::vector<term::Lemma> lemmas);

  // What verdicts count in.
  const std::vector<term::Lemma>& lemmas() const { return lemmas_; }

  term::Verdict decide(const term::Store& store, term::TermId condition,
                       std::span<const term::TermId> facts,
                       const term::Interpretation& interpretation) override;
  term::Interpretation settled(const term::Store& store, term::TermId condition,
                               const term::Interpretation& interpretation) const override;

 private:
  bool may_help(term::TermId condition) const;
  std::optional<term::Verdict> by_lemmas(term::TermId condition,
                                         std::span<const term::TermId> facts,
                                         const term::Interpretation& interpretation);
  std::optional<term::LemmaUse> instance(term::TermId statement,
                                         std::span<const term::TermId> facts,
                                         const term::Interpretation& interpretation);

  term::Store& store_;
  term::ConditionOracle& oracle_;
  IntervalOracle cheap_;
  std::vector<term::Lemma> lemmas_;
  std::vector<Matcher> matchers_;
  std::unordered_map<term::SymbolId, std::vector<std::size_t>> by_predicate_;
  std::string missing_;  // of the last question: what the last lemma that fitted lacked
};

}  // namespace rhopsi::rewrite
