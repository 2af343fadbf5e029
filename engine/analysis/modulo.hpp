// Confluence of rules together with the laws of arithmetic.
//
// What is rewritten is a canonical term (arithmetic.hpp), and its reduct is made canonical again.
// Two terms that rules and arithmetic make equal then have one normal form, if
//
// - no left side holds an operation of arithmetic, or begins with a literal: then an instance of a
//   left side is one in canonical form too (coherence; equal variables do no harm),
// - each rule becomes smaller in a path order in which arithmetic and its literals are below all
//   else. In it a polynomial counts as the set of what stands in it, which no law of arithmetic
//   makes larger, and which gets smaller when one of these is rewritten wherever it stands,
// - the two sides of each critical pair come to one canonical term. Such overlaps are the plain
// ones,
//   since left sides hold no arithmetic.
//
// Rewriting modulo a theory itself would never end, for 0 * s is 0 and holds whatever s does: the
// theorem is one of rewriting normal forms (Marché, Normalized rewriting, 1996; connectedness below
// a peak: Winkler, Buchberger, 1983), and not that of Jouannaud and Kirchner (1986).
//
// A rule with a condition applies where the condition follows from the rules and arithmetic. What
// follows before a step then follows after it, if the rules have a model: that is the caller's to
// know.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/critical_pairs.hpp"

namespace rhopsi::analysis {

struct ModuloProblem {
  Rules rules;
  std::vector<std::optional<Term>> conditions;  // one per rule
  std::vector<bool> opaque;                     // one per rule: nothing is joined by it
  // Does the goal hold in all integers and all meanings of functions where the hypotheses do?
  // Without a goal: can they not hold? May say no to anything.
  std::function<bool(const std::vector<Term>& hypotheses, std::optional<Term> goal)> follows;
};

// A pair whose sides were not brought together.
struct OpenPair {
  CriticalPair pair;
  Term left;  // what its sides were rewritten to
  Term right;
  std::vector<Term> hypotheses;  // the conditions of its two rules
  // Both sides are normal for all rules, and canonical forms of them too.
  bool apart = false;
};

struct ModuloFinding {
  std::size_t pairs = 0;
  std::size_t excluded = 0;  // of these: the conditions of the two rules exclude each other
  std::vector<OpenPair> open;
  std::string obstacle;  // what the theorem asks for besides, and is not there; empty: nothing
  Proof order;           // of the rules, where one was found
  bool complete = true;  // all pairs were looked at before the deadline
};

ModuloFinding join_modulo(TermBank& bank, const ModuloProblem& problem,
                          const Arithmetic& arithmetic, const Deadline& deadline);

}  // namespace rhopsi::analysis
