// Widths of pads that the conditions of rules ask for, in place of ones that a program states.
//
// A width is an operation without arguments and without a definition. Where a condition does not
// hold for all values of it, the least one for which it does is found, and the rule may fire: what
// was found is kept, and the program that comes of it takes a width for which all of it holds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/rewrite/derivation.hpp"
#include "engine/term/oracle.hpp"

namespace rhopsi::rewrite {

// Widths beyond this are not tried.
inline constexpr std::int64_t greatest_width = 64;

// Asks another oracle, with numbers in place of the widths where it has to. Conditions on several
// widths at once are left to it as they are.
class WidthFinder final : public term::ConditionOracle {
 public:
  // `store` and `oracle` must outlive this. Without widths it is as `oracle`.
  WidthFinder(term::Store& store, term::ConditionOracle& oracle,
              std::vector<term::SymbolId> widths);

  bool active() const { return !widths_.empty(); }

  // Least widths double from 0 and are then narrowed down, so that they are the least where what
  // holds for one width holds for all greater ones; what is found holds in any case.
  term::Verdict decide(const term::Store& store, term::TermId condition,
                       std::span<const term::TermId> facts,
                       const term::Interpretation& interpretation) override;
  // With the width for which the condition was proved.
  term::Interpretation settled(const term::Store& store, term::TermId condition,
                               const term::Interpretation& interpretation) const override;

  // Whether the condition speaks of one width.
  bool asks(term::TermId condition) const { return width_in(condition).has_value(); }
  // What the applied steps of the derivation ask for.
  std::vector<term::WidthNeed> needs(const term::Derivation& derivation) const;

 private:
  struct Found {
    term::SymbolId width;
    std::int64_t least = 0;
    std::vector<std::vector<term::TermId>> facts;
  };
  std::optional<term::SymbolId> width_in(term::TermId condition) const;

  term::Store& store_;
  term::ConditionOracle& oracle_;
  std::vector<term::SymbolId> widths_;
  std::map<term::TermId, Found> found_;  // by the condition
};

// The interpretation in which `width` is this number.
term::Interpretation with_width(term::Store& store, const term::Interpretation& interpretation,
                                term::SymbolId width, std::int64_t number);

// The least width for which every need is met, nothing if none up to `greatest_width` is.
std::optional<std::int64_t> common_width(term::Store& store, term::ConditionOracle& oracle,
                                         const term::Interpretation& interpretation,
                                         const std::vector<term::WidthNeed>& needs);

}  // namespace rhopsi::rewrite
