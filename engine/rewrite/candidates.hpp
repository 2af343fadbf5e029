// Which rules match where: kept per term, since terms never change.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/rewrite/by_term.hpp"
#include "engine/rewrite/match.hpp"
#include "engine/rewrite/net.hpp"
#include "engine/rewrite/sequence.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// What one rule asks of a place beyond matching.
struct RuleTraits {
  bool has_statements = false;  // the right side holds a block
  bool sequence = false;        // statements in a row, in any block (term/rule.hpp)
  // Pattern variables that the right side changes; of a sequence, those that the left side does.
  std::vector<term::SymbolId> changed;
  // The right side may equal the left one for some values of the variables. (To find out for a
  // redex takes time in its size, and not only in that of the rule.)
  bool may_keep = true;
  bool contextual() const { return has_conditions || has_statements; }
  bool has_conditions = false;
};

// For each term, the first rule that changes it or a subterm of it: apart for rules
// that match regardless of the place, and for those that the place must allow.
// Terms that a pass keeps need not be looked at again.
class Candidates {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Summary {
    std::uint32_t plain = none;
    std::uint32_t contextual = none;
    std::size_t size = 0;  // nodes, 0 as long as nothing is known
  };

  // Both must outlive this.
  Candidates(const term::Store& store, std::span<const term::Rule> rules);

  // Linear in the subterms not seen before. Iterative.
  Summary summary(term::TermId root);

  // Does rule number `rule` match this very term and change it? Then `matcher(rule)`
  // holds the binding until the next call. A sequence matches in a block: at the first of its
  // statements from number `from` on where it does, which is then `place(rule)`.
  bool changes(std::uint32_t rule, term::TermId term, std::size_t from = 0);
  const Matcher& matcher(std::uint32_t rule) const { return matchers_[rule]; }
  std::size_t place(std::uint32_t rule) const { return places_[rule]; }
  // Numbers of the rules that may match this very term, ascending. Valid until the next call.
  std::span<const std::uint32_t> rules_at(term::TermId term);
  const RuleTraits& traits(std::uint32_t rule) const { return traits_[rule]; }

  // What has been done so far, for measurements: terms summarised, left sides matched.
  std::uint64_t summarised() const { return summarised_; }
  std::uint64_t attempts() const { return attempts_; }

 private:
  void summarise(term::TermId term);
  bool changes_sequence(std::uint32_t rule, term::TermId block, std::size_t from);

  const term::Store& store_;
  std::span<const term::Rule> rules_;
  MatchingNet net_;
  SequenceIndex sequences_;
  std::vector<std::uint32_t> merged_;
  std::vector<Matcher> matchers_;
  std::vector<RuleTraits> traits_;
  std::vector<std::size_t> places_;
  ByTerm<Summary> summaries_;
  std::uint64_t summarised_ = 0;
  std::uint64_t attempts_ = 0;
};

}  // namespace rhopsi::rewrite
