// Passes that look only at the part of a term where something changes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/rewrite/passes.hpp"

namespace rhopsi::rewrite {

// A body or a guard under passes. The terms above the part that changes are not rebuilt from one
// pass to the next: of each it is known which rules apply to it and beside the way down, and
// what changes further down than the rules look can alter neither. So a term that is rewritten
// along its depth, one redex a pass, takes time in its depth and not in the square of it. A pass
// that changes something elsewhere closes what lies between.
class FocusedTerm {
 public:
  // The other arguments must outlive this. `reach`: how deep the rules look, nothing where that is
  // not known (reach.hpp); then the whole term is in focus all the time.
  FocusedTerm(const Context& context, FactSource& facts, Firing& firing, Passes& passes,
              term::TermId root, bool in_guard, std::optional<std::size_t> reach);

  // The first rule that changes something regardless of the place, in focus or not.
  std::uint32_t first_plain();
  // A contextual rule before `best` that may be applied, or `best`.
  std::uint32_t first_contextual(std::uint32_t best);
  // One pass with the rule.
  void apply(std::uint32_t rule);
  // Nodes of the whole term.
  std::size_t size();
  // The whole term, which is in focus again.
  term::TermId close();

 private:
  struct Frame {
    term::TermId term;    // as it was when the focus went into its part
    std::uint32_t rule;   // the first that applies to it or beside the way down, from the root on
    std::size_t outside;  // nodes that are not in the part, from the root on
  };

  void leave();
  void enter(std::uint32_t child);
  std::uint32_t rule_at(term::TermId term);

  term::Store& store_;
  Firing& firing_;
  Passes& passes_;
  std::optional<std::size_t> reach_;
  Path path_;
  std::vector<Frame> frames_;
  term::TermId term_;  // in focus
};

}  // namespace rhopsi::rewrite
