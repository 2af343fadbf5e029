// Matching (one-sided), unification (two-sided) and semi-unification of first-order terms.
// Variables are bound to terms of their own sort only.
#pragma once

#include <optional>

#include "engine/analysis/term.hpp"

namespace rhopsi::analysis {

// sigma with pattern sigma = term; extends `sigma` where one is given.
std::optional<Substitution> match(const TermBank& bank, Term pattern, Term term);
bool match_into(const TermBank& bank, Term pattern, Term term, Substitution& sigma);

// A most general unifier, idempotent.
std::optional<Substitution> unify(TermBank& bank, Term left, Term right);

// Whether the terms have a common instance once their variables are renamed apart.
bool unify_apart(TermBank& bank, Term left, Term right);

// The term with fresh variables; `renaming` says which, and takes what is there already.
Term rename(TermBank& bank, Term term, Substitution& renaming);

// sigma and mu with left sigma mu = right sigma, found by a bounded search: nothing does not mean
// that there are none.
struct SemiUnifier {
  Substitution sigma;
  Substitution mu;
};
std::optional<SemiUnifier> semi_unify(TermBank& bank, Term left, Term right);

}  // namespace rhopsi::analysis
