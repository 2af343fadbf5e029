// Rewriting with an indexed set of rules.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

// Rules by the symbol at the root of the left side.
class RuleIndex {
 public:
  RuleIndex(const TermBank& bank, const Rules& rules);

  const Rules& rules() const { return rules_; }
  // Numbers of the rules whose left side has this root; those with a variable are in all.
  const std::vector<std::size_t>& of(int symbol) const;
  bool defined(int symbol) const { return !of(symbol).empty(); }

 private:
  Rules rules_;
  std::vector<std::vector<std::size_t>> by_root_;
  std::vector<std::size_t> for_others_;
};

struct Step {
  Position position;
  std::size_t rule = 0;
};

struct Reduct {
  Term term;
  Step step;
};

// What becomes of the term by this rule at this position; nothing if the left side does not match.
std::optional<Term> rewrite_at(TermBank& bank, const Rules& rules, Term term, const Step& step);

bool is_normal(const TermBank& bank, const RuleIndex& index, Term term);
// No proper subterm can be rewritten.
bool arguments_are_normal(const TermBank& bank, const RuleIndex& index, Term term);

// All one-step reducts; only innermost ones on demand.
std::vector<Reduct> reducts(TermBank& bank, const RuleIndex& index, Term term,
                            bool innermost = false);

// Rewrites innermost first until nothing can be rewritten, or the steps are used up, or a term is
// larger than 10000 symbols: nothing then.
std::optional<Term> normalise(TermBank& bank, const RuleIndex& index, Term term, int steps,
                              std::vector<Step>* taken = nullptr);

}  // namespace rhopsi::analysis
