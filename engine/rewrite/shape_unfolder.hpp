// Shapes put into terms, step by step.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/rewrite/shape_laws.hpp"

namespace rhopsi::rewrite {

// One question on its way. Each step replaces one term by what is equal to it, everywhere outside
// of binders.
class ShapeUnfolder {
 public:
  ShapeUnfolder(term::Store& store, const ShapeSymbols& symbols, std::span<const term::Rule> laws,
                const LawIndex& index, const term::Interpretation& interpretation)
      : store_(store),
        symbols_(symbols),
        laws_(laws),
        index_(index),
        interpretation_(interpretation) {}

  // What is known first, then the condition, until nothing is left or `most` steps are done. Terms
  // of more than some thousand nodes stay as they are.
  void run(term::TermId condition, std::span<const term::TermId> facts, std::size_t most);

  // Afterwards: the condition, and what has to hold so that it means the same.
  const std::vector<term::TermId>& conditions() const { return conditions_; }
  const std::vector<term::TermId>& facts() const { return facts_; }
  const std::vector<term::Unfolding>& steps() const { return steps_; }

 private:
  void unfold(std::vector<term::TermId>& terms, std::size_t most);
  std::optional<term::Unfolding> find(term::TermId term);
  std::optional<term::Unfolding> contract(term::TermId term);
  std::optional<term::Unfolding> by_law(const std::unordered_map<term::SymbolId, std::size_t>& laws,
                                        term::SymbolId operation, term::TermId term);
  std::optional<term::Unfolding> of_array(term::TermId shape);
  std::optional<term::Unfolding> of_vector(term::TermId term);
  std::optional<term::Unfolding> choose(term::TermId term);
  void apply(const term::Unfolding& step);
  void require_within(term::TermId vector, term::TermId place);
  term::TermId replaced(term::TermId term, const term::Unfolding& step);

  term::Store& store_;
  const ShapeSymbols& symbols_;
  std::span<const term::Rule> laws_;
  const LawIndex& index_;
  const term::Interpretation& interpretation_;
  std::vector<term::TermId> conditions_;
  std::vector<term::TermId> facts_;
  std::vector<term::Unfolding> steps_;
  std::unordered_set<term::TermId> done_;                    // nothing in them can be replaced
  std::unordered_map<term::TermId, term::TermId> replaced_;  // in the step at hand
};

}  // namespace rhopsi::rewrite
