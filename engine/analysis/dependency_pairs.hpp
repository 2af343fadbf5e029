// Dependency pairs: what a chain of calls in an infinite reduction looks like, which pair can
// follow which, and the components of that graph. (Arts, Giesl 2000; Giesl, Thiemann,
// Schneider-Kamp, Falke 2006.)
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/rewrite.hpp"

namespace rhopsi::analysis {

// Are there infinite chains of pairs, with reductions by `rules` between them? In innermost
// problems left sides of pairs and arguments of redexes are normal forms of `normal_forms`.
struct PairProblem {
  Rules pairs;
  Rules rules;
  bool innermost = false;
  std::shared_ptr<const RuleIndex> normal_forms;  // of all rules; null if not innermost
};

// A marked copy f# of each defined symbol f; indexed by symbol, `marked` tells which are copies.
struct MarkedSymbols {
  std::unordered_map<int, int> of;
  std::vector<bool> marked;
};

PairProblem dependency_pairs(TermBank& bank, const Rules& rules, bool innermost,
                             MarkedSymbols& symbols);

// What stays of `term` at the root whatever is reduced and instantiated: the rest is fresh
// variables. In innermost problems variables of `left` stand for normal forms and stay.
Term cap(TermBank& bank, const PairProblem& problem, const RuleIndex& index, Term term,
         const Term* left);

// Which pair may come after which in a chain, by number; nothing if there is no time to look.
std::optional<std::vector<std::pair<std::size_t, std::size_t>>> estimated_edges(
    TermBank& bank, const PairProblem& problem, const Deadline& deadline);

// Sub-problems of the strongly connected components that hold a cycle; the problem itself if there
// is no time to look.
std::vector<PairProblem> components(TermBank& bank, const PairProblem& problem,
                                    const Deadline& deadline);

}  // namespace rhopsi::analysis
